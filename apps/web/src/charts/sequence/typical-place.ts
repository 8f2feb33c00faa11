/** Where a typical block is drawn for comparison: pure geometry in CSS pixels. */
import { LEFT, RIGHT, isKnown, type Frame } from "./frame.ts";
import { LENS_WIDTH, placedLenses } from "./lens-places.ts";

/** A block is slow enough for the comparison from this multiple of the typical remote harden on. */
const SLOW = 2;
/** Room for the words over the bar and next to it, px. */
const TITLE = 160;
const FIGURE = 76;
const GAP = 24;
/** Height of a separate row, used when the lenses leave no room next to them, px. */
const ROW = 40;

export interface TypicalPlace {
  readonly left: number;
  /** px below the usual height of the picture. */
  readonly extra: number;
}

/** Position of the typical block; null when this block is not slow, or no typical block exists. */
export function typicalPlace(frame: Frame): TypicalPlace | null {
  const { hop, range, x, width, even } = frame;
  const typical = hop?.typical.remoteHarden;
  if (even || !hop || !isKnown(typical) || !isKnown(hop.remoteHarden) || hop.remoteHarden < SLOW * typical)
    return null;
  const needed = Math.max(TITLE, x(range[0] + typical) - x(range[0]) + FIGURE);
  const boxes = placedLenses(frame, "secondary").map(({ left }) => left);
  const starts = [LEFT - 4, ...boxes.map((left) => left + LENS_WIDTH + GAP)];
  const ends = [...boxes.map((left) => left - GAP), width - RIGHT];
  const free = starts.findIndex((start, i) => ends[i] - start >= needed);
  return free < 0 ? { left: LEFT - 4, extra: ROW } : { left: starts[free], extra: 0 };
}
