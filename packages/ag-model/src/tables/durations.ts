/** Durations of the stages of a block's path as columns, so that a query needs no subtraction. */
import { stageColumn, writePartColumn } from "../columns/index.ts";
import {
  isLocalStage,
  partsOf,
  STAGES,
  writePart,
  type CaptureModel,
  type SplitStage,
  type StageId,
} from "../replication/index.ts";

/** Name of each stage in the tables. */
const STAGE_COLUMNS: Readonly<Record<StageId, string>> = {
  commitQueue: "commit_queue_us",
  localFlush: "log_write_us",
  captureLag: "capture_lag_us",
  compression: "compression_us",
  send: "send_us",
  wireOut: "network_out_us",
  secondaryAppend: "append_us",
  decompression: "decompression_us",
  secondaryFlush: "log_write_us",
  ackBuild: "ack_build_us",
  ackSend: "ack_send_us",
  secondaryTotal: "on_secondary_us",
  wireBack: "network_back_us",
  ackReceive: "ack_receive_us",
  commitWakeUp: "commit_wake_up_us",
  remoteHarden: "remote_harden_us",
  networkRoundTrip: "network_round_trip_us",
};

/**
 * Name of a stage's durations in tables and metrics, without a unit. For a log write, the replica shows whether it is the
 * primary's or a secondary's.
 */
export const stageInTables = (id: StageId): string => STAGE_COLUMNS[id].replace(/_us$/u, "");

interface StageDurations {
  readonly name: string;
  readonly about: string;
  /** µs, one per block; NaN where an instant is missing. @param slot of the hop, any for a stage of the primary alone */
  readonly of: (model: CaptureModel, slot: number) => Float64Array;
}

const durationsOf = (isWanted: (id: StageId) => boolean): StageDurations[] =>
  STAGES.filter(({ id }) => isWanted(id)).map(({ id, definition, source }) => ({
    name: STAGE_COLUMNS[id],
    about: `${definition} Source: ${source}.`,
    of: (model, slot) => stageColumn(model, slot, id),
  }));

const partsOfWrite = (stage: SplitStage): StageDurations[] =>
  partsOf(stage).map((id) => {
    const { part, definition, source } = writePart(id);
    return {
      name: `log_write_${part}_us`,
      about: `${definition} Source: ${source}.`,
      of: (model, slot) => writePartColumn(model, slot, id),
    };
  });

/** Stages of the primary alone, and the parts of its log write: of a block. */
export const BLOCK_DURATIONS: readonly StageDurations[] = [
  ...durationsOf(isLocalStage),
  ...partsOfWrite("localFlush"),
];

/** Stages of one secondary's path, and the parts of its log write, as columns of a hop. */
export const HOP_DURATIONS: readonly StageDurations[] = [
  ...durationsOf((id) => !isLocalStage(id)),
  ...partsOfWrite("secondaryFlush"),
];
