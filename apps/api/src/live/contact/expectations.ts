/**
 * Expected answers of all statements of live mode. Types are those of Microsoft's pages on the views and functions that
 * `rests` names; `assumed` marks types that no page documents. Row counts are of a replica that is in an availability
 * group.
 */
import { RECORDED_EVENTS } from "@aglens/ag-model/events";
import { POLLED_WAIT_TYPES } from "@aglens/contract";
import { MOST_HEALTH_EVENTS } from "../server/poll-sql.ts";
import type { StatementName } from "../server/statements.ts";

export interface ExpectedColumn {
  readonly name: string;
  /** SQL Server's types without length; more than one where the page and the driver's answer may differ. */
  readonly types: readonly string[];
  /** Whether NULL is allowed. */
  readonly mayBeNull: boolean;
  /** All values that there should be; only these are ever written down. */
  readonly words?: readonly string[];
  /** Whether each of the words is expected. */
  readonly hasAllWords?: boolean;
}

export interface ExpectedSet {
  readonly columns: readonly ExpectedColumn[];
  readonly least: number;
  /** Infinity where there is no limit. */
  readonly most: number;
  /** Catalog views are empty to a login without VIEW ANY DEFINITION. */
  readonly needsDefinition?: boolean;
}

export interface Expectation {
  readonly sets: readonly ExpectedSet[];
  /** Microsoft's pages. */
  readonly rests: string;
  /** Error numbers that live mode copes with. */
  readonly errors?: readonly number[];
  /** ms; a server that needs longer is worth a look. */
  readonly longestMs: number;
}

type Options = Pick<ExpectedColumn, "words" | "hasAllWords">;

const column =
  (mayBeNull: boolean) =>
  (name: string, types: string, options: Options = {}): ExpectedColumn => ({
    name,
    types: types.split("|"),
    mayBeNull,
    ...options,
  });
const one = column(false);
const maybe = column(true);

const columns = (names: string, type: string, make = one): ExpectedColumn[] =>
  names.split(" ").map((name) => make(name, type));
const guids = (names: string, make = one): ExpectedColumn[] => columns(names, "uniqueidentifier", make);

const set = (
  least: number,
  most: number,
  all: readonly ExpectedColumn[],
  options: Pick<ExpectedSet, "needsDefinition"> = {},
): ExpectedSet => ({ columns: all, least, most, ...options });

/** A poll is sent every second. */
const POLL_MS = 1_000;
const STATEMENT_MS = 5_000;
/** Lock request time out: the statement gives up. */
const LOCK_TIMEOUT = 1222;

const ROLES = ["RESOLVING", "PRIMARY", "SECONDARY"];
const CONNECTED = ["DISCONNECTED", "CONNECTED"];
const EVENTS = [...RECORDED_EVENTS];
const SUSPENDED = "USER PARTNER REDO APPLY CAPTURE RESTART UNDO REVALIDATION XRF_UPDATE"
  .split(" ")
  .map((by) => `SUSPEND_FROM_${by}`);
const COUNTERS = [
  "Transaction Delay",
  "Mirrored Write Transactions/sec",
  "Log Bytes Received/sec",
  "Redone Bytes/sec",
  "Flow Control Time (ms/sec)",
  "Flow Control/sec",
  "Bytes Sent to Replica/sec",
];
const PRINCIPAL_TYPES = ["SQL LOGIN", "WINDOWS LOGIN", "WINDOWS GROUP", "EXTERNAL LOGIN", "EXTERNAL GROUP"];

const stateColumns = [
  maybe("role_desc", "nvarchar", { words: ROLES }),
  maybe("connected_state_desc", "nvarchar", { words: CONNECTED }),
];

