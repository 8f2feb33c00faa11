/** Rows of log blocks: which blocks the events speak of, their sizes, and the row of each event. */
import { EventKind, OTHER_EVENT } from "../events/index.ts";
import { allRows, gatherUint32 } from "../numbers/index.ts";
import { ascendingOrder, mergedIds, type UniqueIds } from "./ascending-ids.ts";
import { IdFinder } from "./block-finder.ts";
import { rowIn, rowInAny, rowsOfIds, type IdRows, type ListedIds } from "./id-rows.ts";
import { LOG_UNIT_BYTES } from "./identity.ts";
import { FOREIGN_DATABASE, NO_DATABASE, type Server } from "./server.ts";

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
  /** By the END of the block, as acknowledgements name it. */
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

  /** Row of the block that ends there, of several the last; -1 when there is none. */
  rowOf(high: number, low: number): number {
    let at = this.#ids.indexOf(high, low);
    if (at < 0) return -1;
    const { high: highs, low: lows, row } = this.#ends;
    while (at + 1 < this.#end && highs[at + 1] === high && lows[at + 1] === low) at++;
    return row[at];
  }
}

/** Rows of a database: the first one and the end. */
export function rangeOf({ inOrder }: BlockIds, database: number): [first: number, end: number] {
  const rows = inOrder[database];
  return rows.length === 0 ? [0, 0] : [rows[0], rows[0] + rows.length];
}

/** Kinds of which each event speaks of a block that exists (docs/model.md 2.4); of captures those of mode 2. */
const MAKES_BLOCK: readonly number[] = [
  EventKind.flushStart,
  EventKind.pushedToLogPool,
  EventKind.transportReceive,
  EventKind.capture,
];

/** Collects the blocks of the availability databases from all replicas. */
export function collectBlocks(servers: readonly Server[], databases: number): BlockRows {
  const ofServers = servers.map((server) => idsOf(server, databases));
  const ids = rowsFor(Array.from({ length: databases }, (_, d) => ofServers.map((own) => own[d])));
  const size = sizes(servers, ids);
  const seen = ofServers.map((own) => seenRows(ids, own));
  return { ...ids, size, seen, ends: endsOf(ids, size) };
}

/** The ids of which a server's events speak, by database. */
function idsOf({ ids, database, rowsOf, columns }: Server, databases: number): UniqueIds[] {
  const named = Array.from({ length: databases }, () => new Uint32Array((ids.high.length >>> 5) + 1));
  for (const kind of MAKES_BLOCK) {
    const isCapture = kind === EventKind.capture;
    const events = rowsOf.of(kind);
    for (let k = 0; k < events.length; k++) {
      const i = events[k];
      if (database[i] < 0 || (isCapture && columns.mode[i] !== 2)) continue;
      const number = ids.numberOf[i];
      named[database[i]][number >>> 5] |= 1 << (number & 31);
    }
  }
  return named.map((bits) => markedIds(ids, bits));
}

/** Those of a list of ids whose bit is set. */
function markedIds({ high, low }: UniqueIds, bits: Uint32Array): UniqueIds {
  const marked = new Uint32Array(high.length);
  let n = 0;
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]; left !== 0; left &= left - 1)
      marked[n++] = 32 * word + 31 - Math.clz32(left & -left);
  const own = marked.subarray(0, n);
  return { high: gatherUint32(high, own), low: gatherUint32(low, own) };
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

/** 1 for each row that one of a server's ids names. @param own by database */
function seenRows(ids: BlockIds, own: readonly UniqueIds[]): Uint8Array {
  const seen = new Uint8Array(ids.length);
  for (const [d, { high, low }] of own.entries()) {
    const finder = blockFinder(ids, d);
    for (let i = 0; i < high.length; i++) seen[finder.indexOf(high[i], low[i])] = 1;
  }
  return seen;
}

