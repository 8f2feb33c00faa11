/**
 * Patterns for time without bars, by the reason why it is unknown, as all canvases draw it. Idle time is plain, and
 * never has a pattern.
 */
import type { TokenName, Tokens } from "../lanes/palette.ts";

/** Patterns, by the id that the definition of each state has in `messages/terms.ts`. */
export type UnknownTime = "notRecorded" | "lost" | "notArrived";

const HATCH_GAP = 6;
const LINE_GAP = 4;

/**
 * Fills a rectangle with the pattern of unknown time: diagonals where no file covers it, crossed ones where events were
 * lost, level lines where log blocks had not arrived.
 */
export function hatch(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
  state: UnknownTime = "notRecorded",
  color: TokenName = "--hatch",
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = tokens[color];
  context.lineWidth = state === "notRecorded" ? 2 : 1;
  context.beginPath();
  if (state === "notArrived")
    for (let top = y + 1.5; top < y + height; top += LINE_GAP) {
      context.moveTo(x, top);
      context.lineTo(x + width, top);
    }
  else
    // A mark of a single lost event is a complete cross wherever it is.
    for (let d = x - height - (state === "lost" ? 0 : x % HATCH_GAP); d < x + width; d += HATCH_GAP) {
      context.moveTo(d, y + height);
      context.lineTo(d + height, y);
      if (state === "notRecorded") continue;
      context.moveTo(d, y);
      context.lineTo(d + height, y + height);
    }
  context.stroke();
  context.restore();
}
