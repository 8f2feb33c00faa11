/** Fields and actions of events that name people and computers or quote statements. */
const SENSITIVE: ReadonlySet<string> = new Set([
  "sql_text",
  "statement",
  "batch_text",
  "tsql_stack",
  "tsql_frame",
  "context_info",
  "client_hostname",
  "client_app_name",
  "client_pid",
  "username",
  "nt_username",
  "session_nt_username",
  "server_principal_name",
  "session_server_principal_name",
  "server_principal_sid",
  "session_server_principal_sid",
  "host_name",
  "login_name",
]);

/** A value of an answer without what those hold, however deep it is; what is not there, is not there by name either. */
export function withoutSensitiveFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSensitiveFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !SENSITIVE.has(key.toLowerCase()))
      .map(([key, each]) => [key, withoutSensitiveFields(each)]),
  );
}
