/** T-SQL of the session that records files (docs/guide/record.md), for the capture guide and for `xel session`. */
import { EVENTS_OF_CLIENTS, EVENTS_OF_SPLIT, recordedEvents } from "./catalog.ts";

/** Name of the session and prefix of its files where a user doesn't choose one. */
export const SESSION_NAME = "AGLens";

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

/** Creates the session. Each server records the same events, because roles can change. @param session letters, digits, - and _ */
export function createSession(choices: SessionChoices, session = SESSION_NAME): string {
  const events = recordedEvents(choices.perCommit, choices.fileWrites).map(
    (name) => `  ADD EVENT sqlserver.${name}${partsOf(name, choices)}`,
  );
  return `CREATE EVENT SESSION [${session}] ON SERVER
${events.join(",\n")}
  ADD TARGET package0.event_file
    (SET filename = N'${session}', max_file_size = (500), max_rollover_files = (4))
  WITH (MAX_MEMORY = 16 MB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS,
    MAX_DISPATCH_LATENCY = 5 SECONDS, MAX_EVENT_SIZE = 0 KB,
    MEMORY_PARTITION_MODE = NONE, TRACK_CAUSALITY = OFF, STARTUP_STATE = OFF);`;
}

export const startSession = (session = SESSION_NAME): string =>
  `ALTER EVENT SESSION [${session}] ON SERVER STATE = START;`;

export const stopSession = (session = SESSION_NAME): string =>
  `ALTER EVENT SESSION [${session}] ON SERVER STATE = STOP;`;

/** Stops the session, also where it is stopped already. */
export const stopIfStarted = (session = SESSION_NAME): string =>
  `IF EXISTS (SELECT 1 FROM sys.dm_xe_sessions WHERE name = N'${session}')
  ${stopSession(session)}`;

export const dropSession = (session = SESSION_NAME): string => `DROP EVENT SESSION [${session}] ON SERVER;`;

/** Drops the session, also where it is gone already. */
export const dropIfExists = (session = SESSION_NAME): string =>
  `IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'${session}')
  ${dropSession(session)}`;

/** The file of a running session; the error log next to which it is when the session is stopped. */
export const sessionFile = (session = SESSION_NAME): string => `COALESCE((
  SELECT CAST(t.target_data AS xml).value('(EventFileTarget/File/@name)[1]', 'nvarchar(260)')
  FROM sys.dm_xe_sessions AS s JOIN sys.dm_xe_session_targets AS t ON t.event_session_address = s.address
  WHERE s.name = N'${session}' AND t.target_name = N'event_file'), CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260)))`;
