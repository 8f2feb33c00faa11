/** SQL Server's data movement events: the catalog, columns per replica, and the facts about a file in its events. */
export { AG_EVENTS, agTypeOf, isAgEvent } from "./ag-events.ts";
export {
  beginTime,
  EVENTS,
  EventKind,
  EVENTS_OF_SPLIT,
  fireTime,
  OTHER_EVENT,
  RECORDED_EVENTS,
  recordedEvents,
  sideOfKind,
} from "./catalog.ts";
export { CLIENT_TEXT_COLUMNS, ClientTexts, type ClientColumns } from "./clients.ts";
export {
  emptyColumns,
  eventsBetween,
  gatherEvents,
  fileOf,
  joinColumns,
  mergeColumns,
  putTicksAfter,
  type EventColumns,
  type EventFile,
} from "./columns.ts";
export { EventName, shortNameOfEvent } from "./event-names.ts";
export { FAR_TIME } from "./far-times.ts";
export { meaningOfEvent } from "./event-meanings.ts";
export { LOSS_CAUSES, lostNumbers, type LossCause, type NumberHole } from "./lost-numbers.ts";
export { MODES, type FileReading } from "./file-reading.ts";
export { gapNeighbors } from "./gap-neighbours.ts";
export { EVENT_BYTES, EVENT_REQUEST, eventColumnsOf, gapsOf, readEventPieces, readEvents } from "./read.ts";
export { idsIn, IdsOfParts, ownIdsOf } from "./ids.ts";
export { IMPOSSIBLE_IDS, ImpossibleIds } from "./possible-ids.ts";
export { PartNumbers } from "./part-numbers.ts";
export { RowsOfKinds, rowsByKind, type RowsByKind } from "./rows-of-kinds.ts";
export {
  createSession,
  dropIfExists,
  dropSession,
  SESSION_NAME,
  sessionFile,
  startSession,
  stopIfStarted,
  stopSession,
  USUAL_CHOICES,
  type SessionChoices,
} from "./session-script.ts";
export { ShapeNumbers } from "./shapes.ts";
export { SpanOfParts, type EventSpan } from "./span-of-parts.ts";
export { countKinds, recognise, RecognitionOfParts, roleOfKinds } from "./recognise.ts";
