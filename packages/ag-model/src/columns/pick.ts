/** Rows of the model's tables picked out as tables of their own. */
import {
  gatherBigUint64,
  gatherFloat64,
  gatherUint16,
  gatherUint32,
  gatherUint8,
} from "../numbers/gather.ts";
import {
  HOP_ANCHORS,
  CLIENT_COLUMNS,
  LOCAL_ANCHORS,
  recordOf,
  WRITE_PARTS,
  type BlockTable,
  type CommitTable,
  type HopTable,
} from "../replication/shapes/tables.ts";

/** The requested rows of a block table, in that order. */
export function pickBlocks(blocks: BlockTable, rows: Uint32Array): BlockTable {
  return {
    ...recordOf([...LOCAL_ANCHORS, ...WRITE_PARTS], (name) => gatherFloat64(blocks[name], rows)),
    length: rows.length,
    database: gatherUint16(blocks.database, rows),
    phase: gatherUint16(blocks.phase, rows),
    blockId: gatherBigUint64(blocks.blockId, rows),
    size: gatherFloat64(blocks.size, rows),
    time: gatherFloat64(blocks.time, rows),
    timeEnd: gatherFloat64(blocks.timeEnd, rows),
    commits: gatherUint16(blocks.commits, rows),
    gate: gatherUint8(blocks.gate, rows),
    vlfStart: gatherUint8(blocks.vlfStart, rows),
    uncertainty: gatherFloat64(blocks.uncertainty, rows),
    obtained: gatherUint32(blocks.obtained, rows),
  };
}

/** The requested rows of a hop table, in that order. */
export function pickHops(hop: HopTable, rows: Uint32Array): HopTable {
  return {
    ...recordOf([...HOP_ANCHORS, ...WRITE_PARTS], (name) => gatherFloat64(hop[name], rows)),
    compression: gatherFloat64(hop.compression, rows),
    decompression: gatherFloat64(hop.decompression, rows),
    uncertainty: gatherFloat64(hop.uncertainty, rows),
    obtained: gatherUint32(hop.obtained, rows),
  };
}

/** The columns of clients that the commits have, of the requested rows. */
export const pickClientColumns = (
  commits: CommitTable,
  rows: Uint32Array,
): Pick<CommitTable, (typeof CLIENT_COLUMNS)[number]> =>
  Object.fromEntries(
    CLIENT_COLUMNS.flatMap((name) => {
      const column = commits[name];
      return column === undefined ? [] : [[name, gatherUint16(column, rows)]];
    }),
  );