/** From the capture event; else up to the next block of the VLF; else the uncompressed size. */
function sizes(servers: readonly Server[], ids: BlockIds): Float64Array {
  const size = new Float64Array(ids.length).fill(Number.NaN);
  const uncompressed = new Float64Array(ids.length).fill(Number.NaN);
  for (const server of servers) {
    const { rowsOf } = server;
    const rows = rowsOfIds(server.ids, listed(ids));
    putSizes(server, rowsOf.of(EventKind.capture), rows, size);
    const packed = rowsOf.ofAny([EventKind.compression, EventKind.decompression]);
    putSizes(server, packed, rows, uncompressed);
  }
  for (const rows of ids.inOrder) {
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (!Number.isNaN(size[row])) continue;
      const next = rows[k + 1];
      const follows = next !== undefined && ids.high[next] === ids.high[row];
      size[row] = follows ? (ids.low[next] - ids.low[row]) * LOG_UNIT_BYTES : uncompressed[row];
    }
  }
  return size;
}

function putSizes(
  { columns, ids, database }: Server,
  events: Uint32Array,
  rows: IdRows,
  to: Float64Array,
): void {
  for (let k = 0; k < events.length; k++) {
    const i = events[k];
    if (Number.isNaN(columns.size[i]) || database[i] < 0) continue;
    const row = rowIn(rows, ids.numberOf[i], database[i]);
    if (row >= 0) to[row] = columns.size[i];
  }
}

/** The blocks' ids as a list to look them up in. */
const listed = (ids: BlockIds): ListedIds => ({ ...ids, row: allRows(ids.length) });

/** END of a block's range in 512-byte units of its VLF; its own offset plus one unit when the size is unknown. */
export function endOffset(low: number, size: number): number {
  return low + (Number.isNaN(size) ? 1 : Math.ceil(size / LOG_UNIT_BYTES));
}

/** A block that reaches beyond the next one's end, as a damaged size may say, has its place in the order of the ends. */
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

/** 1 for the three events whose log_block_id is the END of a range. */
const NAMES_END = new Uint8Array(OTHER_EVENT + 1);
NAMES_END[EventKind.receiveHarden] = 1;
NAMES_END[EventKind.sendHarden] = 1;
NAMES_END[EventKind.ackSendComplete] = 1;

/**
 * Row of each event of a server, -1 for an event of no block. Events that name no database (send completes) take the
 * first database that has the block; `attribute` of the joins moves them when several have it. An acknowledgement that
 * ends at no block's end belongs to the last block it covers.
 */
export function rowsOfEvents({ columns, ids, database }: Server, rows: BlockRows): Int32Array {
  const result = new Int32Array(columns.length);
  const byId = rowsOfIds(ids, listed(rows));
  const byEnd = rowsOfIds(ids, { ...rows.ends, database: rows.database });
  const finders = rows.inOrder.map((_, d) => blockFinder(rows, d));
  const isNone = ids.high[0] === 0 && ids.low[0] === 0 ? 0 : -1;
  for (let i = 0; i < result.length; i++) {
    const own = database[i];
    const number = ids.numberOf[i];
    if (own === FOREIGN_DATABASE || number === isNone) {
      result[i] = -1;
      continue;
    }
    const isEnd = NAMES_END[columns.kind[i]] === 1;
    const named = isEnd ? byEnd : byId;
    const row = own === NO_DATABASE ? rowInAny(named, number) : rowIn(named, number, own);
    const isWithin = row < 0 && isEnd && own >= 0;
    result[i] = isWithin
      ? lastBelow(rows.inOrder[own], finders[own], ids.high[number], ids.low[number])
      : row;
  }
  return result;
}

/** The block with the largest id below an acknowledgement's; -1 when there is none. */
function lastBelow(order: Uint32Array, finder: IdFinder, high: number, low: number): number {
  if (order.length === 0) return -1;
  const from = finder.firstAtOrAfter(high, low);
  // Before the first or after the last block of the capture the acknowledgement is of a block that is not in it.
  return from === order[0] || from > order[order.length - 1] ? -1 : from - 1;
}
