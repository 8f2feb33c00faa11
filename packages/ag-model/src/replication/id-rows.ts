/** From the number of a log_block_id (`event-ids.ts`) to the block rows that it names, one per database at most. */
import { IdFinder, type AscendingIds } from "./block-finder.ts";
import type { EventIds } from "./event-ids.ts";

/** Rows of ids by number: those of number n lie from `first[n]` up to `first[n + 1]`, by database. */
export interface IdRows {
  readonly first: Uint32Array;
  readonly database: Uint16Array;
  readonly row: Uint32Array;
}

/** Block ids, or ends of blocks, of all databases. */
export interface ListedIds extends AscendingIds {
  /** Database of each; those of one follow each other, and their ids ascend. */
  readonly database: Uint16Array;
  /** Block row of each. */
  readonly row: Uint32Array;
}

/** The rows of a server's ids. */
export function rowsOfIds(ids: EventIds, listed: ListedIds): IdRows {
  const { high, low } = listed;
  const numbers = new Int32Array(high.length);
  const finder = new IdFinder(ids);
  const first = new Uint32Array(ids.high.length + 1);
  for (let k = 0; k < numbers.length; k++) {
    const number = finder.indexOf(high[k], low[k]);
    numbers[k] = number;
    if (number >= 0) first[number + 1]++;
  }
  for (let n = 0; n + 1 < first.length; n++) first[n + 1] += first[n];
  const next = first.slice();
  const database = new Uint16Array(first[first.length - 1]);
  const row = new Uint32Array(database.length);
  for (let k = 0; k < numbers.length; k++) {
    if (numbers[k] < 0) continue;
    const place = next[numbers[k]]++;
    database[place] = listed.database[k];
    row[place] = listed.row[k];
  }
  return { first, database, row };
}

/** Row of an id in a database, of several the last; -1 for none. */
export function rowIn({ first, database, row }: IdRows, number: number, own: number): number {
  for (let k = first[number + 1] - 1; k >= first[number]; k--) if (database[k] === own) return row[k];
  return -1;
}

/** Row of an id in the first database that has it, of several the last; -1 for none. */
export function rowInAny({ first, database, row }: IdRows, number: number): number {
  const end = first[number + 1];
  let k = first[number];
  if (k === end) return -1;
  while (k + 1 < end && database[k + 1] === database[k]) k++;
  return row[k];
}
