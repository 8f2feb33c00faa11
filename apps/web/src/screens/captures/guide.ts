/** T-SQL and PowerShell of the capture session (docs/guide/attach.md 4, docs/contribute/live-protocol.md 5.2, event list docs/contribute/model/events.md 1.1), built for one set of choices. */
import {
  createSession,
  dropSession,
  sessionFile,
  startSession,
  stopIfStarted,
  stopSession,
  type SessionChoices,
} from "@aglens/ag-model/events";

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

/** Creates the session and starts it on a server of one role. Each server records the same events: roles can change. */
export const sessionScript = (role: GuideRole, choices: SessionChoices): string => `${RUN_ON[role]}
${createSession(choices)}
GO
${startSession()}
GO
`;

export const STOP = `-- The primary first, secondaries last.
${stopSession()}`;

export const FIND = `SELECT ${sessionFile()} AS path;`;

/** Stops the session on each server and copies its files to one folder per server. */
export const FETCH = `# The primary first, secondaries last: the sessions stop in this order.
$servers = 'SQL1', 'SQL2', 'SQL3'
$query = @'
DECLARE @path nvarchar(260) = ${sessionFile()};
${stopIfStarted()}
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
${dropSession()}`;
