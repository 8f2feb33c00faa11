/**
 * Finds blocks of other databases with the same LSN: each database has a log of its own, so an LSN names one block in
 * each.
 */
import { perModel } from "../columns/index.ts";
import { allRows, gatherUint32 } from "../numbers/index.ts";
import { ascendingOrder, idsOfRows } from "../replication/prepare/ascending-ids.ts";
import { wordsOf } from "../replication/prepare/event-ids.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** A block with the LSN of another one. */
export interface EqualLsn {
  readonly row: number;
  readonly database: number;
  /** Its earliest known instant, µs. */
  readonly time: number;
}

/** Blocks with the LSN of the block in a row, at most one of each other database; none in a capture of one database. */
export function equalLsns(model: CaptureModel, row: number): EqualLsn[] {
  const { blocks } = model;
  return rowsByLsn(model).flatMap((rows, database) => {
    if (database === blocks.database[row]) return [];
    const found = rowOfLsn(blocks.blockId, rows, blocks.blockId[row]);
    return found === null ? [] : [{ row: found, database, time: blocks.time[found] }];
  });
}

/** Rows of each database in the order of their LSNs; no lists in a capture of one database. */
const rowsByLsn = perModel((model: CaptureModel): readonly Uint32Array[] => {
  const { databases, blocks } = model;
  if (databases.length < 2) return [];
  const all = allRows(blocks.length);
  const words = wordsOf(blocks.blockId);
  return databases.map((_, database) => {
    const rows = all.filter((row) => blocks.database[row] === database);
    return gatherUint32(rows, ascendingOrder(idsOfRows(words, rows)));
  });
});

/** @param rows in the order of their LSNs */
function rowOfLsn(ids: BigUint64Array, rows: Uint32Array, wanted: bigint): number | null {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[rows[middle]] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < rows.length && ids[rows[low]] === wanted ? rows[low] : null;
}
