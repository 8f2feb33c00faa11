/** From the number of a log_block_id (`event-ids.ts`) to the block rows that it names, one per database at most. */
import { IdFinder, type AscendingIds } from "./block-finder.ts";
import type { EventIds } from "./event-ids.ts";

/** Block rows of a server's ids by number. */
export interface IdRows {
  /** The row of each; NONE, or SEVERAL where databases share the id or blocks end at one place. */
  readonly only: Int32Array;
  /** Database of each block row. */
  readonly database: Uint16Array;
  /** All rows of the ids that have several, by database. */
  readonly several: ReadonlyMap<number, readonly number[]>;
}

const NONE = -1;
const SEVERAL = -2;

/** Block ids, or ends of blocks, of all databases. */
export interface ListedIds extends AscendingIds {
  /** Block row of each; those of one database follow each other, and their ids ascend. */
  readonly row: Uint32Array;
  /** Database of each block row. */
  readonly database: Uint16Array;
}

/** The rows of a server's ids. */
export function rowsOfIds(ids: EventIds, { high, low, row, database }: ListedIds): IdRows {
  const finder = new IdFinder(ids);
  const only = new Int32Array(ids.high.length).fill(NONE);
  const several = new Map<number, number[]>();
  for (let k = 0; k < row.length; k++) {
    const number = finder.indexOf(high[k], low[k]);
    if (number < 0) continue;
    if (only[number] === NONE) only[number] = row[k];
    else if (only[number] === SEVERAL) several.get(number)!.push(row[k]);
    else {
      several.set(number, [only[number], row[k]]);
      only[number] = SEVERAL;
    }
  }
  return { only, database, several };
}

/** Row of an id in a database, of several the last; -1 for none. */
export function rowIn({ only, database, several }: IdRows, number: number, own: number): number {
  const row = only[number];
  if (row >= 0) return database[row] === own ? row : NONE;
  return row === NONE ? NONE : (several.get(number)!.findLast((each) => database[each] === own) ?? NONE);
}

/** Row of an id in the first database that has it, of several the last; -1 for none. */
export function rowInAny({ only, database, several }: IdRows, number: number): number {
  const row = only[number];
  if (row !== SEVERAL) return row;
  const rows = several.get(number)!;
  return rows.findLast((each) => database[each] === database[rows[0]])!;
}
