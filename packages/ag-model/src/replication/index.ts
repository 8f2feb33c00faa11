/** The replication model: tables, stages, clocks and joins of log blocks. */
export * from "./identity.ts";
export {
  eventIndexOf,
  EventRun,
  eventsByBlock,
  NO_EVENTS,
  RUN_COLUMNS,
  type EventIndex,
} from "./event-runs.ts";
export type { EventSpans } from "./event-spans.ts";
export { buildModel } from "./model.ts";
export type { ModelWants } from "./model-wants.ts";
export { listEvents, type EventsToList } from "./list-events.ts";
export { ModelError } from "./model-error.ts";
export { buffersIn, buffersOfEvents, type GiveBack } from "./memory.ts";
export { prepareEvents, prepareInOrder, prepareInTurn, type PreparedEvents } from "./prepared-events.ts";
export type { ModelInput, PreparedInput, ServerInput } from "./server-input.ts";
export * from "./phase-borders.ts";
export * from "./slots.ts";
export * from "./stages.ts";
export * from "./tables.ts";
export * from "./time.ts";
export { withoutHiddenCharacters } from "./harmless-name.ts";
export { mergeTopologies, readTopology, TopologyError, type Topology, xmlText } from "./topology.ts";
