/** Checks a server before anything is created on it. */
import { hostname } from "node:os";
import { EventName, recordedEvents } from "@aglens/ag-model/events";
import type { LeftoverSession, LiveCheck } from "@aglens/contract";
import type { z } from "zod";
import type { Connection, Row } from "./connection.ts";
import { LiveFailure } from "./failure.ts";
import { granteeOf, missingPermissions } from "./permissions.ts";
import { hostOfSession, hostPart, timeOfSession } from "./session-name.ts";
import { dropOwnSession } from "./session.ts";
import { ALL_SESSIONS, AVAILABLE_EVENTS, PRINCIPALS, WHO } from "./sql.ts";
import type { SessionEvent } from "./sql.ts";
import { askTopology } from "./topology.ts";
import type { ServerTopology } from "./topology.ts";

type Check = z.infer<typeof LiveCheck>;
type Leftover = z.infer<typeof LeftoverSession>;

/** EngineEdition of Azure SQL Database and Azure SQL Managed Instance. */
const SQL_DATABASE = 5;
const MANAGED_INSTANCE = 8;
/** SQL Server 2014: the first with the events that carry durations. */
const OLDEST_MAJOR = 12;

/** Sessions of every instance, which have no use here. */
const SYSTEM_SESSIONS: readonly string[] = [
  "system_health",
  "AlwaysOn_health",
  "telemetry_xevents",
  "hkenginexesession",
  "sp_server_diagnostics session",
];

/** Identity of the server. @throws LiveFailure for a server that has no event sessions of this kind */
export async function askWho(connection: Connection): Promise<Row> {
  const [[who] = []] = await connection.query(WHO);
  if (who === undefined) {
    throw new LiveFailure(
      "live-statement-failed",
      `${connection.where} did not return its name and version.`,
    );
  }
  const major = Number(who["major_version"]);
  if (who["engine_edition"] === SQL_DATABASE) {
    throw new LiveFailure(
      "live-unsupported",
      `${connection.where} is Azure SQL Database, which has no availability group events.`,
    );
  }
  if (major < OLDEST_MAJOR) {
    throw new LiveFailure(
      "live-unsupported",
      `${connection.where} is version ${String(who["product_version"])}. The events exist from SQL Server 2014 on.`,
    );
  }
  if (missingPermissions(who).length === 0) return who;
  const [principals = []] = await connection.query(PRINCIPALS);
  return { ...who, grantee: granteeOf(principals, String(who["login_name"])) };
}

/** Events that the version has, and a warning where they have no durations. @throws LiveFailure */
export async function askEvents(connection: Connection): Promise<{
  readonly events: readonly SessionEvent[];
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}> {
  const [objects = [], columns = []] = await connection.query(AVAILABLE_EVENTS);
  const events = eventsOf(objects, columns);
  const found = new Set(events.map((event) => event.name));
  const warnings =
    columns.length > 0 &&
    found.has(EventName.capture) &&
    !hasColumn(columns, EventName.capture, "start_timestamp")
      ? [
          "This build writes no start_timestamp (before KB3173156). Times are less exact, and some stages can't be separated.",
        ]
      : [];
  return { events, missing: recordedEvents(true).filter((name) => !found.has(name)), warnings };
}

/** The events of a session, by both result sets of AVAILABLE_EVENTS. */
export const eventsOf = (objects: readonly Row[], columns: readonly Row[]): SessionEvent[] =>
  objects.map((row) => {
    const name = String(row["name"]);
    return { package: String(row["package"]), name, hasDatabaseId: hasColumn(columns, name, "database_id") };
  });

const hasColumn = (columns: readonly Row[], event: string, column: string): boolean =>
  columns.some((row) => row["object_name"] === event && row["name"] === column);

