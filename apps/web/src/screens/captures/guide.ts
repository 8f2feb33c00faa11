/** T-SQL of the capture session (docs/operate-live.md 4, docs/live.md 5.2, event list docs/model.md 1.1), built for one set of choices. */
import { recordedEvents } from "@aglens/ag-model/events";

/** Permissions before and from SQL Server 2022. */
export const PERMISSIONS = `USE master;  -- SQL Server 2014 SP2 to 2019
GRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO [login];

USE master;  -- SQL Server 2022, 2025
GRANT CREATE ANY EVENT SESSION, ALTER ANY EVENT SESSION ENABLE, ALTER ANY EVENT SESSION DISABLE,
  DROP ANY EVENT SESSION, VIEW SERVER PERFORMANCE STATE TO [login];`;

/** Creates the session; run on every replica. `perCommit` adds the events that fire for each commit. */
export function createScript(perCommit: boolean): string {
  const events = recordedEvents(perCommit).map((name) => `  ADD EVENT sqlserver.${name}`);
  return `-- On every replica, the primary and each secondary. Does not start anything yet.
CREATE EVENT SESSION [AGLens] ON SERVER
${events.join(",\n")}
  ADD TARGET package0.event_file (SET filename = N'AGLens', max_file_size = (500), max_rollover_files = (4))
  WITH (MAX_MEMORY = 16 MB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 5 SECONDS,
        MAX_EVENT_SIZE = 0 KB, MEMORY_PARTITION_MODE = NONE, TRACK_CAUSALITY = OFF, STARTUP_STATE = OFF);`;
}

export const START = `-- Secondaries first, the primary last.
ALTER EVENT SESSION [AGLens] ON SERVER STATE = START;`;

export const STOP = `-- The primary first, secondaries last. Five minutes are enough.
ALTER EVENT SESSION [AGLens] ON SERVER STATE = STOP;`;

export const FIND = `-- Where the files are: the directory of the error log, unless a path was given.
SELECT SERVERPROPERTY('ErrorLogFileName') AS error_log;`;

export const DROP = `-- After the files are copied.
DROP EVENT SESSION [AGLens] ON SERVER;`;
