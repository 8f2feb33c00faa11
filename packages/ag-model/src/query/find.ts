import { firstAtOrAfter } from "../numbers/index.ts";
import { formatLsn } from "../replication/shapes/identity.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** More blocks than databases share one LSN only in a capture of many databases. */
const MOST = 20;

/**
 * Finds blocks by an LSN in any form that a DBA may have: `00000022:00000167` (hexadecimal, a third part is the
 * record's slot and is ignored), `34:359` (decimal), or the log_block_id of an event, decimal or `0x` and hexadecimal.
 * Short parts are read both ways: hexadecimal matches are first. Empty for a text that is no LSN.
 */
export function findLsn(model: CaptureModel, text: string) {
  const rows = blockIdsOf(text).flatMap((id) => rowsOf(model, id));
  return { rows: [...new Set(rows)].slice(0, MOST).map((row) => place(model, row)) };
}

/** The first block that begins at or after an instant (µs from the origin), else the last one; empty without blocks. */
export function findBlockAt(model: CaptureModel, at: number) {
  const { length, time } = model.blocks;
  if (length === 0) return { rows: [] };
  return { rows: [place(model, Math.min(length - 1, firstAtOrAfter(time.subarray(0, length), at)))] };
}

function place({ blocks }: CaptureModel, row: number) {
  return {
    row,
    database: blocks.database[row],
    lsn: formatLsn(blocks.blockId[row]),
    time: blocks.time[row],
  };
}

function rowsOf({ blocks }: CaptureModel, id: bigint): number[] {
  const rows: number[] = [];
  for (let row = blocks.blockId.indexOf(id); row >= 0; row = blocks.blockId.indexOf(id, row + 1))
    rows.push(row);
  return rows;
}

const PARTS = /^(?:0x)?([0-9a-f]{1,10}):([0-9a-f]{1,10})(?::[0-9a-f]{1,8})?$/iu;
const MOST_DIGITS = 20;

function blockIdsOf(text: string): bigint[] {
  const trimmed = text.trim();
  const parts = PARTS.exec(trimmed);
  if (parts) {
    const [, vlf, offset] = parts;
    const decimal = /^\d+$/u.test(vlf + offset) && vlf.length < 8;
    return [blockId(`0x${vlf}`, `0x${offset}`), ...(decimal ? [blockId(vlf, offset)] : [])];
  }
  const whole = trimmed.length <= MOST_DIGITS && /^(?:\d+|0x[0-9a-f]{1,16})$/iu.test(trimmed);
  return whole ? [BigInt.asUintN(64, BigInt(trimmed))] : [];
}

const blockId = (vlf: string, offset: string): bigint =>
  BigInt.asUintN(64, (BigInt(vlf) << 32n) | BigInt.asUintN(32, BigInt(offset)));
