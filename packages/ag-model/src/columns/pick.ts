/** Rows of the model's tables picked out as tables of their own. */
import { pickRows } from "./rows-in-range.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  type BlockTable,
  type HopTable,
} from "../replication/tables.ts";

/** The rows of a block table that are asked for, in that order. */
export function pickBlocks(blocks: BlockTable, rows: Uint32Array): BlockTable {
  return {
    ...recordOf(LOCAL_ANCHORS, (name) => pickRows(blocks[name], rows)),
    length: rows.length,
    database: Uint16Array.from(rows, (row) => blocks.database[row]),
    phase: Uint16Array.from(rows, (row) => blocks.phase[row]),
    blockId: BigUint64Array.from({ length: rows.length }, (_, i) => blocks.blockId[rows[i]]),
    size: pickRows(blocks.size, rows),
    time: pickRows(blocks.time, rows),
    timeEnd: pickRows(blocks.timeEnd, rows),
    commits: Uint16Array.from(rows, (row) => blocks.commits[row]),
    gate: Uint8Array.from(rows, (row) => blocks.gate[row]),
    vlfStart: Uint8Array.from(rows, (row) => blocks.vlfStart[row]),
    uncertainty: pickRows(blocks.uncertainty, rows),
    obtained: rows.map((row) => blocks.obtained[row]),
  };
}

/** The rows of a hop table that are asked for, in that order. */
export function pickHops(hop: HopTable, rows: Uint32Array): HopTable {
  return {
    ...recordOf(HOP_ANCHORS, (name) => pickRows(hop[name], rows)),
    compression: pickRows(hop.compression, rows),
    decompression: pickRows(hop.decompression, rows),
    uncertainty: pickRows(hop.uncertainty, rows),
    obtained: rows.map((row) => hop.obtained[row]),
  };
}
