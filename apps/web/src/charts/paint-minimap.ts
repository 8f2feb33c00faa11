/** The entire capture at a glance: the slowest block per column, colored by its largest part. */
import { placeToken, type Tokens } from "../lanes/palette.ts";
import { logHeight } from "./duration-scale.ts";
import type { MinimapColumns } from "@aglens/ag-model/minimap";
import { PlacedBars } from "./place-patterns.ts";

/** Draws the columns into a box, on whole pixels. */
export function paintMinimap(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  width: number,
  height: number,
  columns: MinimapColumns,
): void {
  const bars = new PlacedBars();
  const { length } = columns.slowest;
  const edge = (column: number): number => (column * width) / length;
  for (let i = 0; i < length; i++) {
    const us = columns.slowest[i];
    if (!(us > 0)) continue;
    const tall = Math.max(1, logHeight(us) * (height - 2));
    // Whole pixels: with fractions the ground would be visible between columns.
    const left = Math.floor(edge(i));
    const box = [left, height - tall, Math.max(1, Math.ceil(edge(i + 1)) - left), tall] as const;
    context.fillStyle = tokens[placeToken(columns.place[i])];
    context.fillRect(...box);
    bars.add(columns.place[i], ...box);
  }
  bars.cut(context, tokens, width, height);
}
