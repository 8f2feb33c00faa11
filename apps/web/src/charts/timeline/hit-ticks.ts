/** Positions of a filter's hits on a strip of time: pixels, each once. */
import type { BinWindow, BlockWindow } from "@aglens/contract";
import { xOf, type TimeScale } from "../time-scale.ts";

/** Width of a tick, px. */
export const TICK_PX = 2;

/** Left and width of each tick, px, left to right: a block's own length, at least TICK_PX; ticks that touch are one. */
export function hitTicks(window: BlockWindow | BinWindow, scale: TimeScale): [number, number][] {
  const periods = window.detail === "blocks" ? periodsOfBlocks(window) : periodsOfBins(window);
  const ticks: [number, number][] = [];
  for (const [from, to] of periods) {
    if (to < scale.from || from >= scale.to) continue;
    const left = Math.floor(Math.max(0, xOf(scale, from)));
    const width = Math.max(TICK_PX, Math.min(scale.width, Math.ceil(xOf(scale, to))) - left);
    const last = ticks.at(-1);
    if (last !== undefined && left < last[0] + last[1]) last[1] = Math.max(last[1], left + width - last[0]);
    else ticks.push([left, width]);
  }
  return ticks;
}

function* periodsOfBlocks({ blocks }: BlockWindow): Generator<readonly [number, number]> {
  for (let i = 0; i < blocks.length; i++) yield [blocks.time[i], blocks.timeEnd[i]];
}

/** A bin with hits is as wide as the bin; the hits' positions inside it are unknown. */
function* periodsOfBins({ from, to, length, count }: BinWindow): Generator<readonly [number, number]> {
  const width = (to - from) / length;
  for (let i = 0; i < length; i++) if (count[i] > 0) yield [from + i * width, from + (i + 1) * width];
}
