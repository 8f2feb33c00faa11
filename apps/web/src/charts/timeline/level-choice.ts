import { blocksInView, isCrowded, levelOf, type Level } from "./layout.ts";
import type { TimeScale } from "../time-scale.ts";
import type { Buffer } from "./spans.ts";

/** A level of detail, and the view that it was chosen for. */
export interface LevelChoice {
  readonly level: Level;
  readonly span: number;
  readonly buffer: Buffer | null;
  readonly width: number;
  /** The range at which the view rested last. */
  readonly rested: readonly [number, number] | null;
}

/** The choice before the first drawing. */
export const NO_LEVEL_CHOICE: LevelChoice = { level: 1, span: -1, buffer: null, width: 0, rested: null };

/**
 * The level for the current view. Panning keeps the level until the view rests, unless single blocks would be drawn
 * over each other.
 */
export function chooseLevel(
  last: LevelChoice,
  buffer: Buffer,
  scale: TimeScale,
  rested: readonly [number, number],
): LevelChoice {
  const { width } = scale;
  const span = Math.round(scale.to - scale.from);
  const blocks = blocksInView(buffer, scale);
  const isSame =
    last.span === span && last.buffer === buffer && last.width === width && last.rested === rested;
  if (isSame && !(last.level >= 2 && isCrowded(blocks, scale))) return last;
  return { level: levelOf(blocks, scale, buffer.blocks !== null), span, buffer, width, rested };
}
