/**
 * Statements that AG Lens sends to a SQL Server (docs/contribute/live-protocol.md 2 to 6); those of polls are in
 * `poll-sql.ts`. DDL has no parameters: names in it are bracketed here, and numbers are from a server. No other text of
 * a user becomes part of a statement.
 */
import { RECORDED_EVENTS } from "@aglens/ag-model/events";

/** First version with permissions for each step of an event session. */
const GRANULAR_MAJOR = 16;
/** First version with contained availability groups. */
const CONTAINED_MAJOR = 16;
/** First version that stops a session automatically. */
const MAX_DURATION_MAJOR = 17;
/** Hours after which SQL Server 2025 stops a session whose reader may have died. */
export const MAX_DURATION_HOURS = 24;
/** One predicate has at most 3,000 characters (docs/contribute/live-protocol.md 5.2). */
const MOST_DATABASES_IN_PREDICATE = 100;

/**
 * The first batch of every connection. Its settings apply to all later statements of the connection: a statement waits
 * for a lock for 1 s at most and then fails with error 1222, and it is the victim of every deadlock.
 */
export const CONNECTION_SETTINGS = "SET NOCOUNT ON; SET LOCK_TIMEOUT 1000; SET DEADLOCK_PRIORITY LOW;";

/**
 * Identity of the server, its kind, and the permissions of the login: 1 yes, 0 no, NULL = this version has no such
 * permission. Azure SQL Managed Instance (edition 8) reports version 12 and has the permissions and views of 2022.
 */
export const WHO = `SELECT CASE CONVERT(int, SERVERPROPERTY('EngineEdition')) WHEN 8 THEN ${GRANULAR_MAJOR}
    ELSE CONVERT(int, PARSENAME(CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')), 4)) END AS major_version,
  CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS product_version,
  CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS edition,
  CONVERT(int, SERVERPROPERTY('EngineEdition')) AS engine_edition,
  CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AS server_name,
  CONVERT(int, SERVERPROPERTY('IsHadrEnabled')) AS is_hadr_enabled,
  CONVERT(varchar(34), SYSDATETIMEOFFSET(), 121) AS local_now,
  SUSER_SNAME() AS login_name,
  IS_SRVROLEMEMBER('sysadmin') AS is_sysadmin,
  HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY EVENT SESSION') AS xe_all,
  HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY EVENT SESSION') AS xe_create,
  HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY EVENT SESSION ENABLE') AS xe_start,
  HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY EVENT SESSION DISABLE') AS xe_stop,
  HAS_PERMS_BY_NAME(NULL, NULL, 'DROP ANY EVENT SESSION') AS xe_drop,
  HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE') AS view_state,
  HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER PERFORMANCE STATE') AS view_perf,
  HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW ANY DEFINITION') AS view_def;`;

/** Other facts that a check of a first server records, and the id of the check's own session. */
export const ABOUT = `SELECT @@VERSION AS version, CONVERT(nvarchar(128), SERVERPROPERTY('Collation')) AS collation,
  @@SPID AS session_id;`;

/** Whether a version has the granular permissions, which have other names. */
export const hasGranularPermissions = (major: number): boolean => major >= GRANULAR_MAJOR;

/** The statement that grants a server permission; it is run in master. */
export function grant(permission: string, grantee: string): string {
  return `GRANT ${permission} TO ${quoted(grantee)};`;
}

/**
 * Principals of the server for a login: itself, or Windows and Entra groups that it is a member of. A GRANT to a group
 * that its token has for DENY only would have no effect.
 */
export const PRINCIPALS = `SELECT t.name, t.type FROM sys.login_token AS t
WHERE t.principal_id > 0 AND t.usage <> N'DENY ONLY'
  AND t.type IN (N'SQL LOGIN', N'WINDOWS LOGIN', N'WINDOWS GROUP', N'EXTERNAL LOGIN', N'EXTERNAL GROUP');`;

/**
 * Groups, replicas, databases and listeners in this server's views, in four result sets.
 * @param major 12 for SQL Server 2014, which lacks distributed groups; contained ones exist from 2022 on
 */
export function topology(major: number): string {
  const distributed = major >= 13 ? "g.is_distributed" : "CONVERT(bit, 0) AS is_distributed";
  const contained = major >= CONTAINED_MAJOR ? "g.is_contained" : "CONVERT(bit, 0) AS is_contained";
  return `SELECT g.group_id, g.name, ${distributed}, ${contained}, s.primary_replica
FROM sys.availability_groups AS g LEFT JOIN sys.dm_hadr_availability_group_states AS s ON s.group_id = g.group_id;
SELECT r.replica_id, r.group_id, r.replica_server_name, r.availability_mode, r.availability_mode_desc,
  rs.is_local, rs.role_desc, rs.connected_state_desc
FROM sys.availability_replicas AS r LEFT JOIN sys.dm_hadr_availability_replica_states AS rs ON rs.replica_id = r.replica_id;
SELECT d.group_id, d.replica_id, d.group_database_id, d.database_id,
  ISNULL(c.database_name, DB_NAME(d.database_id)) AS database_name, d.is_local
FROM sys.dm_hadr_database_replica_states AS d
LEFT JOIN sys.availability_databases_cluster AS c ON c.group_id = d.group_id AND c.group_database_id = d.group_database_id;
SELECT l.group_id, l.dns_name, l.port FROM sys.availability_group_listeners AS l;`;
}

