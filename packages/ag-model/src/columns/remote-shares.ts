/**
 * Share of remote harden that each stage of its path takes. Sums are divided over the same blocks, so that no share is
 * over 1.
 */
import { allRows } from "../numbers/ascending-rows.ts";
import { REMOTE_STAGE_IDS, type RemoteStageId, type StageId } from "../replication/shapes/stages.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { perModel } from "./per-model.ts";
import { isComplete } from "./selection.ts";
import { stageColumn } from "./stage-columns.ts";

/** Shares of the sum of remote harden, 0..1; NaN where no block has the stage. */
export type RemoteShares = Readonly<Record<RemoteStageId, number>>;

/**
 * Sum of one column over the sum of another, over the rows in which both are known; NaN for none.
 * @param rows counted rows; all when absent
 */
export function ratioOfSums(part: Float64Array, whole: Float64Array, rows?: Uint32Array): number {
  let [sum, all] = [0, 0];
  const n = rows === undefined ? part.length : rows.length;
  for (let i = 0; i < n; i++) {
    const row = rows === undefined ? i : rows[i];
    if (Number.isNaN(part[row] + whole[row])) continue;
    sum += part[row];
    all += whole[row];
  }
  return all > 0 ? sum / all : Number.NaN;
}

/** Shares over the complete capture for one secondary. */
export const remoteShares = perModel((model: CaptureModel, secondary: number): RemoteShares =>
  sharesOver(model, secondary),
);

/** Shares over some rows of blocks for one secondary. */
export const remoteSharesOf = (model: CaptureModel, secondary: number, rows: Uint32Array): RemoteShares =>
  isComplete(model, rows) ? remoteShares(model, secondary) : sharesOver(model, secondary, rows);

/**
 * Shares over the blocks whose path is known from end to end; without such a block, each stage over the blocks that
 * have it.
 */
function sharesOver(model: CaptureModel, secondary: number, rows?: Uint32Array): RemoteShares {
  const column = (id: StageId): Float64Array => stageColumn(model, secondary, id);
  const whole = column("remoteHarden");
  const parts = recordOf(REMOTE_STAGE_IDS, column);
  const known = rowsKnownIn([whole, ...Object.values(parts)], rows ?? allRows(whole.length));
  const counted = known.length > 0 ? known : rows;
  return recordOf(REMOTE_STAGE_IDS, (id) => ratioOfSums(parts[id], whole, counted));
}

/**
 * 1 for the blocks with every stage of the remote path, 0 for others: shares of an incomplete path would blame its
 * known part.
 */
export const completeRows = perModel((model: CaptureModel, secondary: number): Uint8Array => {
  const columns = REMOTE_STAGE_IDS.map((id) => stageColumn(model, secondary, id));
  const complete = new Uint8Array(model.blocks.length).fill(1);
  for (const column of columns)
    for (let row = 0; row < complete.length; row++) if (Number.isNaN(column[row])) complete[row] = 0;
  return complete;
});

/** The rows in which every column has a value. */
function rowsKnownIn(columns: readonly Float64Array[], rows: Uint32Array): Uint32Array {
  const known = rows.slice();
  let n = known.length;
  for (const column of columns) {
    let kept = 0;
    for (let i = 0; i < n; i++) if (!Number.isNaN(column[known[i]])) known[kept++] = known[i];
    n = kept;
  }
  return known.subarray(0, n);
}
