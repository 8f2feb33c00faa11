/** Log blocks per second: how busy the log was. */
import type { Overview } from "@aglens/contract";
import { scaleLinear } from "d3-scale";
import { clipped } from "../time-scale.ts";
import { paintGround, type Ground, type Sheet } from "./ground.ts";

/** Log blocks per second in one bin. */
export const rateOf = (overview: Pick<Overview, "blocks" | "binUs">, bin: number): number =>
  overview.blocks[bin] / (overview.binUs / 1e6);

/** Blocks per second at the top of the chart: a round number that is not below any bin. */
export function rateTop(overview: Pick<Overview, "blocks" | "binUs">): number {
  const most = overview.blocks.reduce((found, _, bin) => Math.max(found, rateOf(overview, bin)), 1);
  return scaleLinear().domain([0, most]).nice(1).domain()[1];
}

/** Least height of a bin with one block, px. */
const LEAST_PX = 1.5;

/** Draws the chart; `most` blocks per second are at its top. */
export function paintRates(sheet: Sheet, overview: Overview, ground: Ground, most: number): void {
  const { context, tokens, scale, height } = sheet;
  const bar = scaleLinear().domain([0, most]).range([0, height]);
  paintGround(sheet, ground, false);
  context.fillStyle = tokens["--line"];
  context.fillRect(0, height - 1, scale.width, 1);
  context.fillStyle = tokens["--wait"];
  for (let bin = 0; bin < overview.blocks.length; bin++) {
    if (overview.blocks[bin] === 0) continue;
    const start = overview.from + bin * overview.binUs;
    const box = clipped(scale, start, start + overview.binUs);
    if (!box) continue;
    const [left, wide] = box;
    const high = Math.max(LEAST_PX, bar(rateOf(overview, bin)));
    context.fillRect(left, height - high, Math.max(1, wide - (wide > 3 ? 1 : 0)), high);
  }
}
