import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import type { Buffer } from "./spans.ts";

/** Largest number of blocks before an instant whose ends are compared: on a plot no more run at once. */
const MOST_BEFORE = 64;

/** The first or last instant of a loaded block that is nearest to `at`, within `most` µs; otherwise `at` itself. */
export function nearestBlockEdge(buffer: Buffer | null, at: number, most: number): number {
  const blocks = buffer?.blocks?.blocks;
  if (!blocks) return at;
  const next = firstAtOrAfter(blocks.time, at);
  let nearest = at;
  let distance = most + 1e-9;
  const consider = (edge: number): void => {
    if (!(Math.abs(edge - at) < distance)) return;
    distance = Math.abs(edge - at);
    nearest = edge;
  };
  if (next < blocks.length) consider(blocks.time[next]);
  for (let i = next - 1; i >= Math.max(0, next - MOST_BEFORE); i--) {
    consider(blocks.time[i]);
    consider(blocks.timeEnd[i]);
  }
  return nearest;
}
