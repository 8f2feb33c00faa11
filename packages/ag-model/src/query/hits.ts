/** Number of blocks that match a filter, and their cost. */
import { commitLatencies } from "../columns/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import {
  commitsOfFiltered,
  filteredBlocks,
  latestPerModel,
  MOST_KEPT,
  stageColumns,
  type BlockCondition,
  type BlockFilter,
  type DurationCondition,
} from "./block-filter.ts";
import { orNull } from "./null-for-nan.ts";

export interface HitOptions {
  readonly filter: BlockFilter;
  /** Range in view, µs. */
  readonly from: number;
  readonly to: number;
}

/**
 * The hits of a filter: their places, their share of all waiting of commits (sum of the waits of their commits / of all
 * commits), and each condition alone: its blocks, the hits' share of its stage's time, and the largest value.
 */
export function hitsOf(model: CaptureModel, { filter, from, to }: HitOptions) {
  const { rows } = filteredBlocks(model, filter);
  const { time, timeEnd } = model.blocks;
  let before = 0;
  for (let i = 0; i < rows.length; i++) if (timeEnd[rows[i]] < from) before++;
  return {
    ...hitsOfCapture(model, filter),
    /** Hits that end before the view, and that begin after it. */
    before,
    after: rows.length - firstAtOrAfter(rows, firstAtOrAfter(time, to)),
  };
}

/** The part of the hits that does not depend on the view. */
const hitsOfCapture = latestPerModel(MOST_KEPT, (model: CaptureModel, filter: BlockFilter) => {
  const hits = filteredBlocks(model, filter);
  const { time, timeEnd } = model.blocks;
  const { rows: commits } = commitsOfFiltered(model, hits);
  const latencies = commitLatencies(model);
  const waited = sumAt(latencies, commits);
  let last = Number.NaN;
  for (const row of hits.rows) if (!(timeEnd[row] <= last)) last = timeEnd[row];
  return {
    blocks: hits.rows.length,
    commits: commits.length,
    first: hits.rows.length === 0 ? null : time[hits.rows[0]],
    last: orNull(last),
    waitedUs: waited,
    waitedShare: shareOf(waited, sumOfKnown(latencies)),
    conditions: filter.map((condition) => ({
      blocks: filteredBlocks(model, [condition]).rows.length,
      ...stageCost(model, condition, hits.rows),
    })),
  };
});

/** Share of the stage's time in these rows, and its largest value; null for conditions that are about no stage. */
function stageCost(model: CaptureModel, condition: BlockCondition, rows: Uint32Array) {
  if (condition.kind !== "duration") return { share: null, largest: null };
  const columns = durationColumns(model, condition);
  if (condition.stage === "commit") return { share: null, largest: largestOf(columns) };
  const all = columns.reduce((sum, column) => sum + sumOfKnown(column), 0);
  const part = columns.reduce((sum, column) => sum + sumAt(column, rows), 0);
  return { share: shareOf(part, all), largest: largestOf(columns) };
}

const durationColumns = (model: CaptureModel, { stage, secondary }: DurationCondition): Float64Array[] =>
  stage === "commit" ? [commitLatencies(model)] : stageColumns(model, stage, secondary);

function largestOf(columns: readonly Float64Array[]): number | null {
  let largest = Number.NaN;
  for (const column of columns)
    for (let row = 0; row < column.length; row++)
      if (!(column[row] <= largest)) largest = known(column[row], largest);
  return orNull(largest);
}

const known = (value: number, otherwise: number): number => (Number.isNaN(value) ? otherwise : value);

const shareOf = (part: number, all: number): number | null => (all > 0 ? part / all : null);

function sumOfKnown(column: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < column.length; row++) sum += known(column[row], 0);
  return sum;
}

function sumAt(column: Float64Array, rows: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) sum += known(column[rows[i]], 0);
  return sum;
}
