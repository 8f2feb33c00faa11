/** The replication model while it happens: rows in, pictures out. */
export type { GapReason } from "./attached-replicas.ts";
export { LiveModel } from "./live-model.ts";
export type {
  LiveModelBins,
  LiveModelClock,
  LiveModelFigures,
  LiveModelLane,
  LiveModelPicture,
  LiveModelReadout,
  LiveModelReplica,
} from "./picture.ts";
export type { PushReport, StreamRow } from "../format/index.ts";
