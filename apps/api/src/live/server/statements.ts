/**
 * Every statement of live mode, in the order of docs/contribute/live-protocol.md: the guide is compared with it, and a check of a first server sends
 * each of them once. A statement that `sql.ts` or `poll-sql.ts` exports and that isn't here fails a test.
 */
import {
  HEALTH_EVENTS,
  HEALTH_FILE,
  LAST_STATEMENT,
  localDatabases,
  POLL_CLOCK,
  POLL_COST,
  pollCounters,
  POLL_SCHEDULERS,
  POLL_SESSION,
  POLL_WAITING,
  POLL_WAITS,
  pollDatabases,
  pollLogFiles,
  replicaStates,
} from "./poll-sql.ts";
import type { LogFileId } from "./poll-sql.ts";
import {
  ABOUT,
  ALL_SESSIONS,
  AVAILABLE_EVENTS,
  CLUSTER_REPLICAS,
  createSession,
  dropSession,
  CONNECTION_SETTINGS,
  PRINCIPALS,
  SESSION_STATE,
  startSession,
  stopSession,
  STREAM,
  topology,
  WHO,
} from "./sql.ts";
import type { RecordedDatabases, SessionEvent } from "./sql.ts";

/** Facts that determine the text of a statement. */
export interface StatementFacts {
  /** 12 for SQL Server 2014. */
  readonly major: number;
  /** Name of the event session. */
  readonly session: string;
  readonly logFiles: readonly LogFileId[];
  readonly events: readonly SessionEvent[];
  readonly databases: RecordedDatabases;
}

export interface LiveStatement {
  /** Title for people. */
  readonly title: string;
  /** Section of docs/contribute/live-protocol.md that has its text. */
  readonly section: string;
  /** Whether it reads the server, changes the event session of AG Lens, or reads its stream. */
  readonly kind: "read" | "change" | "stream";
  readonly text: (facts: StatementFacts) => string;
}

type Text = LiveStatement["text"];

const read = (section: string, title: string, text: Text): LiveStatement => ({
  title,
  section,
  kind: "read",
  text,
});
const change = (title: string, text: Text): LiveStatement => ({
  title,
  section: "5.2",
  kind: "change",
  text,
});

/** By the name of the export that has the text. */
export const STATEMENTS = {
  CONNECTION_SETTINGS: read("3.4", "Settings of the connection", () => CONNECTION_SETTINGS),
  WHO: read("2.3", "Server and permissions", () => WHO),
  ABOUT: read("12.1", "Version and collation", () => ABOUT),
  PRINCIPALS: read("2.3", "Principals of the login", () => PRINCIPALS),
  topology: read("4.1", "Availability groups", ({ major }) => topology(major)),
  CLUSTER_REPLICAS: read("4.1", "Replicas in the cluster", () => CLUSTER_REPLICAS),
  AVAILABLE_EVENTS: read("5.1", "Events of this version", () => AVAILABLE_EVENTS),
  SESSION_STATE: read("5.2", "State of the session", () => SESSION_STATE),
  ALL_SESSIONS: read("5.3", "All event sessions", () => ALL_SESSIONS),
  POLL_CLOCK: read("7.1", "Clock of the server", () => POLL_CLOCK),
  POLL_SESSION: read("7.1", "Events lost by the session", () => POLL_SESSION),
  pollDatabases: read("7.1", "Database states", ({ major }) => pollDatabases(major)),
  POLL_WAITS: read("7.1", "Waits", () => POLL_WAITS),
  POLL_SCHEDULERS: read("7.1", "Schedulers", () => POLL_SCHEDULERS),
  POLL_WAITING: read("7.1", "Sessions that wait", () => POLL_WAITING),
  pollCounters: read("7.2", "Performance counters", ({ major }) => pollCounters(major)),
  localDatabases: read("7.2", "Local databases and log files", ({ major }) => localDatabases(major)),
  pollLogFiles: read("7.1", "Log file writes", ({ logFiles }) => pollLogFiles(logFiles)),
  replicaStates: read("7.2", "Replica states", ({ major }) => replicaStates(major)),
  LAST_STATEMENT: read("7.2", "Text of a statement", () => LAST_STATEMENT),
  HEALTH_FILE: read("7.5", "File of AlwaysOn_health", () => HEALTH_FILE),
  HEALTH_EVENTS: read("7.5", "Events of AlwaysOn_health", () => HEALTH_EVENTS),
  POLL_COST: read("7.6", "CPU time of the connection", () => POLL_COST),
  createSession: change("Create event session", ({ session, major, events, databases }) =>
    createSession(session, major, events, databases),
  ),
  startSession: change("Start event session", ({ session }) => startSession(session)),
  STREAM: { title: "Event stream", section: "6", kind: "stream", text: () => STREAM },
  stopSession: change("Stop event session", ({ session }) => stopSession(session)),
  dropSession: change("Drop event session", ({ session }) => dropSession(session)),
} satisfies Readonly<Record<string, LiveStatement>>;

export type StatementName = keyof typeof STATEMENTS;
