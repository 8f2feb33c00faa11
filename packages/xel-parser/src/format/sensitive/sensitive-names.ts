/**
 * Fields and actions whose values name people or client computers, or quote statements with their parameters. Names are
 * those of SQL Server's own events and actions according to documents; no server's catalog was read (docs/evidence.md
 * 2).
 */
const SENSITIVE: ReadonlySet<string> = new Set([
  // Statements, their parameters, and reports that quote statements.
  "sql_text",
  "statement",
  "batch_text",
  "query_text",
  "input_buffer",
  "tsql_stack",
  "tsql_frame",
  "data_stream",
  "output_parameters",
  "showplan_xml",
  "xml_report",
  "blocked_process",
  "user_info",
  "user_data",
  "additional_information",
  // Session data of an application: CONTEXT_INFO may contain a user's name.
  "context_info",
  "session_context",
  // Client computers and their processes. The name of an application (client_app_name) is kept: it says whose commits
  // waited (decision 349).
  "client_hostname",
  "client_pid",
  "client_ip",
  "client_address",
  "host_name",
  "remote_host",
  "application_name",
  // People.
  "username",
  "user_name",
  "nt_username",
  "nt_domain",
  "session_nt_username",
  "session_nt_user",
  "login_name",
  "user_principal_name",
]);

/** Server, database and target principals: session_server_principal_name, database_principal_sid and so on. */
const PRINCIPAL = /(?:^|_)principal_(?:name|sid)$/u;

/** Parts that the reader adds to a name that an event has twice: the package before it, a number after it. */
const ADDED = /^.*\.|#\d+$/gu;

/** Whether values of a field or action of this name are dropped on receipt. @param name as in a file or an event */
export function isSensitiveField(name: string): boolean {
  const plain = name.replace(ADDED, "").toLowerCase();
  return SENSITIVE.has(plain) || PRINCIPAL.test(plain);
}
