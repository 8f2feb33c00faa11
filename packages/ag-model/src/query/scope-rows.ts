/** Rows of one database or phase in the capture itself, for figures that need no capture of their own. */
import { rowsOfScope, type CaptureScope } from "../columns/index.ts";
import { type RowSet, rowSetOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { latestPerModel, MOST_KEPT } from "./block-filter.ts";

export interface ScopeRows {
  readonly blocks: RowSet;
  readonly commits: RowSet;
}

/** Null for the complete capture. */
export const scopeRows = (model: CaptureModel, { database, phase }: CaptureScope): ScopeRows | null =>
  database === null && phase === null ? null : keptRows(model, { database, phase });

const keptRows = latestPerModel(MOST_KEPT, (model: CaptureModel, scope: CaptureScope): ScopeRows => {
  const { rows, commitRows } = rowsOfScope(model, scope);
  return {
    blocks: rowSetOf(model.blocks.length, rows),
    commits: rowSetOf(model.commits.length, commitRows),
  };
});
