import type { EvidenceEvent } from "../shapes.ts";

/** The part of an event that a message of SQL Server shows by its text, wherever the text is recorded. */
export interface MessageFacts extends Pick<
  EvidenceEvent,
  "kind" | "group" | "database" | "replica" | "message" | "states" | "count" | "text"
> {
  /** Length of what ended with the message, in µs; null for a single time. */
  readonly durationUs: number | null;
  /** The text may name a login or a computer, so that it is kept only on request. */
  readonly isSensitive: boolean;
}

type Facts = Partial<Omit<MessageFacts, "kind" | "message">> & { readonly text: string };

/** A message: its number in sys.messages, its English text as a pattern, and what it shows. */
interface MessageRule {
  readonly kind: EvidenceEvent["kind"];
  /** Null for information of the availability replica manager, which has no number in ERRORLOG. */
  readonly number: number | null;
  readonly pattern: RegExp;
  /** @param on the server in words, with a space before it; empty where it is not known */
  readonly facts: (found: Readonly<Record<string, string>>, on: string) => Facts;
}

const SECOND_US = 1_000_000;
const MS_US = 1_000;

const rule = (
  kind: MessageRule["kind"],
  number: MessageRule["number"],
  pattern: RegExp,
  facts: MessageRule["facts"],
): MessageRule => ({ kind, number, pattern, facts });

/** A message that names nothing but an availability group, or nothing at all. */
const plain = (
  kind: MessageRule["kind"],
  number: number | null,
  pattern: RegExp,
  text: string,
): MessageRule =>
  rule(kind, number, pattern, ({ group }, on) => ({
    ...(group === undefined ? {} : { group }),
    text: `${text.replace("{group}", group ?? "the group")}${on}.`,
  }));

