/**
 * The events of the data movement path and the meaning of their fields (docs/contribute/model/events.md 1.1 to 1.3). Only this
 * folder contains SQL Server's names of them.
 */
import { EventName } from "./event-names.ts";

/** Columns of `EventColumns` that an event's payload can fill. */
export type ColumnName =
  | "start" // start_timestamp, µs of the server's counter
  | "processing" // µs
  | "blockId" // log_block_id, 64 bits
  | "mode" // of a file write the number of its file
  | "size" // bytes; of a file write where it begins in its file
  | "databaseId" // database_id of that server
  | "database" // group_database_id
  | "self" // the replica whose file this is
  | "partner" // the other replica
  | "group" // availability_group_id
  | "action"; // text of control_action

/** Meaning of `start_timestamp`: most events carry their start, three their end (docs/contribute/model/events.md 1.3). */
export type StartMeaning = "start" | "end";

/** How one payload field becomes a column; `scale` turns the field's unit into the column's. */
export interface FieldRule {
  readonly field: string;
  readonly column: ColumnName;
  readonly scale?: number;
}

/** An event of the catalog: the fields that become columns, and whether it names its replica. */
export interface EventDefinition {
  readonly name: string;
  readonly startMeaning: StartMeaning;
  readonly fields: readonly FieldRule[];
  /** The only side whose server publishes it (docs/contribute/model/attribution.md 2.2); null when both do. */
  readonly evidenceOf: "primary" | "secondary" | null;
}

const START: FieldRule = { field: "start_timestamp", column: "start" };
const TIME: FieldRule = { field: "processing_time", column: "processing" };
const TOTAL: FieldRule = { field: "total_processing_time", column: "processing" };
const BLOCK: FieldRule = { field: "log_block_id", column: "blockId" };
const MODE: FieldRule = { field: "mode", column: "mode" };
const DATABASE_ID: FieldRule = { field: "database_id", column: "databaseId" };
const GROUP_DATABASE: FieldRule = { field: "database_replica_id", column: "database" };
const PARTNER: FieldRule = { field: "availability_replica_id", column: "partner" };
const SELF: FieldRule = { field: "local_availability_replica_id", column: "self" };
const TARGET: FieldRule = { field: "target_availability_replica_id", column: "partner" };
const GROUP: FieldRule = { field: "availability_group_id", column: "group" };
const ACTION: FieldRule = { field: "control_action", column: "action" };
const DURATION_US: FieldRule = { field: "duration", column: "processing" };
/** log_flush_complete counts its duration in milliseconds, by the reports of Microsoft (docs/evidence.md 3). */
const DURATION_MS: FieldRule = { field: "duration", column: "processing", scale: 1000 };
/** hadr_capture_log_block counts log_block_size in units of 512 bytes: a block's id plus it is the next id (docs/evidence.md 3). */
const SECTORS: FieldRule = { field: "log_block_size", column: "size", scale: 512 };
const UNCOMPRESSED: FieldRule = { field: "uncompressed_size", column: "size" };

const FILE: FieldRule = { field: "file_id", column: "mode" };
const FILE_OFFSET: FieldRule = { field: "offset", column: "size" };

const event = (
  name: string,
  fields: readonly FieldRule[],
  evidenceOf: EventDefinition["evidenceOf"] = null,
  startMeaning: StartMeaning = "start",
): EventDefinition => ({ name, fields, evidenceOf, startMeaning });

/**
 * Every event that is used, by the short name under which code joins it. Its number, which is in `EventColumns.kind`,
 * is its place in this list: both are derived from this list, so that an event that is added or moved can't change the
 * meaning of another.
 */
const DEFINITIONS = {
  commit: event(EventName.commit, [START, TIME, BLOCK, DATABASE_ID]),
  groupCommit: event(EventName.groupCommit, [START, TIME, BLOCK, DATABASE_ID]),
  pushedToLogPool: event(EventName.pushedToLogPool, [START, TIME, BLOCK, DATABASE_ID]),
  flushStart: event(EventName.flushStart, [START, BLOCK, DATABASE_ID]),
  flushComplete: event(EventName.flushComplete, [START, DURATION_MS, BLOCK, DATABASE_ID], null, "end"),
  compression: event(EventName.compression, [START, TIME, BLOCK, DATABASE_ID, UNCOMPRESSED, PARTNER]),
  capture: event(EventName.capture, [START, TIME, BLOCK, MODE, SECTORS, PARTNER, GROUP_DATABASE], "primary"),
  filestreamWait: event(EventName.filestreamWait, [START, TIME, BLOCK, PARTNER, GROUP_DATABASE], "primary"),
  vlfHeader: event(EventName.vlfHeader, [START, TIME, BLOCK, PARTNER, GROUP_DATABASE], "primary"),
  ucsSend: event(EventName.ucsSend, []),
  sendComplete: event(EventName.sendComplete, [START, TOTAL, BLOCK], null, "end"),
  receiveHarden: event(
    EventName.receiveHarden,
    [START, TIME, BLOCK, MODE, SELF, TARGET, GROUP_DATABASE],
    "primary",
  ),
  updateHarden: event(EventName.updateHarden, []),
  commitManagerHarden: event(
    EventName.commitManagerHarden,
    [
      { field: "time_to_commit", column: "processing" },
      { field: "wait_log_block", column: "blockId" },
      { field: "ag_database_id", column: "database" },
      // The commit manager runs on the primary and names its replica.
      { field: "replica_id", column: "self" },
      { field: "group_id", column: "group" },
      DATABASE_ID,
    ],
    "primary",
  ),
  stillWaiting: event(EventName.stillWaiting, []),
  transportReceive: event(
    EventName.transportReceive,
    [START, TIME, BLOCK, MODE, SELF, TARGET, GROUP, GROUP_DATABASE],
    "secondary",
  ),
  decompression: event(EventName.decompression, [START, TIME, BLOCK, DATABASE_ID, UNCOMPRESSED, PARTNER]),
  apply: event(EventName.apply, [START, TOTAL, BLOCK, MODE, GROUP_DATABASE], "secondary"),
  ackSendComplete: event(EventName.ackSendComplete, [START, TOTAL, BLOCK], null, "end"),
  sendHarden: event(
    EventName.sendHarden,
    [START, TIME, BLOCK, MODE, PARTNER, { field: "hadr_database_id", column: "database" }],
    "secondary",
  ),
  // Its local_availability_replica_id may be the other replica (docs/contribute/model/events.md 1.2): it identifies no
  // replica.
  databaseFlowControl: event(EventName.databaseFlowControl, [DURATION_US, ACTION, GROUP_DATABASE]),
  transportFlowControl: event(EventName.transportFlowControl, [DURATION_US, ACTION]),
  ucsFlowControl: event(EventName.ucsFlowControl, []),
  fileWriteEnqueued: event(EventName.fileWriteEnqueued, [DATABASE_ID, FILE, FILE_OFFSET]),
  fileWriteCompleted: event(EventName.fileWriteCompleted, [DATABASE_ID, FILE, FILE_OFFSET]),
} as const satisfies Readonly<Record<string, EventDefinition>>;