/** By statement; `section` of docs/contribute/live-protocol.md and the text are in `server/statements.ts`. */
export const EXPECTATIONS: Readonly<Record<StatementName, Expectation>> = {
  CONNECTION_SETTINGS: {
    rests: "SET NOCOUNT, SET LOCK_TIMEOUT, SET DEADLOCK_PRIORITY",
    longestMs: STATEMENT_MS,
    sets: [],
  },
  WHO: {
    rests: "SERVERPROPERTY, SYSDATETIMEOFFSET, SUSER_SNAME, IS_SRVROLEMEMBER, HAS_PERMS_BY_NAME",
    longestMs: STATEMENT_MS,
    sets: [
      set(1, 1, [
        one("major_version", "int"),
        ...columns("product_version edition", "nvarchar"),
        one("engine_edition", "int"),
        one("server_name", "nvarchar"),
        maybe("is_hadr_enabled", "int"),
        one("local_now", "varchar"),
        one("login_name", "nvarchar"),
        one("is_sysadmin", "int"),
        ...columns("xe_all", "int"),
        ...columns("xe_create xe_start xe_stop xe_drop", "int", maybe),
        one("view_state", "int"),
        maybe("view_perf", "int"),
        one("view_def", "int"),
      ]),
    ],
  },
  ABOUT: {
    rests: "@@VERSION, SERVERPROPERTY, @@SPID",
    longestMs: STATEMENT_MS,
    sets: [
      set(1, 1, [one("version", "nvarchar"), one("collation", "nvarchar"), one("session_id", "smallint")]),
    ],
  },
  PRINCIPALS: {
    rests: "sys.login_token",
    longestMs: STATEMENT_MS,
    sets: [set(0, Infinity, [one("name", "nvarchar"), one("type", "nvarchar", { words: PRINCIPAL_TYPES })])],
  },
  topology: {
    rests:
      "sys.availability_groups, sys.dm_hadr_availability_group_states, sys.availability_replicas, sys.dm_hadr_availability_replica_states, sys.dm_hadr_database_replica_states, sys.availability_databases_cluster, sys.availability_group_listeners",
    errors: [LOCK_TIMEOUT],
    longestMs: STATEMENT_MS,
    sets: [
      set(
        1,
        Infinity,
        [
          ...guids("group_id"),
          one("name", "nvarchar"),
          maybe("is_distributed", "bit"),
          maybe("is_contained", "bit"),
          // The page has varchar; other views have the name of a server as nvarchar.
          maybe("primary_replica", "varchar|nvarchar"),
        ],
        { needsDefinition: true },
      ),
      set(
        1,
        Infinity,
        [
          ...guids("replica_id group_id"),
          one("replica_server_name", "nvarchar"),
          maybe("availability_mode", "tinyint"),
          maybe("availability_mode_desc", "nvarchar", {
            words: ["ASYNCHRONOUS_COMMIT", "SYNCHRONOUS_COMMIT", "CONFIGURATION_ONLY"],
          }),
          maybe("is_local", "bit"),
          ...stateColumns,
        ],
        { needsDefinition: true },
      ),
      set(1, Infinity, [
        ...guids("group_id replica_id group_database_id"),
        one("database_id", "int"),
        maybe("database_name", "nvarchar"),
        one("is_local", "bit"),
      ]),
      set(0, Infinity, [...guids("group_id"), maybe("dns_name", "nvarchar"), maybe("port", "int")]),
    ],
  },
  CLUSTER_REPLICAS: {
    rests: "sys.dm_hadr_availability_replica_cluster_states",
    longestMs: STATEMENT_MS,
    sets: [set(1, Infinity, [...guids("replica_id group_id"), one("replica_server_name", "nvarchar")])],
  },
  AVAILABLE_EVENTS: {
    rests:
      "sys.dm_xe_objects, sys.dm_xe_packages, sys.dm_xe_object_columns; which events a version has: assumed",
    longestMs: STATEMENT_MS,
    sets: [
      set(1, EVENTS.length, [
        one("package", "nvarchar", { words: ["sqlserver"] }),
        one("name", "nvarchar", { words: EVENTS, hasAllWords: true }),
      ]),
      set(1, 2 * EVENTS.length, [
        one("object_name", "nvarchar", { words: EVENTS }),
        one("name", "nvarchar", { words: ["database_id", "start_timestamp"], hasAllWords: true }),
      ]),
    ],
  },
  SESSION_STATE: {
    rests: "sys.server_event_sessions, sys.dm_xe_sessions",
    longestMs: STATEMENT_MS,
    sets: [
      set(0, 1, [
        one("name", "nvarchar"),
        maybe("max_dispatch_latency", "int"),
        maybe("started_at", "varchar"),
      ]),
    ],
  },
  ALL_SESSIONS: {
    rests:
      "sys.server_event_sessions, sys.dm_xe_sessions, sys.dm_xe_session_targets, sys.dm_exec_requests, sys.dm_exec_sessions; the target of a reader: assumed",
    longestMs: STATEMENT_MS,
    sets: [
      // Every instance has system_health.
      set(1, Infinity, [
        one("name", "nvarchar"),
        maybe("max_dispatch_latency", "int"),
        maybe("started_at", "varchar"),
        maybe("target_name", "nvarchar", { words: ["event_stream"] }),
      ]),
      set(0, Infinity, [
        one("session_id", "smallint"),
        maybe("host_name", "nvarchar"),
        maybe("program_name", "nvarchar"),
      ]),
    ],
  },
  POLL_CLOCK: {
    rests: "sys.dm_os_sys_info, SYSUTCDATETIME",
    longestMs: POLL_MS,
    sets: [set(1, 1, [one("ms_ticks", "bigint"), one("started_at", "varchar"), one("utc_now", "datetime2")])],
  },
  POLL_SESSION: {
    rests: "sys.dm_xe_sessions",
    longestMs: POLL_MS,
    sets: [set(0, 1, columns("dropped_event_count dropped_buffer_count", "int"))],
  },
  pollDatabases: {
    rests: "sys.dm_hadr_database_replica_states",
    longestMs: POLL_MS,
    sets: [
      set(1, Infinity, [
        ...guids("replica_id group_id group_database_id"),
        one("database_id", "int"),
        one("is_local", "bit"),
        maybe("is_primary_replica", "bit"),
        maybe("synchronization_state_desc", "nvarchar", {
          words: ["NOT SYNCHRONIZING", "SYNCHRONIZING", "SYNCHRONIZED", "REVERTING", "INITIALIZING"],
        }),
        maybe("is_suspended", "bit"),
        maybe("suspend_reason_desc", "nvarchar", { words: SUSPENDED }),
        ...columns("log_send_queue_size log_send_rate redo_queue_size redo_rate", "bigint", maybe),
        maybe("last_commit_time", "varchar"),
        maybe("secondary_lag_seconds", "bigint"),
      ]),
    ],
  },
  POLL_WAITS: {
    rests: "sys.dm_os_wait_stats; that it has a row for each wait type: assumed",
    longestMs: POLL_MS,
    sets: [
      set(1, POLLED_WAIT_TYPES.length, [
        one("wait_type", "nvarchar", { words: [...POLLED_WAIT_TYPES], hasAllWords: true }),
        ...columns("waiting_tasks_count wait_time_ms signal_wait_time_ms", "bigint"),
      ]),
    ],
  },
  POLL_SCHEDULERS: {
    rests: "sys.dm_os_schedulers",
    longestMs: POLL_MS,
    sets: [set(1, 1, columns("schedulers runnable runnable_max", "int"))],
  },
  POLL_COST: {
    rests: "sys.dm_exec_sessions",
    longestMs: POLL_MS,
    sets: [set(1, 1, columns("cpu_time", "int"))],
  },
  POLL_WAITING: {
    rests: "sys.dm_exec_requests",
    longestMs: POLL_MS,
    sets: [
      set(0, 50, [
        ...columns("session_id database_id", "smallint"),
        maybe("database_name", "nvarchar"),
        one("wait_type", "nvarchar", { words: ["HADR_SYNC_COMMIT", "WRITELOG"] }),
        one("wait_time", "int"),
      ]),
    ],
  },
  pollCounters: {
    rests:
      "sys.dm_os_performance_counters; the names of the counters: SQL Server, Database Replica and Availability Replica objects",
    longestMs: POLL_MS,
    sets: [
      set(1, Infinity, [
        one("object_name", "nvarchar"),
        one("counter_name", "nvarchar", { words: COUNTERS, hasAllWords: true }),
        maybe("instance_name", "nvarchar"),
        one("cntr_value", "bigint"),
      ]),
    ],
  },
  localDatabases: {
    rests: "sys.dm_hadr_database_replica_states, sys.master_files",
    errors: [LOCK_TIMEOUT],
    longestMs: POLL_MS,
    sets: [
      set(1, Infinity, [
        ...guids("group_database_id"),
        one("database_id", "int"),
        maybe("database_name", "nvarchar"),
      ]),
      set(1, Infinity, columns("database_id file_id", "int")),
    ],
  },
  pollLogFiles: {
    rests: "sys.dm_io_virtual_file_stats",
    longestMs: POLL_MS,
    sets: [
      set(1, 1, [
        ...columns("database_id file_id", "smallint"),
        ...columns("num_of_writes num_of_bytes_written io_stall_write_ms", "bigint"),
      ]),
    ],
  },
  replicaStates: {
    rests: "sys.dm_hadr_availability_replica_states",
    errors: [LOCK_TIMEOUT],
    longestMs: POLL_MS,
    sets: [
      set(1, Infinity, [
        ...guids("replica_id group_id"),
        one("is_local", "bit"),
        ...stateColumns,
        maybe("last_connect_error_description", "nvarchar"),
      ]),
    ],
  },
  LAST_STATEMENT: {
    rests: "sys.dm_exec_requests, sys.dm_exec_sql_text",
    longestMs: POLL_MS,
    sets: [set(0, 1, [maybe("text", "nvarchar(max)")])],
  },
  HEALTH_FILE: {
    rests: "sys.dm_xe_sessions, sys.dm_xe_session_targets",
    longestMs: STATEMENT_MS,
    // A user may have stopped the session.
    sets: [set(0, 1, [maybe("target_data", "nvarchar(max)")])],
  },
  HEALTH_EVENTS: {
    rests:
      "sys.fn_xe_file_target_read_file; the form of the time in event_data and the order of files by name: assumed",
    longestMs: STATEMENT_MS,
    sets: [
      set(0, MOST_HEALTH_EVENTS, [
        one("file_name", "nvarchar"),
        one("file_offset", "bigint"),
        maybe("event_data", "nvarchar(max)"),
      ]),
    ],
  },
  createSession: { rests: "CREATE EVENT SESSION", longestMs: STATEMENT_MS, sets: [] },
  startSession: { rests: "ALTER EVENT SESSION", longestMs: STATEMENT_MS, sets: [] },
  STREAM: {
    rests: "sys.fn_MSxe_read_event_stream; when rows come and in which order: assumed",
    longestMs: STATEMENT_MS,
    sets: [set(2, Infinity, [one("type", "int"), one("data", "image")])],
  },
  stopSession: { rests: "ALTER EVENT SESSION", longestMs: STATEMENT_MS, sets: [] },
  dropSession: { rests: "DROP EVENT SESSION", longestMs: STATEMENT_MS, sets: [] },
};
