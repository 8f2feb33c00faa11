/** Turns joined columns into the tables of the model: rows by time, times relative to the capture's start. */
import {
  allRows,
  gatherFloat64,
  gatherUint16,
  gatherUint32,
  gatherUint8,
  largest,
  sortRows,
} from "../numbers/index.ts";
import type { BlockRows } from "./blocks.ts";
import type { Commits } from "./commits.ts";
import type { Anchors, HopAnchors } from "./anchor-columns.ts";
import type { Joined } from "./join.ts";
import type { Server } from "./server.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  type BlockTable,
  type EventIndex,
  type HopTable,
} from "./tables.ts";

export interface AssembledBlocks {
  /** Old row by new row, and new row by old row. */
  readonly order: Uint32Array;
  readonly newRow: Int32Array;
  /** Earliest and latest instant of any block. */
  readonly first: number;
  readonly last: number;
  /** Commits by old row. */
  readonly commits: Uint16Array;
  /** The table with times relative to `start`. */
  readonly shifted: (start: number) => Omit<BlockTable, "eventStart">;
}

/** Orders blocks by time and gathers their columns. */
export function assembleBlocks(
  { rows, phaseOf, local, hops }: Pick<Joined, "rows" | "phaseOf" | "local" | "hops">,
  uncertainty: Float64Array,
  commits: Commits,
  gates: Uint8Array,
  vlfStart: Uint8Array,
): AssembledBlocks {
  const { time, timeEnd } = extent(rows.length, [local, ...hops]);
  const order = inTime(rows, time);
  const newRow = new Int32Array(rows.length);
  for (let i = 0; i < order.length; i++) newRow[order[i]] = i;
  const perBlock = commitsPerBlock(rows.length, commits, gates);
  const shifted = (start: number): Omit<BlockTable, "eventStart"> => {
    return {
      ...recordOf(LOCAL_ANCHORS, (name) => gatherTimes(local.at[name], order, start)),
      length: rows.length,
      database: gatherUint16(rows.database, order),
      phase: gatherUint16(phaseOf, order),
      blockId: blockIds(rows, order),
      size: gatherFloat64(rows.size, order),
      time: gatherTimes(time, order, start),
      timeEnd: gatherTimes(timeEnd, order, start),
      commits: gatherUint16(perBlock.count, order),
      gate: gatherUint8(perBlock.gate, order),
      vlfStart: gatherUint8(vlfStart, order),
      uncertainty: gatherFloat64(uncertainty, order),
      obtained: gatherUint32(local.obtained, order),
    };
  };
  return { order, newRow, first: time[order[0]], last: largest(timeEnd), commits: perBlock.count, shifted };
}

/** Rows by their time; rows of one instant by their ids, which is the order they have in each database. */
function inTime({ high, low }: BlockRows, time: Float64Array): Uint32Array {
  const order = sortRows(allRows(time.length), time);
  for (let from = 0; from < order.length;) {
    let end = from + 1;
    while (end < order.length && time[order[end]] === time[order[from]]) end++;
    if (end - from > 1) order.subarray(from, end).sort((a, b) => high[a] - high[b] || low[a] - low[b]);
    from = end;
  }
  return order;
}

function gatherTimes(column: Float64Array, rows: Uint32Array, start: number): Float64Array {
  const gathered = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]] - start;
  return gathered;
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
function commitsPerBlock(
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

/** A hop's columns in the order of the blocks, times relative to `start`. */
export function assembleHop(
  hop: HopAnchors,
  uncertainty: Float64Array,
  order: Uint32Array,
  start: number,
): HopTable {
  return {
    ...recordOf(HOP_ANCHORS, (name) => gatherTimes(hop.at[name], order, start)),
    compression: gatherFloat64(hop.compression, order),
    decompression: gatherFloat64(hop.decompression, order),
    uncertainty: gatherFloat64(uncertainty, order),
    obtained: gatherUint32(hop.obtained, order),
  };
}

/** Index of events by block, each block's in fire order. */
export function assembleEvents(
  servers: readonly Server[],
  eventRows: readonly Int32Array[],
  fires: readonly Float64Array[],
  newRow: Int32Array,
  fileBase: readonly number[],
  start: number,
): { index: EventIndex; eventStart: Uint32Array } {
  const eventStart = new Uint32Array(newRow.length + 1);
  for (const rows of eventRows)
    for (let i = 0; i < rows.length; i++) if (rows[i] >= 0) eventStart[newRow[rows[i]] + 1]++;
  for (let i = 0; i < newRow.length; i++) eventStart[i + 1] += eventStart[i];
  const length = eventStart[newRow.length];
  const index = {
    length,
    file: new Uint16Array(length),
    offset: new Float64Array(length),
    fire: new Float64Array(length),
  };
  const next = eventStart.slice();
  for (const [s, rows] of eventRows.entries())
    insertEvents(index, eventStart, next, rows, newRow, {
      file: servers[s].places.file,
      fileBase: fileBase[s],
      offset: servers[s].places.offset,
      fire: fires[s],
      start,
    });
  for (let i = 0; i < newRow.length; i++)
    if (eventStart[i + 1] - eventStart[i] > MOST_INSERTED)
      sortEvents(index, eventStart[i], eventStart[i + 1]);
  return { index, eventStart };
}

/** Events of one block up to which each is moved to its place; a block of many more, as no server makes, is sorted afterwards. */
const MOST_INSERTED = 10_000;

/** Puts the events from index `from` up to `end` in fire order. */
function sortEvents({ file, offset, fire }: EventIndex, from: number, end: number): void {
  const order = sortRows(allRows(end - from), fire.subarray(from, end));
  file.set(gatherUint16(file.subarray(from, end), order), from);
  offset.set(gatherFloat64(offset.subarray(from, end), order), from);
  fire.set(gatherFloat64(fire.subarray(from, end), order), from);
}

interface EventPlaces {
  readonly file: Uint16Array;
  readonly fileBase: number;
  readonly offset: Float64Array;
  readonly fire: Float64Array;
  readonly start: number;
}

/** Puts each event of a server behind those of its block that fired before it. An instant that is not known keeps its place. */
function insertEvents(
  { file, offset, fire }: EventIndex,
  first: Uint32Array,
  next: Uint32Array,
  rows: Int32Array,
  newRow: Int32Array,
  from: EventPlaces,
): void {
  for (let i = 0; i < rows.length; i++) {
    if (rows[i] < 0) continue;
    const block = newRow[rows[i]];
    const fired = from.fire[i] - from.start;
    let at = next[block]++;
    const isInserted = first[block + 1] - first[block] <= MOST_INSERTED;
    for (; isInserted && at > first[block] && fire[at - 1] > fired; at--) {
      fire[at] = fire[at - 1];
      file[at] = file[at - 1];
      offset[at] = offset[at - 1];
    }
    fire[at] = fired;
    file[at] = from.fileBase + from.file[i];
    offset[at] = from.offset[i];
  }
}

/** The index of no events for a number of blocks. */
export function noEvents(blocks: number): { index: EventIndex; eventStart: Uint32Array } {
  const index = {
    length: 0,
    file: new Uint16Array(0),
    offset: new Float64Array(0),
    fire: new Float64Array(0),
  };
  return { index, eventStart: new Uint32Array(blocks + 1) };
}
