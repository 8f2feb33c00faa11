import type { Tokens } from "../lanes/palette.ts";

const HATCH_GAP = 6;

/** Fills a rectangle with the pattern of "no events"; idle stays plain, the two must never be confused. */
export function hatch(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = tokens["--hatch"];
  context.lineWidth = 2;
  context.beginPath();
  for (let d = x - height - (x % HATCH_GAP); d < x + width; d += HATCH_GAP) {
    context.moveTo(d, y + height);
    context.lineTo(d + height, y);
  }
  context.stroke();
  context.restore();
}
