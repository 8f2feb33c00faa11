/** Events per second of the time that was read so far, a row per replica on one axis; unread time is hatched. */
import { scaleSqrt } from "d3-scale";
import type { Tokens } from "../../lanes/palette.ts";
import { hatch } from "../hatch.ts";
import { xOf } from "../time-scale.ts";
import type { RateStep } from "./read-rates.ts";

/** Read part of one replica's files. */
export interface ReadRow {
  readonly key: string;
  /** Drawn over the row; empty where the name is next to it. */
  readonly name: string;
  /** Null while the role is unknown. */
  readonly role: "primary" | "secondary" | null;
  readonly steps: readonly RateStep[];
  /** End of the read part of files that are still being read, Unix ms. */
  readonly readTo: readonly number[];
}

const colorOf = (role: ReadRow["role"]): keyof Tokens =>
  role === null ? "--wait" : role === "primary" ? "--p-disk" : "--s-disk";

/** Space between rows, px. */
export const ROW_GAP_PX = 4;

/** Height of each of `count` rows, px. */
export const rowHeight = (count: number, height: number): number =>
  (height - ROW_GAP_PX * (count - 1)) / Math.max(1, count);

/**
 * Draws the rows into a cleared context of `width` by `height` px.
 * @param from begin of the capture, Unix ms
 * @param to its end
 */
export function paintReading(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  { width, height }: { readonly width: number; readonly height: number },
  [from, to]: readonly [from: number, to: number],
  rows: readonly ReadRow[],
): void {
  const tall = rowHeight(rows.length, height);
  const x = (at: number): number => Math.round(xOf({ from, to: Math.max(from + 1, to), width }, at));
  const rates = rows.flatMap(({ steps }) => steps.map(({ perSecond }) => perSecond));
  // Square roots, so that a quiet period stays visible next to a busy one.
  const bar = scaleSqrt()
    .domain([0, Math.max(1, ...rates)])
    .range([0, tall - 2]);
  for (const [index, row] of rows.entries()) {
    const top = index * (tall + ROW_GAP_PX);
    hatch(context, tokens, [0, top, width, tall]);
    for (const step of row.steps) {
      const left = x(step.from);
      const wide = Math.max(1, x(step.to) - left);
      context.fillStyle = tokens["--sunken"];
      context.fillRect(left, top, wide, tall);
      const high = Math.max(1, bar(step.perSecond));
      context.fillStyle = tokens[colorOf(row.role)];
      context.fillRect(left, top + tall - high, wide, high);
    }
    context.fillStyle = tokens["--ink"];
    for (const at of row.readTo) context.fillRect(x(at), top, 2, tall);
  }
}
