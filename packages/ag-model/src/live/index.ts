/** The replication model while it happens: rows in, pictures out. */
export type { GapReason } from "./attached-replicas.ts";
export { LiveModel } from "./live-model.ts";
export type { DatabasePicture, LiveModelPicture, LiveModelReplica } from "./picture.ts";
