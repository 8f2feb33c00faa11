/**
 * Statements that AG Lens sends to a replica during a run (docs/contribute/live-protocol.md 7). Each set is a batch of
 * its own, so that a failed or slow batch does not affect the others. Statements of every second read the server's
 * memory; statements that call the Windows cluster are sent only after a change.
 */
import { POLLED_WAIT_TYPES } from "@aglens/contract";

/** First version with distributed availability groups, and with `is_distributed`. */
const DISTRIBUTED_MAJOR = 13;

/**
 * A condition that skips rows of distributed availability groups: these list databases of their member groups once
 * more, under another group_id. sys.availability_groups has a cached copy of the cluster's data, so the statement does
 * not call the cluster.
 * @param groupId the column that is compared
 */
function notDistributed(major: number, groupId: string): string {
  if (major < DISTRIBUTED_MAJOR) return "1 = 1";
  return `NOT EXISTS (SELECT 1 FROM sys.availability_groups AS g WHERE g.group_id = ${groupId} AND g.is_distributed = 1)`;
}

/** The server's counter for rates, and its UTC, which the run compares with its own clock. */
export const POLL_CLOCK = `SELECT i.ms_ticks, CONVERT(varchar(33), i.sqlserver_start_time, 126) AS started_at, SYSUTCDATETIME() AS utc_now
FROM sys.dm_os_sys_info AS i;`;

/** Losses of a session since it started; @session nvarchar. Without a row it does not run. */
export const POLL_SESSION = `SELECT s.dropped_event_count, s.dropped_buffer_count FROM sys.dm_xe_sessions AS s WHERE s.name = @session;`;

/**
 * States and queues of databases in the server's own views; also the role of the local replica.
 * @param major 12 for SQL Server 2014, which has neither `secondary_lag_seconds` nor distributed groups
 */
export function pollDatabases(major: number): string {
  const lag = major >= 13 ? "d.secondary_lag_seconds" : "CONVERT(bigint, NULL) AS secondary_lag_seconds";
  return `SELECT d.replica_id, d.group_id, d.group_database_id, d.database_id, d.is_local, d.is_primary_replica,
  d.synchronization_state_desc, d.is_suspended, d.suspend_reason_desc, d.log_send_queue_size, d.log_send_rate,
  d.redo_queue_size, d.redo_rate, CONVERT(varchar(33), d.last_commit_time, 126) AS last_commit_time, ${lag}
FROM sys.dm_hadr_database_replica_states AS d WHERE ${notDistributed(major, "d.group_id")};`;
}

export const POLL_WAITS = `SELECT w.wait_type, w.waiting_tasks_count, w.wait_time_ms, w.signal_wait_time_ms FROM sys.dm_os_wait_stats AS w
WHERE w.wait_type IN (${POLLED_WAIT_TYPES.map((type) => `N'${type}'`).join(", ")});`;

/** A log file by the server's own numbers. */
export interface LogFileId {
  readonly databaseId: number;
  readonly fileId: number;
}

/** Writes of these log files, in one result set: the server looks at no other file. @param files at least one */
export function pollLogFiles(files: readonly LogFileId[]): string {
  const list = files.map(({ databaseId, fileId }) => `(${Math.trunc(databaseId)}, ${Math.trunc(fileId)})`);
  return `SELECT v.database_id, v.file_id, v.num_of_writes, v.num_of_bytes_written, v.io_stall_write_ms
FROM (VALUES ${list.join(", ")}) AS f (database_id, file_id)
CROSS APPLY sys.dm_io_virtual_file_stats(f.database_id, f.file_id) AS v;`;
}

export const POLL_SCHEDULERS = `SELECT COUNT(*) AS schedulers, SUM(o.runnable_tasks_count) AS runnable, MAX(o.runnable_tasks_count) AS runnable_max
FROM sys.dm_os_schedulers AS o WHERE o.status = N'VISIBLE ONLINE';`;

/** Sessions that wait for the end of a commit now, longest first; without text. */
export const POLL_WAITING = `SELECT TOP (50) r.session_id, r.database_id, DB_NAME(r.database_id) AS database_name, r.wait_type, r.wait_time
FROM sys.dm_exec_requests AS r WHERE r.wait_type IN (N'HADR_SYNC_COMMIT', N'WRITELOG') ORDER BY r.wait_time DESC;`;

/**
 * Counters of the availability groups, every 5 s: the view has thousands of rows on a server with many databases. The
 * instance of a replica begins with the name of its group. The collation is explicit because those of the two views may
 * differ.
 */
