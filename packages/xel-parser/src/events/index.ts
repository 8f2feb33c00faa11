/** SQL Server's data movement events: the catalogue, columns per replica, and what a file says about itself. */
export { AG_EVENTS, agTypeOf, isAgEvent, type AgEvent, type AgEvents } from "./ag-events.ts";
export {
  beginTime,
  EVENTS,
  EventKind,
  fireTime,
  kindOfEvent,
  OTHER_EVENT,
  type ColumnName,
  type EventDefinition,
  type FieldRule,
  type StartMeaning,
} from "./catalogue.ts";
export {
  emptyColumns,
  mergeColumns,
  type EventColumns,
  type EventFile,
  type EventFileGap,
  type MutableEventColumns,
} from "./columns.ts";
export { EVENT_REQUEST, eventsOf, gapsOf, readEvents } from "./read.ts";
export { recognise, type Recognition } from "./recognise.ts";