/** Everything about one server that the user needs before attaching. @throws LiveFailure */
export async function checkServer(connection: Connection): Promise<Check> {
  const who = await askWho(connection);
  const missing = missingPermissions(who);
  const mayLook = !missing.some(({ permission }) => permission.startsWith("VIEW SERVER"));
  const serverName = String(who["server_name"]);
  const topology = mayLook
    ? await askTopology(connection, Number(who["major_version"]), serverName)
    : NOTHING;
  const { missing: missingEvents, warnings } = mayLook ? await askEvents(connection) : NO_EVENTS;
  const [sessions = [], readers = []] = mayLook ? await connection.query(ALL_SESSIONS) : [];
  return {
    serverName,
    productVersion: String(who["product_version"]),
    edition: String(who["edition"]),
    login: String(who["login_name"]),
    grantee: String(who["grantee"] ?? who["login_name"]),
    hadrEnabled: who["is_hadr_enabled"] === 1,
    missing,
    replicas: [...topology.replicas],
    databases: [...topology.databases],
    missingEvents: [...missingEvents],
    sessions: [...new Set(sessions.filter(isAttachable).map((row) => String(row["name"])))],
    leftovers: leftoversIn(sessions, readers),
    warnings: [...warningsOn(who, topology, mayLook), ...topology.warnings, ...warnings],
  };
}

const NOTHING: ServerTopology = { replicas: [], databases: [], warnings: [] };
const NO_EVENTS = { missing: [] as readonly string[], warnings: [] as readonly string[] };

function warningsOn(who: Row, topology: ServerTopology, mayLook: boolean): string[] {
  const warnings = [];
  if (who["engine_edition"] === MANAGED_INSTANCE) {
    warnings.push("This is Azure SQL Managed Instance: its replicas are not shown as an availability group.");
  }
  if (who["is_hadr_enabled"] !== 1) {
    warnings.push("Always On availability groups are not enabled on this instance.");
  } else if (mayLook && topology.replicas.length === 0) {
    warnings.push("This instance hosts no availability group.");
  }
  return warnings;
}

function isAttachable(row: Row): boolean {
  const name = String(row["name"]);
  return row["started_at"] != null && hostOfSession(name) === null && !SYSTEM_SESSIONS.includes(name);
}

/**
 * Sessions with a name of AG Lens. The caller removes those of runs that are still active here.
 *
 * @param readers sessions that read event streams on the server; the views do not show which event session they read
 */
export function leftoversIn(sessions: readonly Row[], readers: readonly Row[]): Leftover[] {
  const isRead = ({ target_name: target }: Row): boolean => target === "event_stream";
  const read = new Set(sessions.filter(isRead).map((row) => String(row["name"])));
  const byName = new Map(sessions.map((row) => [String(row["name"]), row]));
  return [...byName].flatMap(([name, row]) => {
    const host = hostOfSession(name);
    if (host === null) return [];
    const running = row["started_at"] != null;
    const ofHost = readers.filter((reader) => hostPart(String(reader["host_name"])) === host);
    // A version that does not show the target still shows readers: one from the host that made the session reads it.
    const inUse = read.has(name) || (read.size === 0 && running && ofHost.length > 0);
    return [
      {
        name,
        running,
        // The view does not document the time zone of its time; the name is in UTC, and sessions start when they are
        // created.
        startedAt: running ? timeOfSession(name) : null,
        host,
        ofThisHost: host === hostPart(hostname()),
        readBy: inUse ? readerOf(ofHost.length > 0 ? ofHost : readers) : null,
      },
    ];
  });
}

function readerOf(readers: readonly Row[]): string {
  const [reader] = readers;
  if (reader === undefined) return "a reader that is not shown";
  const name = `session ${Number(reader["session_id"])} from ${String(reader["host_name"])}`;
  return readers.length === 1 ? name : `${name} or ${readers.length - 1} more`;
}

/**
 * Drops sessions of AG Lens; sessions with other names, and sessions that are being read, stay.
 *
 * @returns names of sessions that are gone @throws LiveFailure
 */
export async function removeLeftovers(connection: Connection, names: readonly string[]): Promise<string[]> {
  const [sessions = [], readers = []] = await connection.query(ALL_SESSIONS);
  const removed: string[] = [];
  for (const { name, readBy } of leftoversIn(sessions, readers)) {
    if (!names.includes(name) || readBy !== null) continue;
    await dropOwnSession(connection, name);
    removed.push(name);
  }
  return removed;
}
