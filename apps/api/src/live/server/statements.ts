/**
 * Every statement of live mode, in the order of docs/live.md: the guide is compared with it, and a check of a first server sends
 * each of them once. A statement that `sql.ts` or `poll-sql.ts` exports and that isn't here fails a test.
 */
import {
  LAST_STATEMENT,
  localDatabases,
  POLL_CLOCK,
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

/** What the text of a statement depends on. */
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
  /** Section of docs/live.md that has its text. */
  readonly section: string;
  /** Whether it reads the server, changes the event session of AG Lens, or reads its stream. */
  readonly kind: "read" | "change" | "stream";
  readonly text: (facts: StatementFacts) => string;
}

const read = (section: string, text: LiveStatement["text"]): LiveStatement => ({
  section,
  kind: "read",
  text,
});
const change = (text: LiveStatement["text"]): LiveStatement => ({ section: "5.2", kind: "change", text });

/** By the name of the export that has the text. */
export const STATEMENTS = {
  CONNECTION_SETTINGS: read("3.4", () => CONNECTION_SETTINGS),
  WHO: read("2.3", () => WHO),
  ABOUT: read("12.1", () => ABOUT),
  PRINCIPALS: read("2.3", () => PRINCIPALS),
  topology: read("4.1", ({ major }) => topology(major)),
  CLUSTER_REPLICAS: read("4.1", () => CLUSTER_REPLICAS),
  AVAILABLE_EVENTS: read("5.1", () => AVAILABLE_EVENTS),
  SESSION_STATE: read("5.2", () => SESSION_STATE),
  ALL_SESSIONS: read("5.3", () => ALL_SESSIONS),
  POLL_CLOCK: read("7.1", () => POLL_CLOCK),
  POLL_SESSION: read("7.1", () => POLL_SESSION),
  pollDatabases: read("7.1", ({ major }) => pollDatabases(major)),
  POLL_WAITS: read("7.1", () => POLL_WAITS),
  POLL_SCHEDULERS: read("7.1", () => POLL_SCHEDULERS),
  POLL_WAITING: read("7.1", () => POLL_WAITING),
  pollCounters: read("7.2", ({ major }) => pollCounters(major)),
  localDatabases: read("7.2", ({ major }) => localDatabases(major)),
  pollLogFiles: read("7.1", ({ logFiles }) => pollLogFiles(logFiles)),
  replicaStates: read("7.2", ({ major }) => replicaStates(major)),
  LAST_STATEMENT: read("7.2", () => LAST_STATEMENT),
  createSession: change(({ session, major, events, databases }) =>
    createSession(session, major, events, databases),
  ),
  startSession: change(({ session }) => startSession(session)),
  STREAM: { section: "6", kind: "stream", text: () => STREAM },
  stopSession: change(({ session }) => stopSession(session)),
  dropSession: change(({ session }) => dropSession(session)),
} satisfies Readonly<Record<string, LiveStatement>>;

export type StatementName = keyof typeof STATEMENTS;
