/**
 * The log blocks that one server's events name, numbered from 0: all data of such events about a block is kept by this
 * number.
 */
import { GrowingColumn } from "../../numbers/index.ts";
import { FOREIGN_DATABASE } from "./own-databases.ts";

/** A log_block_id and the database of the events that name it, each pair once, in the order of the first event. */
export interface OwnBlocks {
  readonly length: number;
  /** The server's number of the database; NO_DATABASE for events that name none. */
  readonly database: Int16Array;
  /** Place of the log_block_id in the ascending list (`event-ids.ts`). */
  readonly id: Uint32Array;
}

const NONE = -1;

/** Numbers the blocks of one server's events, which arrive in one or several parts. */
export class OwnBlockNumbers {
  readonly #database = new GrowingColumn(Int16Array);
  /** Number of each block's id. */
  readonly #number = new GrowingColumn(Uint32Array);
  // Blocks of one id, which differ in their database, follow one another.
  readonly #next = new GrowingColumn(Int32Array);
  #first = new Int32Array();

  /** How many blocks there are so far. */
  get length(): number {
    return this.#database.length;
  }

  /**
   * Number of the block of each event of the next part; -1 for an event of a foreign database.
   * @param numberOf number of each event's log_block_id, below `ids`
   * @param databaseOfShape as `OwnDatabases.ofShape`
   * @param blockOf is filled
   */
  of(
    numberOf: Uint32Array,
    ids: number,
    shapeOf: Uint32Array,
    databaseOfShape: Int16Array,
    blockOf: Int32Array,
  ): void {
    this.#makeRoom(ids);
    for (let i = 0; i < blockOf.length; i++) {
      const own = databaseOfShape[shapeOf[i]];
      blockOf[i] = own === FOREIGN_DATABASE ? NONE : this.#blockOf(numberOf[i], own);
    }
  }

  #blockOf(number: number, own: number): number {
    const database = this.#database.room;
    const next = this.#next.room;
    let block = this.#first[number];
    while (block !== NONE && database[block] !== own) block = next[block];
    return block === NONE ? this.#add(number, own) : block;
  }

  #add(number: number, own: number): number {
    const block = this.#database.more(1);
    this.#database.room[block] = own;
    this.#number.more(1);
    this.#number.room[block] = number;
    this.#next.more(1);
    const next = this.#next.room;
    // After the first one, which most of the events belong to.
    const before = this.#first[number];
    if (before === NONE) [this.#first[number], next[block]] = [block, NONE];
    else [next[before], next[block]] = [block, next[before]];
    return block;
  }

  #makeRoom(ids: number): void {
    if (this.#first.length >= ids) return;
    const first = new Int32Array(Math.max(ids, 2 * this.#first.length)).fill(NONE, this.#first.length);
    first.set(this.#first);
    this.#first = first;
  }

  /** Makes room for this many blocks in total, and for the ids. */
  reserve(length: number, ids: number): void {
    this.#database.reserve(length);
    this.#number.reserve(length);
    this.#next.reserve(length);
    this.#makeRoom(ids);
  }

  /** The blocks so far. @param place of each number in the ascending list of ids */
  blocks(place: Uint32Array): OwnBlocks {
    return {
      length: this.length,
      database: this.#database.values(),
      id: this.#number.values().map((number) => place[number]),
    };
  }
}
