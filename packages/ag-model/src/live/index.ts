/** The replication model of a running capture: takes rows and draws pictures. */
export type { GapReason } from "./attached-replicas.ts";
export { LiveModel } from "./live-model.ts";
export type { DatabasePicture, LiveModelPicture, LiveModelReplica } from "./picture.ts";
export { BUCKETS_US, COUNTED_STAGES, type StageCount } from "./stage-counts.ts";
