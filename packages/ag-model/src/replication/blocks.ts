/** Rows of log blocks: which blocks the events speak of, their sizes, and the row of each event. */
import { firstIndexWhere } from "../numbers/index.ts";
import { EventKind } from "../events/index.ts";
import { BlockMap } from "./block-map.ts";
import { LOG_UNIT_BYTES } from "./identity.ts";
import { FOREIGN_DATABASE, NO_DATABASE, type Server } from "./server.ts";

/** Row numbers by database and log_block_id; -1 where there is none. */
export class BlockLookup {
  readonly #byDatabase: BlockMap<number>[] = [];

  get(database: number, high: number, low: number): number {
    return this.#byDatabase[database]?.get(high, low) ?? -1;
  }

  set(database: number, high: number, low: number, row: number): void {
    (this.#byDatabase[database] ??= new BlockMap<number>()).set(high, low, row);
  }
}

export interface BlockRows {
  readonly length: number;
  readonly database: Uint16Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Bytes; NaN when no event has it. */
  readonly size: Float64Array;
  /** 1 where server s saw the block: seen[s][row]. */
  readonly seen: readonly Uint8Array[];
  /** Rows of each database in ascending order of block id. */
  readonly inOrder: readonly Uint32Array[];
  readonly byId: BlockLookup;
  /** By the END of the block, as acknowledgements name it. */
  readonly byEnd: BlockLookup;
}

/** A block exists when one of these events speaks of it (docs/model.md 2.4). */
function makesBlock(kind: number, mode: number): boolean {
  return (
    kind === EventKind.flushStart ||
    kind === EventKind.pushedToLogPool ||
    kind === EventKind.transportReceive ||
    (kind === EventKind.capture && mode === 2)
  );
}

/** Collects the blocks of the availability databases from all replicas. */
export function collectBlocks(servers: readonly Server[], databases: number): BlockRows {
  const byId = new BlockLookup();
  const database: number[] = [];
  const high: number[] = [];
  const low: number[] = [];
  const seenRows: number[][] = servers.map(() => []);
  for (const [s, server] of servers.entries()) {
    const { columns, words } = server;
    for (let i = 0; i < columns.length; i++) {
      if (server.database[i] < 0 || !makesBlock(columns.kind[i], columns.mode[i])) continue;
      const hi = words[2 * i + 1];
      const lo = words[2 * i];
      let row = byId.get(server.database[i], hi, lo);
      if (row < 0) {
        row = database.push(server.database[i]) - 1;
        high.push(hi);
        low.push(lo);
        byId.set(server.database[i], hi, lo, row);
      }
      seenRows[s].push(row);
    }
  }
  const length = database.length;
  const rows = {
    length,
    database: Uint16Array.from(database),
    high: Uint32Array.from(high),
    low: Uint32Array.from(low),
  };
  const seen = seenRows.map((list) => {
    const flags = new Uint8Array(length);
    for (const row of list) flags[row] = 1;
    return flags;
  });
  const inOrder = Array.from({ length: databases }, (_, d) => orderOf(rows, d));
  const size = sizes(servers, rows, byId, inOrder);
  return { ...rows, size, seen, inOrder, byId, byEnd: endLookup(rows, size) };
}

type Ids = Pick<BlockRows, "length" | "database" | "high" | "low">;

function orderOf({ length, database, high, low }: Ids, wanted: number): Uint32Array {
  const rows = Uint32Array.from({ length }, (_, i) => i).filter((i) => database[i] === wanted);
  return rows.sort((a, b) => high[a] - high[b] || low[a] - low[b]);
}

/** From the capture event; else up to the next block of the VLF; else the uncompressed size. */
function sizes(
  servers: readonly Server[],
  ids: Ids,
  byId: BlockLookup,
  inOrder: readonly Uint32Array[],
): Float64Array {
  const size = new Float64Array(ids.length).fill(Number.NaN);
  const uncompressed = new Float64Array(ids.length).fill(Number.NaN);
  for (const { columns, words, database } of servers) {
    for (let i = 0; i < columns.length; i++) {
      if (Number.isNaN(columns.size[i]) || database[i] < 0) continue;
      const row = byId.get(database[i], words[2 * i + 1], words[2 * i]);
      if (row >= 0) (columns.kind[i] === EventKind.capture ? size : uncompressed)[row] = columns.size[i];
    }
  }
  for (const rows of inOrder) {
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

/** END of a block's range in 512-byte units of its VLF; its own offset plus one unit when the size is unknown. */
export function endOffset(low: number, size: number): number {
  return low + (Number.isNaN(size) ? 1 : Math.ceil(size / LOG_UNIT_BYTES));
}

function endLookup({ length, database, high, low }: Ids, size: Float64Array): BlockLookup {
  const byEnd = new BlockLookup();
  for (let row = 0; row < length; row++)
    byEnd.set(database[row], high[row], endOffset(low[row], size[row]), row);
  return byEnd;
}

/** The three events whose log_block_id is the END of a range. */
const NAMES_END: readonly number[] = [
  EventKind.receiveHarden,
  EventKind.sendHarden,
  EventKind.ackSendComplete,
];

/**
 * Row of each event of a server, -1 for an event of no block. Events that name no database (send completes) take the
 * first database that has the block; `attribute` of the joins moves them when several have it. An acknowledgement that
 * ends at no block's end belongs to the last block it covers.
 */
export function rowsOfEvents(server: Server, rows: BlockRows): Int32Array {
  const { columns, words, database } = server;
  const result = new Int32Array(columns.length).fill(-1);
  for (let i = 0; i < columns.length; i++) {
    if (database[i] === FOREIGN_DATABASE || (words[2 * i] === 0 && words[2 * i + 1] === 0)) continue;
    const ends = NAMES_END.includes(columns.kind[i]);
    result[i] = rowOf(rows, ends, database[i], words[2 * i + 1], words[2 * i]);
  }
  return result;
}

function rowOf(rows: BlockRows, ends: boolean, database: number, high: number, low: number): number {
  const lookup = ends ? rows.byEnd : rows.byId;
  if (database === NO_DATABASE) {
    for (let d = 0; d < rows.inOrder.length; d++) {
      const row = lookup.get(d, high, low);
      if (row >= 0) return row;
    }
    return -1;
  }
  const row = lookup.get(database, high, low);
  return row < 0 && ends ? lastBelow(rows, database, high, low) : row;
}

/** The block with the largest id below an acknowledgement's; -1 when there is none. */
function lastBelow(
  { inOrder, high, low }: BlockRows,
  database: number,
  ackHigh: number,
  ackLow: number,
): number {
  const order = inOrder[database];
  const from = firstIndexWhere(order.length, (k) => {
    const row = order[k];
    return high[row] > ackHigh || (high[row] === ackHigh && low[row] >= ackLow);
  });
  // Before the first or after the last block of the capture the acknowledgement is of a block that is not in it.
  return from === 0 || from === order.length ? -1 : order[from - 1];
}
