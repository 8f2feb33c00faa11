/** Rows of log blocks: the blocks in the events, their sizes, and the row of each event. */
import { EventKind } from "../../events/index.ts";
import { allRows, gatherUint32, keepRows } from "../../numbers/index.ts";
import { ascendingOrder, mergedIds, type UniqueIds } from "../prepare/ascending-ids.ts";
import { IdFinder } from "../prepare/block-finder.ts";
import { LOG_UNIT_BYTES, MOST_BLOCK_BYTES } from "../shapes/identity.ts";
import { NO_DATABASE } from "../prepare/own-databases.ts";
import { instantsOf, type OwnInstants } from "../prepare/own-instants.ts";
import { idOf, type Server } from "../prepare/server.ts";
import { NAMES_END } from "../prepare/single-events.ts";

export interface BlockIds {
  readonly length: number;
  readonly database: Uint16Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Rows of each database, which are consecutive and in ascending order of block id. */
  readonly inOrder: readonly Uint32Array[];
}

export interface BlockRows extends BlockIds {
  /** Bytes; NaN when no event has it. */
  readonly size: Float64Array;
  /** 1 where server s saw the block: seen[s][row]. */
  readonly seen: readonly Uint8Array[];
  /** By the END of the block, as acknowledgments name it. */
  readonly ends: BlockEnds;
}

/** Ends of blocks, ascending within each database, and the row of each. */
interface BlockEnds {
  readonly high: Uint32Array;
  readonly low: Float64Array;
  readonly row: Uint32Array;
  /** Where each row's end is in this list. */
  readonly place: Uint32Array;
}

/** Whether a row is the first block of its VLF, which is at offset 16 (docs/contribute/model/attribution.md 2.1). */
export const startsVlf = ({ low }: Pick<BlockRows, "low">, row: number): boolean => low[row] === 16;

/** A finder of the block of an id in one database: its row. */
export const blockFinder = (rows: BlockIds, database: number): IdFinder =>
  new IdFinder(rows, ...rangeOf(rows, database));

/** A finder of the block that ends at an id in one database. */
export class EndFinder {
  readonly #ids: IdFinder;
  readonly #ends: BlockEnds;
  readonly #end: number;

  constructor(rows: BlockRows, database: number) {
    const [first, end] = rangeOf(rows, database);
    this.#ids = new IdFinder(rows.ends, first, end);
    this.#ends = rows.ends;
    this.#end = end;
  }

