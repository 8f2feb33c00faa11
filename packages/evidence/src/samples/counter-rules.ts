import type { EvidenceSeries } from "../shapes.ts";

/** A performance counter that is read: the metric, and the factor to its unit. */
interface CounterRule {
  /** Object, without the instance of SQL Server. */
  readonly object: string;
  readonly counter: string;
  readonly metric: string;
  readonly unit: EvidenceSeries["unit"];
  readonly factor: number;
}

type Row = readonly [counter: string, metric: string, unit: EvidenceSeries["unit"], factor: number];

const DISK: readonly Row[] = [
  ["Avg. Disk sec/Write", "disk write latency", "ms", 1000],
  ["Avg. Disk sec/Read", "disk read latency", "ms", 1000],
  ["Current Disk Queue Length", "disk queue", "count", 1],
];

const DATABASE_REPLICA: readonly Row[] = [
  // In ms of waiting per second: divided by the transactions per second it is the wait of each.
  ["Transaction Delay", "transaction delay in ms", "perSecond", 1],
  ["Mirrored Write Transactions/sec", "mirrored write transactions", "perSecond", 1],
  ["Log Send Queue", "log send queue", "bytes", 1024],
  ["Recovery Queue", "recovery queue", "bytes", 1024],
  ["Redo Queue", "redo queue", "bytes", 1024],
  ["Redo Bytes Remaining", "redo queue", "bytes", 1024],
];

const AVAILABILITY_REPLICA: readonly Row[] = [
  ["Flow Control Time (ms/sec)", "flow control time in ms", "perSecond", 1],
  ["Flow Control/sec", "flow control", "perSecond", 1],
  ["Sends to Transport/sec", "sends to transport", "perSecond", 1],
  ["Bytes Sent to Transport/sec", "bytes sent to transport", "perSecond", 1],
  ["Sends to Replica/sec", "sends to replica", "perSecond", 1],
  ["Bytes Sent to Replica/sec", "bytes sent to replica", "perSecond", 1],
  ["Resent Messages/sec", "resent messages", "perSecond", 1],
];

const rulesOf = (object: string, rows: readonly Row[]): CounterRule[] =>
  rows.map(([counter, metric, unit, factor]) => ({ object, counter, metric, unit, factor }));

const COUNTER_RULES: readonly CounterRule[] = [
  ...rulesOf("LogicalDisk", DISK),
  ...rulesOf("PhysicalDisk", DISK),
  ...rulesOf("Database Replica", DATABASE_REPLICA),
  ...rulesOf("Availability Replica", AVAILABILITY_REPLICA),
];

const idOf = (object: string, counter: string): string => `${object}\\${counter}`.toLowerCase();
const BY_NAME = new Map(COUNTER_RULES.map((rule) => [idOf(rule.object, rule.counter), rule]));

/** A counter's path, taken apart. */
interface CounterPath {
  /** Host, with the instance of SQL Server behind it: `SQL1\PROD`; null for a path without a host. */
  readonly server: string | null;
  /** Object without the instance of SQL Server. */
  readonly object: string;
  /** Volume, database or replica; null without one. */
  readonly of: string | null;
  readonly counter: string;
}

const PATH = /^(?:\\\\([^\\]+))?\\([^\\(]+)(?:\((.*)\))?\\([^\\]+)$/u;

/** Takes `\\SQL1\MSSQL$PROD:Database Replica(Sales)\Transaction Delay` apart; null for another text. */
export function counterPath(path: string): CounterPath | null {
  const found = PATH.exec(path.trim());
  if (found === null) return null;
  const [, host = null, written = "", of = null, counter = ""] = found;
  const [, instance, object = written] = /^(?:sqlserver|mssql\$([^:]+)):(.+)$/iu.exec(written) ?? [];
  const server = host === null || instance === undefined ? host : `${host}\\${instance}`;
  return { server, object: object.trim(), of, counter: counter.trim() };
}

export const counterRule = ({ object, counter }: CounterPath): CounterRule | null =>
  BY_NAME.get(idOf(object, counter)) ?? null;

/**
 * The command that makes a CSV of the counters that matter of a binary file.
 * @param name of the file
 * @param server `HOST` or `HOST\INSTANCE`; null where unknown, then for the computer that runs the command
 */
export function relogCommand(name: string, server: string | null): string {
  const base = name.split(/[\\/]/u).at(-1) ?? name;
  const [host, instance] = server?.split("\\") ?? [];
  const computer = host === undefined ? "" : `\\\\${host}`;
  const sql = instance === undefined ? "SQLServer" : `MSSQL$${instance}`;
  const paths = [
    "LogicalDisk(*)\\Avg. Disk sec/Write",
    "LogicalDisk(*)\\Current Disk Queue Length",
    `${sql}:Database Replica(*)\\*`,
    `${sql}:Availability Replica(*)\\*`,
  ].map((path) => `"${computer}\\${path}"`);
  return `relog "${base}" -c ${paths.join(" ")} -f csv -o "${base.replace(/\.blg$/iu, "")}.csv"`;
}
