/** The replication model: tables, stages, clocks and joins of log blocks. */
export type { ClockBounds } from "./clock.ts";
export * from "./identity.ts";
export {
  buildModel,
  type Continuity,
  ModelError,
  type ModelErrorCode,
  type ModelPhase,
  type ReplicaInput,
} from "./model.ts";
export { oneWayUncertaintyAt } from "./one-way-uncertainty.ts";
export * from "./stages.ts";
export * from "./statistics.ts";
export * from "./tables.ts";
export * from "./time.ts";
export { mergeTopologies, readTopology, TopologyError, type Topology } from "./topology.ts";
