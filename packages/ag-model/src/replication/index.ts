/** The replication model: tables, stages, clocks and joins of log blocks. */
export * from "./shapes/identity.ts";
export {
  eventIndexOf,
  EventRun,
  eventsByBlock,
  NO_EVENTS,
  RUN_COLUMNS,
  type EventIndex,
} from "./shapes/event-runs.ts";
export type { EventSpans } from "./shapes/event-spans.ts";
export { buildModel } from "./model.ts";
export { modelWithoutBlocks, type ServersAlone } from "./measure/without-blocks.ts";
export type { ModelWants } from "./measure/model-wants.ts";
export { ModelError } from "./shapes/model-error.ts";
export { buffersOfEvents, hasClients, type GiveBack } from "./prepare/memory.ts";
export {
  prepareEvents,
  prepareInOrder,
  prepareInTurn,
  type PreparedEvents,
} from "./prepare/prepared-events.ts";
export type { ModelInput, PreparedInput, ServerInput } from "./prepare/server-input.ts";
export * from "./shapes/phase-borders.ts";
export * from "./shapes/slots.ts";
export * from "./shapes/stages.ts";
export * from "./shapes/tables.ts";
export * from "./shapes/write-parts.ts";
export * from "./clocks/time.ts";
export { withoutHiddenCharacters } from "./shapes/harmless-name.ts";
export { mergeTopologies, readTopology, TopologyError, type Topology, xmlText } from "./shapes/topology.ts";