/** In the order in which they are tried. Texts are those of sys.messages, language 1033. */
const RULES: readonly MessageRule[] = [
  rule(
    "role",
    19406,
    /The state of the local availability replica in availability group '(?<group>[^']+)' has changed from '(?<before>\w+)' to '(?<after>\w+)'/u,
    ({ group, before, after }, on) => ({
      group: group!,
      states: [before!, after!],
      text: `The replica${on} changed from ${before} to ${after} in ${group}.`,
    }),
  ),
  rule(
    "role",
    1480,
    /database "(?<database>[^"]+)" is changing roles from "(?<before>\w+)" to "(?<after>\w+)"/u,
    ({ database, before, after }, on) => ({
      database: database!,
      states: [before!, after!],
      text: `Database ${database}${on} changed from ${before} to ${after}.`,
    }),
  ),
  plain(
    "lease",
    19407,
    /The lease between availability group '(?<group>[^']+)' and the Windows Server Failover Cluster has expired/u,
    "The lease of {group} expired",
  ),
  plain(
    "lease",
    19419,
    /Windows Server Failover Cluster did not receive a process event signal from SQL Server hosting availability group '(?<group>[^']+)' within the lease timeout/u,
    "The cluster got no lease signal for {group} within the timeout",
  ),
  plain(
    "lease",
    19421,
    /SQL Server hosting availability group '(?<group>[^']+)' did not receive a process event signal from the Windows Server Failover Cluster within the lease timeout/u,
    "SQL Server got no lease signal for {group} within the timeout",
  ),
  plain(
    "lease",
    null,
    /The renewal of the lease between availability group '(?<group>[^']+)' and the Windows Server Failover Cluster failed/u,
    "The lease of {group} could not be renewed",
  ),
  plain(
    "lease",
    null,
    /The local replica of availability group '(?<group>[^']+)' is going offline because either the lease expired or lease renewal failed/u,
    "The replica of {group} went offline because the lease expired",
  ),
  plain(
    "role",
    null,
    /The local replica of availability group '(?<group>[^']+)' is going offline because/u,
    "The replica of {group} went offline",
  ),
  rule(
    "role",
    null,
    /The local replica of availability group '(?<group>[^']+)' is preparing to transition to the (?<after>\w+) role/u,
    ({ group, after }, on) => ({
      group: group!,
      text: `The replica of ${group}${on} prepared for the ${after} role.`,
    }),
  ),
  rule(
    "connectivity",
    35201,
    /A connection timeout has occurred while attempting to establish a connection to availability replica '(?<replica>[^']+)'/u,
    ({ replica }, on) => ({ replica: replica!, text: `A new connection to ${replica} timed out${on}.` }),
  ),
  rule(
    "connectivity",
    35206,
    /A connection timeout has occurred on a previously established connection to availability replica '(?<replica>[^']+)'/u,
    ({ replica }, on) => ({ replica: replica!, text: `The connection to ${replica} timed out${on}.` }),
  ),
  rule(
    "connectivity",
    35202,
    /A connection for availability group '(?<group>[^']+)' from availability replica '[^']+' with id *\[[^\]]*\] to '(?<replica>[^']+)' with id *\[[^\]]*\] has been successfully established/iu,
    ({ group, replica }, on) => ({
      group: group!,
      replica: replica!,
      text: `The connection to ${replica} for ${group} was established${on}.`,
    }),
  ),
  rule(
    "connectivity",
    35267,
    /Availability Groups connection with \w+ database terminated for \w+ database '(?<database>[^']+)' on the availability replica '(?<replica>[^']+)'/u,
    ({ database, replica }, on) => ({
      database: database!,
      replica: replica!,
      text: `Database ${database} lost the connection to ${replica}${on}.`,
    }),
  ),
  rule(
    "connectivity",
    35266,
    /Availability Groups connection with \w+ database established for \w+ database '(?<database>[^']+)' on the availability replica '(?<replica>[^']+)'/u,
    ({ database, replica }, on) => ({
      database: database!,
      replica: replica!,
      text: `Database ${database} was connected with ${replica}${on}.`,
    }),
  ),
  rule(
    "suspension",
    35264,
    /data movement for database '(?<database>[^']+)' has been suspended(?: for the following reason: "(?<reason>[^"]+)")?/u,
    ({ database, reason }, on) => ({
      database: database!,
      states: ["RESUMED", "SUSPENDED"],
      text: `Data movement of ${database} was suspended${on}${reason === undefined ? "" : ` (${reason})`}.`,
    }),
  ),
  rule(
    "suspension",
    35265,
    /data movement for database '(?<database>[^']+)' has been resumed/u,
    ({ database }, on) => ({
      database: database!,
      states: ["SUSPENDED", "RESUMED"],
      text: `Data movement of ${database} was resumed${on}.`,
    }),
  ),
  plain(
    "role",
    41144,
    /The local availability replica of availability group '(?<group>[^']+)' is in a failed state/u,
    "The replica of {group} is in a failed state",
  ),
  plain(
    "role",
    41143,
    /The local replica of availability group '(?<group>[^']+)' is in a failed state/u,
    "An operation found the replica of {group} in a failed state",
  ),
  plain(
    "role",
    41142,
    /The availability replica for availability group '(?<group>[^']+)' on this instance of SQL Server cannot become the primary replica/u,
    "The replica of {group} can't become primary replica",
  ),
  plain(
    "connectivity",
    41048,
    /Local Windows Server Failover Clustering service has become unavailable/u,
    "The service of the Windows cluster became unavailable",
  ),
  plain(
    "connectivity",
    41049,
    /Local Windows Server Failover Clustering node is no longer online/u,
    "The node of the Windows cluster is no longer online",
  ),
  plain(
    "connectivity",
    41055,
    /Local Windows Server Failover Clustering node is online/u,
    "The node of the Windows cluster is online",
  ),
  rule(
    "slowIo",
    833,
    /SQL Server has encountered (?<count>\d+) occurrence\(s\) of I\/O requests taking longer than (?<seconds>\d+) seconds to complete on file \[(?<file>[^\]]+)\] in database (?:\[(?<database>[^\]]+)\]|id (?<id>\d+))/u,
    ({ count, seconds, file, database, id }, on) => ({
      count: Number(count),
      database: database ?? null,
      durationUs: Number(seconds) * SECOND_US,
      text: `${count} I/O request${count === "1" ? "" : "s"} took at least ${seconds} s${on}: ${file} (${database ?? `database ${id}`}).`,
    }),
  ),
  rule(
    "scheduler",
    17883,
    /appears to be non-yielding on Scheduler (?<scheduler>\d+)\.(?:[^]*?Interval: (?<ms>\d+) ms)?/u,
    ({ scheduler, ms }, on) => ({
      durationUs: ms === undefined ? null : Number(ms) * MS_US,
      text: `A worker didn't yield on scheduler ${scheduler}${on}${ms === undefined ? "" : ` for ${Math.round(Number(ms) / 1000)} s`}.`,
    }),
  ),
  rule(
    "scheduler",
    17884,
    /New queries assigned to process on Node (?<node>\d+) have not been picked up by a worker thread in the last (?<seconds>\d+) seconds/u,
    ({ node, seconds }, on) => ({
      durationUs: Number(seconds) * SECOND_US,
      text: `No worker took new queries of node ${node} for ${seconds} s${on}.`,
    }),
  ),
  plain(
    "scheduler",
    17888,
    /All schedulers on Node \d+ appear deadlocked/u,
    "All schedulers of a node appear deadlocked",
  ),
  plain(
    "scheduler",
    17887,
    /IO Completion Listener .* appears to be non-yielding/u,
    "An I/O completion listener didn't yield",
  ),
  plain("memory", 701, /There is insufficient system memory/u, "Memory was insufficient for a query"),
  plain(
    "memory",
    17803,
    /memory allocation failure during connection establishment/u,
    "Memory was insufficient for a new connection",
  ),
  plain(
    "memory",
    17890,
    /A significant part of sql server process memory has been paged out/iu,
    "Memory of SQL Server was paged out",
  ),
  plain(
    "restart",
    17148,
    /SQL Server is terminating in response to a 'stop' request/u,
    "The service was stopped",
  ),
  plain(
    "restart",
    17147,
    /SQL Server is terminating because of a system shutdown/u,
    "SQL Server ended because Windows shut down",
  ),
  plain("restart", 17162, /SQL Server is starting at \w+ priority base/u, "SQL Server started"),
  plain(
    "restart",
    null,
    /The availability replica manager is going offline because SQL Server is shutting down/u,
    "The replicas went offline because SQL Server shut down",
  ),
  plain(
    "health",
    null,
    /The availability replica manager is going offline because the local Windows Server Failover Clustering \(WSFC\) node has lost quorum/u,
    "The replicas went offline because the cluster lost quorum",
  ),
];

