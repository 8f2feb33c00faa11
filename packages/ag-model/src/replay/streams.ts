/**
 * Which replica each column of a model belongs to, for every log block. The only file of this room that looks up replicas,
 * hops, commit modes and primaries; everything else works on streams.
 */
import { oncePerModel } from "../columns/index.ts";
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
  /** Secondaries to which at least one block of the stream was sent. */
  readonly hops: readonly StreamHop[];
  readonly blocks: BlockTable;
}

/** The streams of a capture, by phase and database. */
export const streamsOf = (model: CaptureModel): readonly Stream[] =>
  oncePerModel(model, "replay/streams", () =>
    model.phases.flatMap(({ databases, primary, commitModes }, phase) =>
      databases.map((database): Stream => {
        const rows = rowsOf(model.blocks, phase, database);
        const hops = model.hops.flatMap((table, slot): StreamHop[] => {
          const mode = commitModes[slot] ?? null;
          const wasSent = rows.some((row) => !Number.isNaN(table.sendStart[row] + table.ackProcessed[row]));
          return mode === null || !wasSent
            ? []
            : [{ replica: replicaOfSlot(primary, slot), slot, mode, table }];
        });
        return { database, phase, primary, rows, hops, blocks: model.blocks };
      }),
    ),
  );

function rowsOf(
  { length, phase, database, blockId }: BlockTable,
  inPhase: number,
  wanted: number,
): Uint32Array {
  const rows = Uint32Array.from({ length }, (_, row) => row).filter(
    (row) => phase[row] === inPhase && database[row] === wanted,
  );
  return rows.sort((a, b) => (blockId[a] < blockId[b] ? -1 : blockId[a] > blockId[b] ? 1 : 0));
}
