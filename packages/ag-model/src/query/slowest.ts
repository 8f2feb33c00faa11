import { blocksInRange, longestCommits, stageColumn } from "../columns/index.ts";
import { isStageId, REMOTE_PATH, STAGES } from "../replication/stages.ts";
import { lsn } from "../replication/identity.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { orNull } from "./null-for-nan.ts";

export interface SlowestOptions {
  readonly from: number;
  readonly to: number;
  /** A stage id, or "commit" for the block's longest commit. */
  readonly sort: string;
  readonly descending: boolean;
  readonly secondary: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Blocks of the range in order of a stage's duration; blocks without that figure come last either way. `stages` of a row
 * holds every stage and "commit", µs. Throws RangeError for an unknown `sort`.
 */
export function slowest(model: CaptureModel, options: SlowestOptions) {
  const { from, to, descending, secondary, limit, offset } = options;
  const column = columnOf(model, options.sort, secondary);
  const sign = descending ? -1 : 1;
  const rows = blocksInRange(model, from, to).slice();
  rows.sort((a, b) => compare(column[a], column[b], sign) || a - b);
  return {
    total: rows.length,
    rows: Array.from(rows.subarray(offset, offset + limit), (row) => slowBlock(model, secondary, row)),
  };
}

function columnOf(model: CaptureModel, sort: string, secondary: number): Float64Array {
  if (sort === "commit") return longestCommits(model);
  if (!isStageId(sort)) throw new RangeError(`"${sort}" is neither a stage nor "commit".`);
  return stageColumn(model, secondary, sort);
}

function compare(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return (a - b) * sign;
}

function slowBlock(model: CaptureModel, secondary: number, row: number) {
  const { blocks } = model;
  const stages: Record<string, number | null> = { commit: orNull(longestCommits(model)[row]) };
  for (const { id } of STAGES) stages[id] = orNull(stageColumn(model, secondary, id)[row]);
  return {
    row,
    database: blocks.database[row],
    lsn: lsn(blocks.blockId[row]),
    time: blocks.time[row],
    commits: blocks.commits[row],
    gate: blocks.gate[row],
    largest: largestStage(stages),
    localStart: orNull(blocks.localFlushStart[row] - (model.hops[secondary]?.sendStart[row] ?? Number.NaN)),
    stages,
  };
}

/** Stage of the remote path that took longest, or null when none is known. */
function largestStage(stages: Readonly<Record<string, number | null>>): string | null {
  let found: string | null = null;
  for (const { id } of REMOTE_PATH) {
    const us = stages[id];
    if (us !== null && (found === null || us > stages[found]!)) found = id;
  }
  return found;
}