  /** Row of the last block that ends there; -1 without one. */
  rowOf(high: number, low: number): number {
    let at = this.#ids.indexOf(high, low);
    if (at < 0) return -1;
    const { high: highs, low: lows, row } = this.#ends;
    while (at + 1 < this.#end && highs[at + 1] === high && lows[at + 1] === low) at++;
    return row[at];
  }

  /** Whether a block ends there that is `wanted`. @param wanted by row: 1 for those that count */
  isEndOf(wanted: Uint8Array, high: number, low: number): boolean {
    let at = this.#ids.indexOf(high, low);
    if (at < 0) return false;
    const { high: highs, low: lows, row } = this.#ends;
    while (at < this.#end && highs[at] === high && lows[at] === low) if (wanted[row[at++]] === 1) return true;
    return false;
  }
}

/** Rows of a database: the first one and the end. */
export function rangeOf({ inOrder }: BlockIds, database: number): [first: number, end: number] {
  const rows = inOrder[database];
  return rows.length === 0 ? [0, 0] : [rows[0], rows[0] + rows.length];
}

/** Collects the blocks of the availability databases from all replicas. */
export function collectBlocks(servers: readonly Server[], databases: number): BlockRows {
  const exists = servers.map(({ instants, blocks }) => existingBlocks(instants, blocks.length));
  const existing = servers.map((server, s) => existingIds(server, exists[s], databases));
  const ids = rowsFor(Array.from({ length: databases }, (_, d) => existing.map((own) => own[d])));
  const rowsOf = servers.map((server) => rowsByIds(server, ids));
  const size = sizes(servers, rowsOf, ids);
  const seen = exists.map((own, s) => seenRows(ids.length, own, rowsOf[s]));
  return { ...ids, size, seen, ends: endsOf(ids, size) };
}

/** 1 for each own block that a server's events show to exist. */
function existingBlocks(instants: OwnInstants, blocks: number): Uint8Array {
  const all = new Uint8Array(blocks);
  for (const { from, exists } of instantsOf(instants, ["exists"])) all.set(exists, from);
  return all;
}

/** By database: the ids of the blocks that a server's events show to exist. */
function existingIds(
  { ids, blocks, databaseOfBlock }: Server,
  exists: Uint8Array,
  databases: number,
): UniqueIds[] {
  return Array.from({ length: databases }, (_, database) => {
    const own = keepRows(
      allRows(blocks.length),
      (block) => exists[block] === 1 && databaseOfBlock[block] === database,
    );
    const numbers = gatherUint32(blocks.id, own).sort();
    return { high: gatherUint32(ids.high, numbers), low: gatherUint32(ids.low, numbers) };
  });
}

/** Row of each of a server's own blocks by its id and database; -1 for none, and for a block without a database. */
function rowsByIds({ ids, blocks, databaseOfBlock }: Server, rows: BlockIds): Int32Array {
  const finders = rows.inOrder.map((_, d) => blockFinder(rows, d));
  const found = new Int32Array(blocks.length);
  for (let block = 0; block < found.length; block++) {
    const database = databaseOfBlock[block];
    const id = blocks.id[block];
    found[block] = database < 0 ? -1 : finders[database].indexOf(ids.high[id], ids.low[id]);
  }
  return found;
}

/** Rows for the blocks of all databases, one database after the other. @param ids by database and server */
function rowsFor(ids: readonly (readonly UniqueIds[])[]): BlockIds {
  const ofDatabase = ids.map((lists) => lists.reduce(mergedIds));
  const length = ofDatabase.reduce((sum, { high }) => sum + high.length, 0);
  const rows = {
    length,
    database: new Uint16Array(length),
    high: new Uint32Array(length),
    low: new Uint32Array(length),
  };
  const all = allRows(length);
  let first = 0;
  const inOrder = ofDatabase.map(({ high, low }, d) => {
    const end = first + high.length;
    rows.database.fill(d, first, end);
    rows.high.set(high, first);
    rows.low.set(low, first);
    const own = all.subarray(first, end);
    first = end;
    return own;
  });
  return { ...rows, inOrder };
}

/** 1 for each row of a block that a server's events show to exist. @param exists and `rowOf`: by own block */
function seenRows(rows: number, exists: Uint8Array, rowOf: Int32Array): Uint8Array {
  const seen = new Uint8Array(rows);
  for (let block = 0; block < rowOf.length; block++)
    if (rowOf[block] >= 0 && exists[block] === 1) seen[rowOf[block]] = 1;
  return seen;
}

/** From the capture event; else up to the next block of the VLF where that can be; else the uncompressed size. @param rowsOf by server and own block */
function sizes(servers: readonly Server[], rowsOf: readonly Int32Array[], ids: BlockIds): Float64Array {
  const size = new Float64Array(ids.length).fill(Number.NaN);
  const uncompressed = new Float64Array(ids.length).fill(Number.NaN);
  for (const [s, { instants }] of servers.entries()) {
    for (const range of instantsOf(instants, ["captured", "uncompressed"])) {
      const rowOf = rowsOf[s].subarray(range.from, range.from + range.length);
      putSizes(range.captured, rowOf, size);
      putSizes(range.uncompressed, rowOf, uncompressed);
    }
  }
  for (const rows of ids.inOrder) {
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (!Number.isNaN(size[row])) continue;
      const next = rows[k + 1];
      const follows = next !== undefined && ids.high[next] === ids.high[row];
      const distance = follows ? (ids.low[next] - ids.low[row]) * LOG_UNIT_BYTES : Number.NaN;
      size[row] = distance <= MOST_BLOCK_BYTES ? distance : uncompressed[row];
    }
  }
  return size;
}

function putSizes(sizeOf: Float64Array, rowOf: Int32Array, to: Float64Array): void {
  for (let block = 0; block < rowOf.length; block++)
    if (rowOf[block] >= 0 && !Number.isNaN(sizeOf[block])) to[rowOf[block]] = sizeOf[block];
}

/** END of a block's range in 512-byte units of its VLF; its own offset plus one unit when the size is unknown. */
export function endOffset(low: number, size: number): number {
  return low + (Number.isNaN(size) ? 1 : Math.ceil(size / LOG_UNIT_BYTES));
}

/**
 * A block that reaches beyond the next one's end, because its size is damaged, keeps its place in the order of the
 * ends.
 */
function endsOf({ length, high, low, inOrder }: BlockIds, size: Float64Array): BlockEnds {
  const ends = {
    high: high.slice(),
    low: new Float64Array(length),
    row: allRows(length),
    place: allRows(length),
  };
  for (let row = 0; row < length; row++) ends.low[row] = endOffset(low[row], size[row]);
  for (const rows of inOrder) {
    if (rows.length === 0) continue;
    const [first, end] = [rows[0], rows[0] + rows.length];
    const own = { high: ends.high.slice(first, end), low: ends.low.slice(first, end) };
    const order = ascendingOrder(own);
    for (let k = 0; k < order.length; k++) {
      ends.high[first + k] = own.high[order[k]];
      ends.low[first + k] = own.low[order[k]];
      ends.row[first + k] = first + order[k];
      ends.place[first + order[k]] = first + k;
    }
  }
  return ends;
}

/** Rows of a server's own blocks, -1 for none: where events name them by their beginning, and where they name an end. */
export interface RowsOfOwn {
  readonly byStart: Int32Array;
  readonly byEnd: Int32Array;
}

/**
 * Rows of a server's own blocks. A block without a database, such as those of send completes, takes the first database that has it; `attribute` of
 * the joins moves its events when several have it. An acknowledgment that ends at no block's end belongs to the last block it covers.
 */
export function rowsOfOwnBlocks({ ids, blocks, databaseOfBlock }: Server, rows: BlockRows): RowsOfOwn {
  const finders = rows.inOrder.map((_, d) => new RowFinder(rows, d));
  const byStart = new Int32Array(blocks.length).fill(-1);
  const byEnd = new Int32Array(blocks.length).fill(-1);
  for (let block = 0; block < blocks.length; block++) {
    const high = ids.high[blocks.id[block]];
    const low = ids.low[blocks.id[block]];
    if (high === 0 && low === 0) continue;
    const database = databaseOfBlock[block];
    if (database !== NO_DATABASE) {
      byStart[block] = finders[database].byStart(high, low);
      byEnd[block] = finders[database].byEnd(high, low);
      continue;
    }
    for (let d = finders.length - 1; d >= 0; d--) {
      byStart[block] = knownOr(finders[d].byStart(high, low), byStart[block]);
      byEnd[block] = knownOr(finders[d].endingAt(high, low), byEnd[block]);
    }
  }
  return { byStart, byEnd };
}

const knownOr = (row: number, otherwise: number): number => (row >= 0 ? row : otherwise);

/** Finds the rows of one database. */
class RowFinder {
  readonly #ids: IdFinder;
  readonly #ends: EndFinder;
  readonly #order: Uint32Array;

