/**
 * Which replica each column of a model belongs to, for every log block. The only file of this room that looks up replicas,
 * hops, commit modes and primaries; everything else works on streams.
 */
import { oncePerModel } from "../columns/index.ts";
import type { BlockTable, CaptureModel, HopTable } from "../replication/index.ts";

/** Whether commits wait for a replica; "undetermined" means sync or undetermined. */
export type CommitMode = "sync" | "async" | "undetermined";

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
  /** Index into `CaptureModel.replicas`. */
  readonly primary: number;
  /** Rows of `blocks`, ascending log_block_id. */
  readonly rows: Uint32Array;
  /** Secondaries to which at least one block of the stream was sent. */
  readonly hops: readonly StreamHop[];
  readonly blocks: BlockTable;
}

/** The streams of a capture, by database. */
export const streamsOf = (model: CaptureModel): readonly Stream[] =>
  oncePerModel(model, "replay/streams", () =>
    model.databases.map((_, database) => {
      const rows = rowsOfDatabase(model.blocks, database);
      const hops = model.hops.flatMap((table, slot): StreamHop[] => {
        const replica = slot + 1;
        const wasSent = rows.some((row) => !Number.isNaN(table.sendStart[row] + table.ackProcessed[row]));
        return wasSent ? [{ replica, slot, mode: model.replicas[replica].commitMode, table }] : [];
      });
      return { database, primary: 0, rows, hops, blocks: model.blocks };
    }),
  );

function rowsOfDatabase({ length, database, blockId }: BlockTable, wanted: number): Uint32Array {
  const rows = Uint32Array.from({ length }, (_, row) => row).filter((row) => database[row] === wanted);
  return rows.sort((a, b) => (blockId[a] < blockId[b] ? -1 : blockId[a] > blockId[b] ? 1 : 0));
}
