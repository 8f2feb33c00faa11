/**
 * Tables on the wire: Apache Arrow IPC streams, the same bytes the API stores and a user can open in pandas or DuckDB.
 * One Arrow table holds blocks with each secondary's hop columns beside them, named `hop0.sendStart`.
 */
import type { BlockTable, CommitTable, HopTable, MarkerTable } from "../replication/tables.ts";

/** Blocks in a range of time, in columns; `row` is each block's row number in the whole capture. */
export interface BlockWindow {
  readonly detail: "blocks";
  readonly from: number;
  readonly to: number;
  readonly row: Uint32Array;
  readonly blocks: Omit<BlockTable, "eventStart">;
  readonly hops: readonly HopTable[];
}

/** What remains when a range holds more blocks than asked for: per equal-width bin, the maximum and median of each lane. */
export interface BinWindow {
  readonly detail: "bins";
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** Blocks per bin. */
  readonly count: Uint32Array;
  /** Row of the slowest block of the bin (largest commit, else remote harden); 0xffffffff when empty. */
  readonly slowest: Uint32Array;
  /** µs by lane key: a stage id of the primary, or `hop0.<stage id>`; `commit` for the commits. NaN when empty. */
  readonly max: Readonly<Record<string, Float64Array>>;
  readonly p50: Readonly<Record<string, Float64Array>>;
}

export type Window = BlockWindow | BinWindow;

export interface CommitWindow {
  readonly from: number;
  readonly to: number;
  readonly commits: CommitTable;
}

export interface MarkerWindow {
  readonly markers: MarkerTable;
}
