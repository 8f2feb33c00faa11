/** The log blocks that one server's events speak of, numbered from 0: whatever such events show of a block is kept by this number. */
import type { EventShapes } from "../events/index.ts";
import type { NumberedIds } from "./event-ids.ts";
import { FOREIGN_DATABASE } from "./own-databases.ts";

/** A log_block_id and the database of the events that name it, each pair once, in the order in which events name them first. */
export interface OwnBlocks {
  readonly length: number;
  /** Number of each event's block; -1 for an event of a foreign database. */
  readonly blockOf: Int32Array;
  /** The server's number of the database; NO_DATABASE for events that name none. */
  readonly database: Int16Array;
  /** Place of the log_block_id in the ascending list (`event-ids.ts`). */
  readonly id: Uint32Array;
}

const NONE = -1;

/** Numbers the blocks of a server's events. @param databaseOfShape as `OwnDatabases.ofShape` */
export function findOwnBlocks(
  { numberOf, place }: NumberedIds,
  { shapeOf }: EventShapes,
  databaseOfShape: Int16Array,
): OwnBlocks {
  const blockOf = new Int32Array(numberOf.length);
  const database: number[] = [];
  const id: number[] = [];
  // Blocks of one id, which differ in their database, follow one another.
  const first = new Int32Array(place.length).fill(NONE);
  const next: number[] = [];
  for (let i = 0; i < blockOf.length; i++) {
    const own = databaseOfShape[shapeOf[i]];
    const number = numberOf[i];
    if (own === FOREIGN_DATABASE) {
      blockOf[i] = NONE;
      continue;
    }
    let block = first[number];
    while (block !== NONE && database[block] !== own) block = next[block];
    if (block === NONE) {
      block = database.push(own) - 1;
      id.push(place[number]);
      next.push(NONE);
      // Behind the first one, which most of the events are of.
      const before = first[number];
      if (before === NONE) first[number] = block;
      else [next[before], next[block]] = [block, next[before]];
    }
    blockOf[i] = block;
  }
  return {
    length: id.length,
    blockOf,
    database: new Int16Array(database),
    id: new Uint32Array(id),
  };
}
