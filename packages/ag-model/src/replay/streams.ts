/**
 * Maps each column of a model to its replica, for every log block. Only this file of the folder looks up replicas,
 * hops, commit modes and primaries; all others work on streams.
 */
import { perModel } from "../columns/index.ts";
import { gatherFloat64, gatherUint32 } from "../numbers/index.ts";
import { ascendingOrder, idsOfRows } from "../replication/prepare/ascending-ids.ts";
import { wordsOf } from "../replication/prepare/event-ids.ts";
import {
  replicaOfSlot,
  type BlockTable,
  type CaptureModel,
  type CommitMode,
  type HopTable,
} from "../replication/index.ts";

/** One secondary of a stream. */
export interface StreamHop {
  /** Index into `CaptureModel.replicas`. */
  readonly replica: number;
  /** Place in the gate columns, as `Gate.ofSecondary` takes it, and in `CaptureModel.hops`. */
  readonly slot: number;
  readonly mode: CommitMode;
  readonly table: HopTable;
}

/** The log blocks of one availability database under one primary, in the order of the log. */
export interface Stream {
  readonly database: number;
  /** Index into `CaptureModel.phases`. */
  readonly phase: number;
  /** Index into `CaptureModel.replicas`. */
  readonly primary: number;
  /** Rows of `blocks`, ascending log_block_id. */
  readonly rows: Uint32Array;
  /** True where these are all rows in their order: the only database of a capture with one primary. */
  readonly isComplete: boolean;
  /** Secondaries to which at least one block of the stream was sent. */
  readonly hops: readonly StreamHop[];
  readonly blocks: BlockTable;
}

/** The streams of a capture, by phase and database. */
export const streamsOf = perModel((model: CaptureModel): readonly Stream[] => {
  const words = wordsOf(model.blocks.blockId);
  return model.phases.flatMap(({ databases, primary, commitModes }, phase) =>
    databases.map((database): Stream => {
      const own = rowsOf(model.blocks, phase, database);
      const rows = inLogOrder(words, own);
      const hops = model.hops.flatMap((table, slot): StreamHop[] => {
        const mode = commitModes[slot] ?? null;
        return mode === null || !wasSent(table, rows)
          ? []
          : [{ replica: replicaOfSlot(primary, slot), slot, mode, table }];
      });
      const isComplete = rows === own && rows.length === model.blocks.length;
      return { database, phase, primary, rows, isComplete, hops, blocks: model.blocks };
    }),
  );
});

/**
 * A column of the block or hop table by position in `Stream.rows`. A stream of all blocks of its capture returns the
 * column itself, which is read-only.
 */
export const columnOf = (stream: Stream, column: Float64Array): Float64Array =>
  stream.isComplete ? column : gatherFloat64(column, stream.rows);

function rowsOf({ length, phase, database }: BlockTable, inPhase: number, wanted: number): Uint32Array {
  const rows = new Uint32Array(length);
  let n = 0;
  for (let row = 0; row < length; row++)
    if (phase[row] === inPhase && database[row] === wanted) rows[n++] = row;
  return rows.subarray(0, n);
}

/**
 * Rows by ascending log_block_id; returned unchanged where they are in that order, as those of one database nearly
 * always are.
 */
function inLogOrder(words: Uint32Array, rows: Uint32Array): Uint32Array {
  for (let i = 1; i < rows.length; i++)
    if (isBefore(words, rows[i], rows[i - 1]))
      return gatherUint32(rows, ascendingOrder(idsOfRows(words, rows)));
  return rows;
}

function isBefore(words: Uint32Array, row: number, other: number): boolean {
  const high = words[2 * row + 1];
  const otherHigh = words[2 * other + 1];
  return high < otherHigh || (high === otherHigh && words[2 * row] < words[2 * other]);
}

function wasSent({ sendStart, ackProcessed }: HopTable, rows: Uint32Array): boolean {
  for (let i = 0; i < rows.length; i++)
    if (!Number.isNaN(sendStart[rows[i]] + ackProcessed[rows[i]])) return true;
  return false;
}
