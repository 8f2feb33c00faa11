/** Rows of one database or phase in the capture itself, for what needs no capture of their own. */
import { rowsOfScope, type CaptureScope } from "../columns/index.ts";
import { type RowSet, rowSetOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { keptForFilter } from "./block-filter.ts";

export interface ScopeRows {
  readonly blocks: RowSet;
  readonly commits: RowSet;
}

/** Null for the whole capture. */
export function scopeRows(model: CaptureModel, scope: CaptureScope): ScopeRows | null {
  const { database, phase } = scope;
  if (database === null && phase === null) return null;
  return keptForFilter(model, "scope/rows", `${database} ${phase}`, () => {
    const { rows, commitRows } = rowsOfScope(model, scope);
    return {
      blocks: rowSetOf(model.blocks.length, rows),
      commits: rowSetOf(model.commits.length, commitRows),
    };
  });
}
