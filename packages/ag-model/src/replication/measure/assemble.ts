/** Turns joined columns into the tables of the model: rows by time, times relative to the capture's start. */
import {
  allRows,
  firstIndexWhere,
  gatherUint16,
  gatherUint32,
  gatherUint8,
  largest,
  sortRows,
} from "../../numbers/index.ts";
import { startsVlf, type BlockRows } from "../join/blocks.ts";
import type { Commits } from "../join/commits.ts";
import { unknownColumn, type Anchors, type HopAnchors } from "../shapes/anchor-columns.ts";
import type { Joined } from "../join/join.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  WRITE_PARTS,
  type BlockTable,
  type HopTable,
} from "../shapes/tables.ts";

/** Blocks in the order of their times, on the capture's clock. */
export interface BlockOrder {
  /** Old row by new row, and new row by old row: -1 for a block without a known instant, which has no place in time. */
  readonly order: Uint32Array;
  readonly newRow: Int32Array;
  /** Earliest and latest instant of each block, by old row, µs; valid until they are put in the table's order. */
  readonly time: Float64Array;
  readonly timeEnd: Float64Array;
  /** Earliest and latest instant of any block, µs. */
  readonly first: number;
  readonly last: number;
}

/** Orders blocks by time. */
export function orderBlocks({ rows, local, hops }: Pick<Joined, "rows" | "local" | "hops">): BlockOrder {
  const { time, timeEnd } = extent(rows.length, [local, ...hops]);
  const order = inTime(rows, time);
  const newRow = new Int32Array(rows.length).fill(-1);
  for (let i = 0; i < order.length; i++) newRow[order[i]] = i;
  return { order, newRow, time, timeEnd, first: time[order[0]], last: largest(timeEnd) };
}

/** Columns of a block table in addition to the joined columns, by old row. */
interface BlockExtras {
  readonly perBlock: ReturnType<typeof commitsPerBlock>;
  readonly uncertainty: Float64Array;
}

/** The blocks in their order, times relative to `start`; overwrites the joined columns. */
export function blockTable(
  { rows, phaseOf, local }: Pick<Joined, "rows" | "phaseOf" | "local">,
  { order, time, timeEnd }: BlockOrder,
  { perBlock, uncertainty }: BlockExtras,
  inOrder: TableOrder,
  start: number,
): BlockTable {
  // Computed from sizes, whose memory another column reuses below.
  const vlfStart = vlfStarts(rows);
  return {
    ...recordOf(LOCAL_ANCHORS, (name) => inOrder.values(local.at[name], start)),
    ...recordOf(WRITE_PARTS, (name) => inOrder.values(local[name])),
    length: order.length,
    database: gatherUint16(rows.database, order),
    phase: gatherUint16(phaseOf, order),
    blockId: blockIds(rows, order),
    size: inOrder.values(rows.size),
    time: inOrder.values(time, start),
    timeEnd: inOrder.values(timeEnd, start),
    commits: gatherUint16(perBlock.count, order),
    gate: gatherUint8(perBlock.gate, order),
    vlfStart: gatherUint8(vlfStart, order),
    uncertainty: inOrder.values(uncertainty),
    obtained: gatherUint32(local.obtained, order),
  };
}

function vlfStarts(rows: BlockRows): Uint8Array {
  const starts = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) if (startsVlf(rows, row)) starts[row] = 1;
  return starts;
}

/** Rows with a time, ordered by it; rows of one instant by their ids, which is the order they have in each database. */
function inTime({ high, low }: BlockRows, time: Float64Array): Uint32Array {
  const all = sortRows(allRows(time.length), time);
  const order = all.subarray(
    0,
    firstIndexWhere(all.length, (i) => time[all[i]] === Infinity),
  );
  for (let from = 0; from < order.length;) {
    let end = from + 1;
    while (end < order.length && time[order[end]] === time[order[from]]) end++;
    if (end - from > 1) order.subarray(from, end).sort((a, b) => high[a] - high[b] || low[a] - low[b]);
    from = end;
  }
  return order;
}

/**
 * Puts columns in the order of the tables, each into the memory of the one before it, which is no longer needed: only
 * one of the forty columns that a capture has by block is in memory twice.
 */
export class TableOrder {
  readonly #order: Uint32Array;
  #spare: Float64Array;
  #unknown: Float64Array | null = null;

  constructor(order: Uint32Array) {
    this.#order = order;
    this.#spare = new Float64Array(order.length);
  }

  /** Returns the values minus `start`. All columns without rows share one array of NaN. */
  values(column: Float64Array, start = 0): Float64Array {
    const order = this.#order;
    if (column.length === 0) return (this.#unknown ??= unknownColumn(order.length));
    // A column has more rows than the table where the table has no place for some blocks.
    const to = this.#spare.length === order.length ? this.#spare : this.#spare.slice(0, order.length);
    for (let i = 0; i < order.length; i++) to[i] = column[order[i]] - start;
    this.#spare = column;
    return to;
  }
}

/** The ids as 64-bit numbers, written as their two words (little endian). */
function blockIds({ high, low }: BlockRows, rows: Uint32Array): BigUint64Array {
  const ids = new BigUint64Array(rows.length);
  const words = new Uint32Array(ids.buffer);
  for (let i = 0; i < rows.length; i++) {
    words[2 * i] = low[rows[i]];
    words[2 * i + 1] = high[rows[i]];
  }
  return ids;
}

function extent(n: number, all: readonly Anchors<string>[]): { time: Float64Array; timeEnd: Float64Array } {
  const time = new Float64Array(n).fill(Infinity);
  const timeEnd = new Float64Array(n).fill(-Infinity);
  for (const { at } of all) {
    for (const column of Object.values(at)) {
      for (let row = 0; row < n; row++) {
        if (column[row] < time[row]) time[row] = column[row];
        if (column[row] > timeEnd[row]) timeEnd[row] = column[row];
      }
    }
  }
  return { time, timeEnd };
}

/** Commits of each block, and the gate of the one that ended last. */
export function commitsPerBlock(
  n: number,
  commits: Commits,
  gates: Uint8Array,
): { count: Uint16Array; gate: Uint8Array } {
  const count = new Uint16Array(n);
  const gate = new Uint8Array(n);
  const end = new Float64Array(n).fill(-Infinity);
  for (let c = 0; c < commits.length; c++) {
    const row = commits.block[c];
    if (row < 0) continue;
    count[row]++;
    if (commits.end[c] < end[row]) continue;
    end[row] = commits.end[c];
    gate[row] = gates[c];
  }
  return { count, gate };
}

/** A hop's columns in the order of the blocks, times relative to `start`; overwrites the joined columns. */
export function hopTable(
  hop: HopAnchors,
  uncertainty: Float64Array,
  order: Uint32Array,
  inOrder: TableOrder,
  start: number,
): HopTable {
  return {
    ...recordOf(HOP_ANCHORS, (name) => inOrder.values(hop.at[name], start)),
    ...recordOf(WRITE_PARTS, (name) => inOrder.values(hop[name])),
    compression: inOrder.values(hop.compression),
    decompression: inOrder.values(hop.decompression),
    uncertainty: inOrder.values(uncertainty),
    obtained: gatherUint32(hop.obtained, order),
  };
}
