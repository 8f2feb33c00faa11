/** The replication model while it happens: rows in, pictures out. */
export { LiveModel, type GapReason } from "./live-model.ts";
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
