import type { RowRun } from "../numbers/ranked-column.ts";
import { statisticsOf, type Statistics } from "../numbers/statistics.ts";
import { Gate, type CaptureModel } from "../replication/shapes/tables.ts";
import { perModel } from "./per-model.ts";
import { releaseColumns } from "./release.ts";

/** Commit latency (end - start) of every commit, µs. */
export const commitLatencies = perModel((model: CaptureModel): Float64Array => {
  const { start, end, length } = model.commits;
  const latencies = new Float64Array(length);
  for (let row = 0; row < length; row++) latencies[row] = end[row] - start[row];
  return latencies;
});

/** Statistics of the latencies of all commits, µs. */
export const commitStatistics = perModel((model: CaptureModel): Statistics =>
  statisticsOf(commitLatencies(model)),
);

/** Commit end after its release, µs, one per commit; NaN where the release is unknown. */
export const commitWakeUps = perModel((model: CaptureModel): Float64Array => {
  const { block, end, gate, length } = model.commits;
  const released = releaseColumns(model);
  const wakeUps = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const column = block[row] < 0 ? undefined : released[gate[row]];
    wakeUps[row] = end[row] - (column?.[block[row]] ?? Number.NaN);
  }
  return wakeUps;
});

/** Longest commit of each block, µs; NaN for a block without commits. */
export const longestCommits = perModel((model: CaptureModel): Float64Array => {
  const longest = new Float64Array(model.blocks.length).fill(Number.NaN);
  const latencies = commitLatencies(model);
  for (let row = 0; row < latencies.length; row++) {
    const block = model.commits.block[row];
    if (block >= 0 && !(latencies[row] <= longest[block])) longest[block] = latencies[row];
  }
  return longest;
});

/**
 * Counts commits by their release over rows of the commit table: [0] by the local log write, [s + 1] by the
 * acknowledgment of secondary s. Commits with an unknown release are skipped.
 */
export function countGates(model: CaptureModel, rows: Iterable<number>): number[] {
  const counts = Array.from({ length: model.hops.length + 1 }, () => 0);
  for (const row of rows) {
    const gate = model.commits.gate[row];
    if (gate !== Gate.unknown && gate <= counts.length) counts[gate - Gate.localFlush]++;
  }
  return counts;
}

/** `countGates` over a run of commits. */
export function countGatesOfRun(model: CaptureModel, { before, first, end }: RowRun): number[] {
  const counts = countGates(model, before);
  const { gate } = model.commits;
  for (let row = first; row < end; row++)
    if (gate[row] !== Gate.unknown && gate[row] <= counts.length) counts[gate[row] - Gate.localFlush]++;
  return counts;
}

/** `countGates` of all commits. */
export const gatesOfAllCommits = perModel((model: CaptureModel): number[] =>
  countGatesOfRun(model, { before: new Uint32Array(0), first: 0, end: model.commits.length }),
);
