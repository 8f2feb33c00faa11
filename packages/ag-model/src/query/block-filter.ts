/** Blocks by the duration of one stage: what a brushed bar of a histogram leaves in the timeline and in the slowest table. */
import { commitLatencies, oncePerModel, pickRows } from "../columns/index.ts";
import { firstAtOrAfter, type RowRun } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { blockDurations, type DistributionStage } from "./distribution.ts";

/** Blocks whose stage took `least` µs or more and under `limit` µs; of "commit" those with such a commit. */
export interface BlockFilter {
  readonly stage: DistributionStage;
  readonly secondary: number;
  readonly least: number;
  readonly limit: number;
}

/** The blocks of a filter. */
export interface FilteredBlocks {
  /** Rows, ascending. */
  readonly rows: Uint32Array;
  /** When each begins, µs. */
  readonly times: Float64Array;
  /** 1 for a row that is one of them. */
  readonly isIn: Uint8Array;
}

/** Filters whose blocks are kept: the one in view and the one before. */
const MOST_KEPT = 2;

/** The blocks of the whole capture that a filter leaves. */
export function filteredBlocks(model: CaptureModel, filter: BlockFilter): FilteredBlocks {
  const kept = oncePerModel(model, "filter/blocks", () => new Map<string, FilteredBlocks>());
  const key = `${filter.stage} ${filter.secondary} ${filter.least} ${filter.limit}`;
  const found = kept.get(key) ?? findBlocks(model, filter);
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
  return found;
}

function findBlocks(model: CaptureModel, { stage, secondary, least, limit }: BlockFilter): FilteredBlocks {
  const isIn = new Uint8Array(model.blocks.length);
  if (stage === "commit") {
    const latencies = commitLatencies(model);
    for (let row = 0; row < latencies.length; row++)
      if (latencies[row] >= least && latencies[row] < limit && model.commits.block[row] >= 0)
        isIn[model.commits.block[row]] = 1;
  } else {
    const durations = blockDurations(model, stage, secondary);
    for (let row = 0; row < isIn.length; row++)
      if (durations[row] >= least && durations[row] < limit) isIn[row] = 1;
  }
  const rows = new Uint32Array(isIn.reduce((sum, is) => sum + is, 0));
  let n = 0;
  for (let row = 0; row < isIn.length; row++) if (isIn[row] === 1) rows[n++] = row;
  return { rows, times: pickRows(model.blocks.time, rows), isIn };
}

/** The rows of a run that a filter leaves, ascending. */
export function filteredRows({ rows, isIn }: FilteredBlocks, { before, first, end }: RowRun): Uint32Array {
  const inside = rows.subarray(firstAtOrAfter(rows, first), firstAtOrAfter(rows, end));
  const earlier = before.filter((row) => isIn[row] === 1);
  const all = new Uint32Array(earlier.length + inside.length);
  all.set(earlier);
  all.set(inside, earlier.length);
  return all;
}

/** Commits of filtered blocks among rows of the commit table. */
export const filteredCommits = (
  model: CaptureModel,
  { isIn }: FilteredBlocks,
  rows: Uint32Array,
): Uint32Array => rows.filter((row) => isIn[model.commits.block[row]] === 1);