export function pollCounters(major: number): string {
  const ownGroup = `
    AND NOT EXISTS (SELECT 1 FROM sys.availability_groups AS g WHERE g.is_distributed = 1
      AND LEFT(c.instance_name, LEN(g.name) + 1) = g.name COLLATE Latin1_General_BIN2 + N':')`;
  return `SELECT RTRIM(c.object_name) AS object_name, RTRIM(c.counter_name) AS counter_name,
  RTRIM(c.instance_name) AS instance_name, c.cntr_value
FROM sys.dm_os_performance_counters AS c
WHERE (c.object_name LIKE N'%:Database Replica%' AND (c.counter_name LIKE N'Transaction Delay%'
    OR c.counter_name LIKE N'Mirrored Write Transaction%' OR c.counter_name LIKE N'Log Bytes Received%'
    OR c.counter_name LIKE N'Redone Bytes%'))
  OR (c.object_name LIKE N'%:Availability Replica%' AND (c.counter_name LIKE N'Flow Control%'
    OR c.counter_name LIKE N'Bytes Sent to Replica%')${major < DISTRIBUTED_MAJOR ? "" : ownGroup});`;
}

/** Local databases of the groups by name, and their log files; two result sets, once per change of the databases. */
export function localDatabases(major: number): string {
  return `SELECT d.group_database_id, d.database_id, DB_NAME(d.database_id) AS database_name
FROM sys.dm_hadr_database_replica_states AS d WHERE d.is_local = 1 AND ${notDistributed(major, "d.group_id")};
SELECT f.database_id, f.file_id FROM sys.master_files AS f WHERE f.type = 1
  AND f.database_id IN (SELECT database_id FROM sys.dm_hadr_database_replica_states WHERE is_local = 1);`;
}

/** Roles and connections, which the server asks the Windows cluster for: only after a state has changed. */
export function replicaStates(major: number): string {
  return `SELECT rs.replica_id, rs.group_id, rs.is_local, rs.role_desc, rs.connected_state_desc, rs.last_connect_error_description
FROM sys.dm_hadr_availability_replica_states AS rs WHERE ${notDistributed(major, "rs.group_id")};`;
}

/**
 * Text of a session's request that waits for a commit, else of another request of it; @session nvarchar. Without a row
 * the session has no request now. A session with multiple active result sets has several requests and several rows in
 * sys.dm_exec_connections, a view that VIEW SERVER PERFORMANCE STATE doesn't show.
 */
export const LAST_STATEMENT = `SELECT TOP (1) t.text
FROM sys.dm_exec_requests AS r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) AS t
WHERE r.session_id = CONVERT(int, @session)
ORDER BY CASE WHEN r.wait_type IN (N'HADR_SYNC_COMMIT', N'WRITELOG') THEN 0 ELSE 1 END, r.wait_time DESC;`;

/** CPU time of this connection since its login, ms; every login sees its own sessions. */
export const POLL_COST = `SELECT s.cpu_time FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID;`;

/** Name of the session that SQL Server records for availability groups itself. */
export const HEALTH_SESSION = "AlwaysOn_health";
/** Events of one answer; further ones of a flood are counted as skipped. */
export const MOST_HEALTH_EVENTS = 1000;

/** The file of AlwaysOn_health, as XML with its complete name; without a row the session doesn't run. */
export const HEALTH_FILE = `SELECT t.target_data FROM sys.dm_xe_sessions AS s
JOIN sys.dm_xe_session_targets AS t ON t.event_session_address = s.address
WHERE s.name = N'${HEALTH_SESSION}' AND t.target_name = N'event_file';`;

/**
 * The newest events of AlwaysOn_health after a place in its files, with their text from a time on; @path, @file, @offset
 * and @since nvarchar. With an empty @file and @offset it reads all of @path. Rows of earlier events have no text: they
 * show the place from which the next answer continues. The offset is that of a block, which is never written to again.
 */
export const HEALTH_EVENTS = `SELECT TOP (${MOST_HEALTH_EVENTS}) f.file_name, f.file_offset,
  CASE WHEN SUBSTRING(f.event_data, CHARINDEX(N'timestamp="', f.event_data) + 11, 23) COLLATE Latin1_General_BIN2 >= @since
    THEN f.event_data END AS event_data
FROM sys.fn_xe_file_target_read_file(@path, NULL, NULLIF(@file, N''), CONVERT(bigint, NULLIF(@offset, N''))) AS f
ORDER BY f.file_name DESC, f.file_offset DESC;`;