/** Kinds of event by number: an `EventColumns.kind` is an index into this list. */
export const EVENTS: readonly EventDefinition[] = Object.values(DEFINITIONS);

/** Events that no figure uses: a session need not record them (docs/contribute/model/events.md 1.1). */
const NOT_RECORDED: readonly EventDefinition[] = [
  DEFINITIONS.ucsSend,
  DEFINITIONS.updateHarden,
  DEFINITIONS.ucsFlowControl,
];

/** Events that split log writes: recorded on request, because they fire for each write to any file. */
const SPLIT_EVENTS: readonly EventDefinition[] = [
  DEFINITIONS.fileWriteEnqueued,
  DEFINITIONS.fileWriteCompleted,
];

/** Names of the events that split log writes. */
export const EVENTS_OF_SPLIT: readonly string[] = SPLIT_EVENTS.map(({ name }) => name);

/** Names of the events that a session records, live and in the capture guide; all are in the package sqlserver. */
export const RECORDED_EVENTS: readonly string[] = EVENTS.filter(
  (event) => !NOT_RECORDED.includes(event) && !SPLIT_EVENTS.includes(event),
).map(({ name }) => name);

/** Names of the recorded events that fire once per commit: the largest part on systems with many small transactions. */
export const EVENTS_PER_COMMIT: readonly string[] = [
  DEFINITIONS.commit.name,
  DEFINITIONS.groupCommit.name,
  DEFINITIONS.commitManagerHarden.name,
];

/** Names of the events of a session, with or without those that fire once per commit, and those that split log writes. */
export const recordedEvents = (perCommit: boolean, fileWrites = false): readonly string[] => [
  ...RECORDED_EVENTS.filter((name) => perCommit || !EVENTS_PER_COMMIT.includes(name)),
  ...(fileWrites ? EVENTS_OF_SPLIT : []),
];

/** Number of each kind by its short name. */
export const EventKind = Object.fromEntries(
  Object.keys(DEFINITIONS).map((name, kind) => [name, kind]),
) as Readonly<Record<keyof typeof DEFINITIONS, number>>;

/** The only side whose server publishes a kind of event (docs/contribute/model/attribution.md 2.2); null when both do. */
export const sideOfKind = (kind: number): EventDefinition["evidenceOf"] => EVENTS[kind]?.evidenceOf ?? null;

/** Columns of clients that an action of an event fills (`clients.ts`). */
export interface ActionRule {
  readonly action: string;
  readonly column: "session" | "application" | "statement";
}

const CLIENT_ACTIONS: readonly ActionRule[] = [
  { action: "session_id", column: "session" },
  { action: "client_app_name", column: "application" },
  { action: "sql_text", column: "statement" },
];

/** Actions of a kind that name the client of a commit: of its own event, and of the commit manager's report on it. */
export const clientActionsOf = (kind: number): readonly ActionRule[] =>
  kind === EventKind.commit || kind === EventKind.commitManagerHarden ? CLIENT_ACTIONS : [];

/** Names of the events whose actions name the client of a commit. */
export const EVENTS_OF_CLIENTS: readonly string[] = EVENTS.filter(
  (_, kind) => clientActionsOf(kind).length > 0,
).map(({ name }) => name);

/** Marks an event of some other kind. */
export const OTHER_EVENT = 255;

const byName = new Map<string, number>(EVENTS.map((e, i) => [e.name, i]));

/** Number of an event's name, `OTHER_EVENT` for one the product does not use. */
export const kindOfEvent = (name: string): number => byName.get(name) ?? OTHER_EVENT;

const startIsEnd = Uint8Array.from(EVENTS, (e) => (e.startMeaning === "end" ? 1 : 0));

/** When an event fired, µs of its server's counter (docs/contribute/model/events.md 1.3); NaN without start_timestamp. */
export function fireTime(kind: number, start: number, processing: number): number {
  return startIsEnd[kind] === 1 || Number.isNaN(processing) ? start : start + processing;
}

/** Begin of the work that an event reports, µs of its server's counter; NaN without start_timestamp. */
export function beginTime(kind: number, start: number, processing: number): number {
  return startIsEnd[kind] === 1 && !Number.isNaN(processing) ? start - processing : start;
}