/**
 * Messages that AlwaysOn_health records for their number, whose texts have nothing to take apart: endpoints of database
 * mirroring, the local node of the cluster, and reads and writes that failed.
 */
const BY_NUMBER: readonly (readonly [
  kind: EvidenceEvent["kind"],
  meaning: string,
  numbers: readonly number[],
])[] = [
  [
    "connectivity",
    "A connection of the replicas' endpoint failed or changed",
    [
      9642, 9666, 9691, 9692, 9693, 26022, 26023, 26024, 26069, 26070, 28034, 28036, 28047, 28048, 28080,
      28091, 33309, 35204, 35207, 35250,
    ],
  ],
  [
    "connectivity",
    "The node or the service of the Windows cluster changed",
    [41050, 41051, 41052, 41053, 41054],
  ],
  ["health", "A read or write of a database failed", [823, 824, 829]],
];

/** A text without any of these parts has no rule; most lines of an ERRORLOG are decided by it. */
const LIKELY =
  /availability|changing roles|data movement|Failover Cluster|I\/O requests|-yielding|deadlocked|picked up by a worker|insufficient system memory|memory allocation failure|paged out|SQL Server is (?:start|terminat)/iu;

/** Messages about availability groups that report nothing that happened. */
const INFORMATION =
  /replica manager is (?:starting|waiting)|no longer needs|waiting for local|Started listening|is enabled|Attribute synchronization/iu;

/** A message's facts; undefined where no rule knows it. @param number as the file has it, else null */
export function factsOfMessage(
  number: number | null,
  text: string,
  server: string | null,
): MessageFacts | undefined {
  const on = server === null ? "" : ` on ${server}`;
  if (!LIKELY.test(text)) return factsOfNumber(number, on);
  for (const { kind, number: usual, pattern, facts } of RULES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    return { ...NOTHING, kind, message: number ?? usual, ...facts(found.groups ?? {}, on) };
  }
  return factsOfNumber(number, on);
}

const NOTHING = {
  group: null,
  database: null,
  replica: null,
  states: null,
  count: 1,
  durationUs: null,
  isSensitive: false,
} as const;

function factsOfNumber(number: number | null, on: string): MessageFacts | undefined {
  const known = number === null ? undefined : BY_NUMBER.find(([, , numbers]) => numbers.includes(number));
  if (known === undefined) return undefined;
  const [kind, meaning] = known;
  return {
    ...NOTHING,
    isSensitive: true,
    kind,
    message: number,
    text: `${meaning}${on} (message ${number}).`,
  };
}

/** Whether a message without a rule is about availability groups, so that people should see that it wasn't understood. */
export const isUnknownGroupMessage = (text: string): boolean =>
  /availability (?:group|replica)|Always ?On/iu.test(text) && !INFORMATION.test(text);
