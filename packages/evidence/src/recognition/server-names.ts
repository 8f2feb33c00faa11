/** Finds the server in the name of a file, as SQL LogScout, PSSDIAG and the cluster name their files. */

/** Each pattern has the server's name as its first group; an instance may be part of it. */
const PATTERNS: readonly RegExp[] = [
  // SERVER[_INSTANCE]_20260514T021630123456_AlwaysOn_Data_Movement_target_0_1.xel
  /^(.+?)_\d{8}T\d{6,}_/u,
  // NODE_INSTANCE_SQLDIAG_0_133.xel, which the cluster writes.
  /^(.+?)_SQLDIAG_\d+_\d+\.xel$/iu,
  // SERVER_ERRORLOG.1
  /^(.+?)_(?:ERRORLOG|SQLAGENT)\b/iu,
  /^(.+?)_cluster\.log$/iu,
  // PSSDIAG: SERVER__SQL_Base_Errorlog_Shutdown.OUT, SERVER_INSTANCE_SQLDIAG_Startup.OUT
  /^(.+?)__?(?:SQL_Base|SQLDIAG|PerfStats|MSINFO)/iu,
];

const DEFAULT_INSTANCE = "MSSQLSERVER";

/** The server in a file's name, as `HOST` or `HOST\INSTANCE`; null where no known pattern fits. */
export function serverInName(name: string): string | null {
  const base = name.split(/[\\/]/u).at(-1) ?? name;
  for (const pattern of PATTERNS) {
    const found = pattern.exec(base)?.[1];
    if (found !== undefined) return hostAndInstance(found);
  }
  return null;
}

/** Windows allows no underscore in the name of a computer, so the first one is before the instance. */
function hostAndInstance(name: string): string {
  const at = name.indexOf("_");
  if (at <= 0) return name;
  const instance = name.slice(at + 1);
  return instance === "" || instance.toUpperCase() === DEFAULT_INSTANCE
    ? name.slice(0, at)
    : `${name.slice(0, at)}\\${instance}`;
}