  constructor(rows: BlockRows, database: number) {
    this.#ids = blockFinder(rows, database);
    this.#ends = new EndFinder(rows, database);
    this.#order = rows.inOrder[database];
  }

  byStart(high: number, low: number): number {
    return this.#ids.indexOf(high, low);
  }

  /** Row of the last block that ends there; -1 without one. */
  endingAt(high: number, low: number): number {
    return this.#ends.rowOf(high, low);
  }

  /** Row of the block that ends there, else of the last one below an acknowledgment's id; -1 without one. */
  byEnd(high: number, low: number): number {
    const row = this.#ends.rowOf(high, low);
    return row >= 0 || this.#order.length === 0 ? row : this.#lastBelow(high, low);
  }

  #lastBelow(high: number, low: number): number {
    const order = this.#order;
    const from = this.#ids.firstAtOrAfter(high, low);
    // If its end is before the first or after the last block of the capture, the acknowledgment is for a block outside.
    return from === order[0] || from > order[order.length - 1] ? -1 : from - 1;
  }
}

/** Row of each single event of a server, -1 for an event of no block. */
export function rowsOfEvents(server: Server, rows: BlockRows, { byStart, byEnd }: RowsOfOwn): Int32Array {
  const { columns, blockOf } = server;
  const result = new Int32Array(columns.length);
  for (let i = 0; i < result.length; i++) {
    const block = blockOf[i];
    if (block < 0) result[i] = -1;
    else result[i] = NAMES_END[columns.kind[i]] === 1 ? byEnd[block] : byStart[block];
  }
  putAckSends(server, rows, result);
  return result;
}

/** Rows of the events that name no database themselves; `nameAckSends` sets it. */
function putAckSends(server: Server, rows: BlockRows, rowOf: Int32Array): void {
  const { rowsOf, ids, database } = server;
  const finders = rows.inOrder.map((_, d) => new RowFinder(rows, d));
  const sent = rowsOf.of(EventKind.ackSendComplete);
  for (let k = 0; k < sent.length; k++) {
    const i = sent[k];
    if (database[i] < 0) continue;
    const id = idOf(server, i);
    const high = ids.high[id];
    const low = ids.low[id];
    if (high !== 0 || low !== 0) rowOf[i] = finders[database[i]].byEnd(high, low);
  }
}
