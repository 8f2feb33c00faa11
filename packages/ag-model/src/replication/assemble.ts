/** Turns joined columns into the tables of the model: rows by time, times relative to the capture's start. */
import { largest } from "../numbers/index.ts";
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
  const order = Uint32Array.from({ length: rows.length }, (_, i) => i);
  order.sort((a, b) => time[a] - time[b] || rows.high[a] - rows.high[b] || rows.low[a] - rows.low[b]);
  const newRow = new Int32Array(rows.length);
  for (let i = 0; i < order.length; i++) newRow[order[i]] = i;
  const perBlock = commitsPerBlock(rows.length, commits, gates);
  const times = (column: Float64Array, start: number): Float64Array =>
    Float64Array.from(order, (row) => column[row] - start);
  const shifted = (start: number): Omit<BlockTable, "eventStart"> => {
    return {
      ...recordOf(LOCAL_ANCHORS, (name) => times(local.at[name], start)),
      length: rows.length,
      database: Uint16Array.from(order, (row) => rows.database[row]),
      phase: Uint16Array.from(order, (row) => phaseOf[row]),
      blockId: BigUint64Array.from(order, (row) => (BigInt(rows.high[row]) << 32n) | BigInt(rows.low[row])),
      size: Float64Array.from(order, (row) => rows.size[row]),
      time: times(time, start),
      timeEnd: times(timeEnd, start),
      commits: Uint16Array.from(order, (row) => perBlock.count[row]),
      gate: Uint8Array.from(order, (row) => perBlock.gate[row]),
      vlfStart: Uint8Array.from(order, (row) => vlfStart[row]),
      uncertainty: Float64Array.from(order, (row) => uncertainty[row]),
      obtained: Uint32Array.from(order, (row) => local.obtained[row]),
    };
  };
  return { order, newRow, first: time[order[0]], last: largest(timeEnd), commits: perBlock.count, shifted };
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
  const gather = (column: Float64Array, by: number): Float64Array =>
    Float64Array.from(order, (row) => column[row] - by);
  return {
    ...recordOf(HOP_ANCHORS, (name) => gather(hop.at[name], start)),
    compression: gather(hop.compression, 0),
    decompression: gather(hop.decompression, 0),
    uncertainty: gather(uncertainty, 0),
    obtained: Uint32Array.from(order, (row) => hop.obtained[row]),
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
  for (const rows of eventRows) for (const row of rows) if (row >= 0) eventStart[newRow[row] + 1]++;
  for (let i = 0; i < newRow.length; i++) eventStart[i + 1] += eventStart[i];
  const length = eventStart[newRow.length];
  const filled = {
    file: new Uint16Array(length),
    offset: new Float64Array(length),
    fire: new Float64Array(length),
  };
  const next = eventStart.slice();
  for (const [s, rows] of eventRows.entries()) {
    const { columns } = servers[s];
    for (let i = 0; i < rows.length; i++) {
      if (rows[i] < 0) continue;
      const at = next[newRow[rows[i]]]++;
      filled.file[at] = fileBase[s] + columns.file[i];
      filled.offset[at] = columns.offset[i];
      filled.fire[at] = fires[s][i] - start;
    }
  }
  const order = Uint32Array.from({ length }, (_, i) => i);
  for (let i = 0; i < newRow.length; i++) {
    order.subarray(eventStart[i], eventStart[i + 1]).sort((a, b) => filled.fire[a] - filled.fire[b]);
  }
  const index = {
    length,
    file: Uint16Array.from(order, (i) => filled.file[i]),
    offset: Float64Array.from(order, (i) => filled.offset[i]),
    fire: Float64Array.from(order, (i) => filled.fire[i]),
  };
  return { index, eventStart };
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
