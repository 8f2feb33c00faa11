import { commitLatencies, perModel } from "../columns/index.ts";
import { statisticsOf, type Statistics } from "../numbers/index.ts";
import { Gate, type CaptureModel } from "../replication/shapes/tables.ts";
import type { Rows } from "./excess.ts";
import type { CommitEffect } from "./verdict.ts";

/** Commit latency inside and outside of rows of blocks, µs. */
export interface Compared {
  readonly inside: Statistics;
  readonly outside: Statistics;
}

/**
 * Commits of some rows of blocks, and the others.
 * @param slow rows that count on neither side unless they are inside, 1 each: blocks that are slow for another cause do
 * not show the usual latency
 */
export function commitsAround(model: CaptureModel, inside: readonly Rows[], slow?: Uint8Array): Compared {
  const { block } = model.commits;
  const latency = commitLatencies(model);
  const isInside = markedRows(model.blocks.length, inside);
  return {
    inside: statisticsOf(latency.filter((_, commit) => isInside[block[commit]] === 1)),
    outside: statisticsOf(
      latency.filter((_, commit) => isInside[block[commit]] !== 1 && slow?.[block[commit]] !== 1),
    ),
  };
}

/** 1 for each row of these runs, 0 for all others. */
export function markedRows(length: number, runs: readonly Rows[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const [first, end] of runs) marks.fill(1, first, end);
  return marks;
}

/** Rows of the blocks that begin in a window; [n, n) when none does. */
export function rowsWithin({ blocks }: CaptureModel, from: number, to: number): Rows {
  let first = 0;
  while (first < blocks.length && blocks.time[first] < from) first++;
  let end = first;
  while (end < blocks.length && blocks.time[end] <= to) end++;
  return [first, end];
}

const orNull = (us: number): number | null => (Number.isFinite(us) ? us : null);

export const effectOf = ({ inside, outside }: Compared): CommitEffect => ({
  p50Inside: orNull(inside.p50),
  p50Outside: orNull(outside.p50),
  p95Inside: orNull(inside.p95),
  p95Outside: orNull(outside.p95),
});

/**
 * Share of the mean commit latency that a time per block takes, 0..1, over the blocks whose commits it was on the path
 * of; NaN when no commit is known.
 * @param onPath whether commits of that gate wait for it (`onEveryPath`, `onLocalPath`, `onPathOf`)
 * @param atLeastUs least latency of the commits of counted blocks, µs; the others count on neither side
 */
export function shareOfCommits(
  model: CaptureModel,
  us: Float64Array,
  onPath: (gate: number) => boolean,
  atLeastUs = 0,
): number {
  const { gate } = model.blocks;
  const commits = timedCommits(model);
  const times = commitTime(model);
  const isOnPath = Uint8Array.from({ length: 256 }, (_, each) => (onPath(each) ? 1 : 0));
  let [sum, total] = [0, 0];
  for (let row = 0; row < us.length; row++) {
    if (!(times[row] >= atLeastUs)) continue;
    total += times[row] * commits[row];
    if (commits[row] > 0 && us[row] > 0 && isOnPath[gate[row]] === 1) sum += us[row] * commits[row];
  }
  return total > 0 ? Math.min(sum / total, 1) : Number.NaN;
}

/** Latency of all commits together, µs; 0 without a known one. */
export const totalCommitTime = perModel((model: CaptureModel): number => {
  const times = commitTime(model);
  let all = 0;
  for (let row = 0; row < times.length; row++) all += (times[row] || 0) * model.blocks.commits[row];
  return all;
});

/** Commits of each block with a known latency. */
const timedCommits = perModel((model: CaptureModel): Uint16Array => {
  const times = commitTime(model);
  const timed = model.blocks.commits.slice();
  for (let row = 0; row < timed.length; row++) if (Number.isNaN(times[row])) timed[row] = 0;
  return timed;
}, "question");

/** From the first commit's start to the last one's end of each block, µs. */
const commitTime = perModel((model: CaptureModel): Float64Array => {
  const { commitStart, commitEnd, length } = model.blocks;
  const times = new Float64Array(length);
  for (let row = 0; row < length; row++) times[row] = commitEnd[row] - commitStart[row];
  return times;
}, "question");

export const onEveryPath = (): boolean => true;
export const onLocalPath = (gate: number): boolean => gate === Gate.localFlush;
export const onPathOf =
  (secondary: number) =>
  (gate: number): boolean =>
    gate === Gate.ofSecondary(secondary);