/** Replica names for a login without permission to see definitions. */
export const CLUSTER_REPLICAS = `SELECT s.replica_id, s.group_id, s.replica_server_name
FROM sys.dm_hadr_availability_replica_cluster_states AS s;`;

/** Which events of the catalog this version has, and which of their fields matter to the session; two result sets. */
export const AVAILABLE_EVENTS = `SELECT p.name AS package, o.name FROM sys.dm_xe_objects AS o JOIN sys.dm_xe_packages AS p ON p.guid = o.package_guid
WHERE o.object_type = N'event' AND o.name IN (${eventList()})
  AND ISNULL(o.capabilities_desc, N'') NOT LIKE N'%private%' AND ISNULL(p.capabilities_desc, N'') NOT LIKE N'%private%'
OPTION (HASH JOIN);
SELECT c.object_name, c.name FROM sys.dm_xe_object_columns AS c
WHERE c.column_type = N'data' AND c.name IN (N'database_id', N'start_timestamp')
  AND c.object_name IN (${eventList()}) OPTION (HASH JOIN);`;

function eventList(): string {
  return RECORDED_EVENTS.map((name) => `N'${name}'`).join(", ");
}

/** An event of the session and its possible filters in this version. */
export interface SessionEvent {
  readonly package: string;
  readonly name: string;
  readonly hasDatabaseId: boolean;
}

/**
 * A session without target: its readers get the event stream (docs/contribute/live-protocol.md 5.2).
 * @param databases which ones' log is recorded
 */
export function createSession(
  name: string,
  major: number,
  events: readonly SessionEvent[],
  databases: RecordedDatabases,
): string {
  const list = events.map(
    (event) => `  ADD EVENT ${event.package}.${event.name}${predicate(event, databases)}`,
  );
  const duration = major >= MAX_DURATION_MAJOR ? `, MAX_DURATION = ${MAX_DURATION_HOURS} HOURS` : "";
  return `CREATE EVENT SESSION ${quoted(name)} ON SERVER
${list.join(",\n")}
  WITH (MAX_MEMORY = 16 MB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 1 SECONDS,
        MAX_EVENT_SIZE = 0 KB, MEMORY_PARTITION_MODE = NONE, TRACK_CAUSALITY = OFF, STARTUP_STATE = OFF${duration});`;
}

/** This server's ids of the databases whose log is recorded, or all but master, tempdb, model and msdb (1 to 4). */
export type RecordedDatabases = readonly number[] | "user databases";

const USER_DATABASES = " (WHERE ([database_id] > (4)))";

function predicate(event: SessionEvent, databases: RecordedDatabases): string {
  if (!event.hasDatabaseId) return "";
  if (databases === "user databases" || databases.length > MOST_DATABASES_IN_PREDICATE) return USER_DATABASES;
  return ` (WHERE (${databases.map((id) => `[database_id] = (${Math.trunc(id)})`).join(" OR ")}))`;
}

export const startSession = (name: string): string =>
  `ALTER EVENT SESSION ${quoted(name)} ON SERVER STATE = START;`;
export const stopSession = (name: string): string =>
  `ALTER EVENT SESSION ${quoted(name)} ON SERVER STATE = STOP;`;
export const dropSession = (name: string): string => `DROP EVENT SESSION ${quoted(name)} ON SERVER;`;

/** One session's definition, whether it runs, and its dispatch latency, ms; @session nvarchar. */
export const SESSION_STATE = `SELECT d.name, d.max_dispatch_latency, CONVERT(varchar(33), s.create_time, 126) AS started_at
FROM sys.server_event_sessions AS d LEFT JOIN sys.dm_xe_sessions AS s ON s.name = d.name WHERE d.name = @session;`;

/**
 * All sessions of the server, and the readers of event streams; two result sets. A session that is read has a target of
 * the name event_stream meanwhile, and so possibly several rows.
 */
export const ALL_SESSIONS = `SELECT d.name, d.max_dispatch_latency, CONVERT(varchar(33), s.create_time, 126) AS started_at, t.target_name
FROM sys.server_event_sessions AS d LEFT JOIN sys.dm_xe_sessions AS s ON s.name = d.name
LEFT JOIN sys.dm_xe_session_targets AS t ON t.event_session_address = s.address AND t.target_name = N'event_stream'
ORDER BY d.name;
SELECT r.session_id, e.host_name, e.program_name FROM sys.dm_exec_requests AS r
JOIN sys.dm_exec_sessions AS e ON e.session_id = r.session_id WHERE r.wait_type = N'XE_LIVE_TARGET_TVF';`;

/** The event buffers of a started session, without end; @source nvarchar(260). */
export const STREAM = "SELECT type, data FROM sys.fn_MSxe_read_event_stream(@source, 0)";

/** An identifier in brackets. */
export function quoted(name: string): string {
  return `[${name.replaceAll("]", "]]")}]`;
}
