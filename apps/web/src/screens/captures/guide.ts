/** T-SQL and PowerShell of the capture session (docs/guide/attach.md 4, docs/contribute/live-protocol.md 5.2, event list docs/contribute/model/events.md 1.1), built for one set of choices. */
import { EVENTS_OF_CLIENTS, EVENTS_OF_SPLIT, recordedEvents } from "@aglens/ag-model/events";

/** Versions that need the same permissions. */
export type GuideVersion = "2014" | "2022";
export type GuideRole = "secondary" | "primary";

/** Permissions that a login needs to run the scripts. */
export const PERMISSIONS: Readonly<Record<GuideVersion, string>> = {
  "2014": `USE master;
GRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO [login];`,
  "2022": `USE master;
GRANT CREATE ANY EVENT SESSION, ALTER ANY EVENT SESSION ENABLE, ALTER ANY EVENT SESSION DISABLE,
  DROP ANY EVENT SESSION, VIEW SERVER PERFORMANCE STATE TO [login];`,
};

const RUN_ON: Readonly<Record<GuideRole, string>> = {
  secondary: "-- Run on each secondary replica, before the primary replica.",
  primary: "-- Run on the primary replica, when the session runs on each secondary replica.",
};

/** Events and actions that a session has on request. */
export interface SessionChoices {
  /** The events that fire for each commit. */
  readonly perCommit: boolean;
  /** The events that split log writes. */
  readonly fileWrites: boolean;
  /** The number of each event, event_sequence. */
  readonly numbers: boolean;
  /** session_id and client_app_name of each commit. */
  readonly sessionIds: boolean;
  readonly applications: boolean;
}

/** Choices of a new session. Numbers show whether figures are complete; other additions answer one question each. */
export const USUAL_CHOICES: SessionChoices = {
  perCommit: true,
  fileWrites: false,
  numbers: true,
  sessionIds: false,
  applications: false,
};

/** Actions and filter of an event. Writes to other files are not recorded: the first log file of a database is its file 2. */
function partsOf(name: string, { numbers, sessionIds, applications }: SessionChoices): string {
  const isOfClient = EVENTS_OF_CLIENTS.includes(name);
  const actions = [
    ...(numbers ? ["package0.event_sequence"] : []),
    ...(isOfClient && sessionIds ? ["sqlserver.session_id"] : []),
    ...(isOfClient && applications ? ["sqlserver.client_app_name"] : []),
  ];
  const parts = [
    ...(actions.length > 0 ? [`ACTION (${actions.join(", ")})`] : []),
    ...(EVENTS_OF_SPLIT.includes(name) ? ["WHERE file_id = 2"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(" ")})`;
}

/** Creates the session and starts it on a server of one role. Each server records the same events: roles can change. */
export function sessionScript(role: GuideRole, choices: SessionChoices): string {
  const events = recordedEvents(choices.perCommit, choices.fileWrites).map(
    (name) => `  ADD EVENT sqlserver.${name}${partsOf(name, choices)}`,
  );
  return `${RUN_ON[role]}
CREATE EVENT SESSION [AGLens] ON SERVER
${events.join(",\n")}
  ADD TARGET package0.event_file
    (SET filename = N'AGLens', max_file_size = (500), max_rollover_files = (4))
  WITH (MAX_MEMORY = 16 MB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS,
    MAX_DISPATCH_LATENCY = 5 SECONDS, MAX_EVENT_SIZE = 0 KB,
    MEMORY_PARTITION_MODE = NONE, TRACK_CAUSALITY = OFF, STARTUP_STATE = OFF);
GO
ALTER EVENT SESSION [AGLens] ON SERVER STATE = START;
GO
`;
}

export const STOP = `-- The primary first, secondaries last.
ALTER EVENT SESSION [AGLens] ON SERVER STATE = STOP;`;

/** The file of a running session; the error log next to which it is when the session is stopped. */
const FILE = `COALESCE((
  SELECT CAST(t.target_data AS xml).value('(EventFileTarget/File/@name)[1]', 'nvarchar(260)')
  FROM sys.dm_xe_sessions AS s JOIN sys.dm_xe_session_targets AS t ON t.event_session_address = s.address
  WHERE s.name = N'AGLens' AND t.target_name = N'event_file'), CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260)))`;

export const FIND = `SELECT ${FILE} AS path;`;

/** Stops the session on each server and copies its files to one folder per server. */
export const FETCH = `# The primary first, secondaries last: the sessions stop in this order.
$servers = 'SQL1', 'SQL2', 'SQL3'
$query = @'
DECLARE @path nvarchar(260) = ${FILE};
IF EXISTS (SELECT 1 FROM sys.dm_xe_sessions WHERE name = N'AGLens')
  ALTER EVENT SESSION [AGLens] ON SERVER STATE = STOP;
SELECT @path;
'@
$folders = foreach ($server in $servers) {
  $connection = New-Object System.Data.SqlClient.SqlConnection "Server=$server;Database=master;Integrated Security=true"
  $connection.Open()
  $command = $connection.CreateCommand()
  $command.CommandText = $query
  @{ Server = $server; Folder = Split-Path $command.ExecuteScalar() }
  $connection.Close()
}
foreach ($from in $folders) {
  $machine = ($from.Server -split '[\\\\,]')[0]
  $to = "C:\\AGLens\\$($from.Server -replace '[\\\\,]', '_')"
  New-Item -ItemType Directory -Force $to | Out-Null
  Copy-Item "\\\\$machine\\$($from.Folder -replace ':', '$$')\\AGLens*.xel" $to
}`;

export const DROP = `-- After the files are copied.
DROP EVENT SESSION [AGLens] ON SERVER;`;
