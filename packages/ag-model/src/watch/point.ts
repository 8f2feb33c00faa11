/** One point of a watch, from what the replicas of its group answered in one interval (docs/contribute/model/watches.md 8.1). */
import type { WatchPoint } from "./shapes.ts";

/** Parts of a replica's poll that a watch uses; a poll of a live run has this shape. */
export interface PolledFigures {
  /** Length of the interval that the deltas cover, s. */
  readonly seconds: number;
  readonly waits: readonly PolledWait[] | null;
  readonly counters: PolledCounters | null;
  /** The primary's view has all replicas, a secondary's only itself; also those of other groups. */
  readonly databases: readonly PolledDatabase[] | null;
}

export interface PolledWait {
  readonly type: string;
  /** Increases in the interval. */
  readonly waitMs: number;
  readonly count: number;
}

export interface PolledCounters {
  readonly seconds: number;
  readonly databases: readonly {
    readonly database: string;
    /** Null when no mirrored transaction ended. */
    readonly transactionDelayMs: number | null;
    readonly mirroredPerSecond: number | null;
  }[];
}

export interface PolledDatabase {
  readonly database: string;
  /** availability_replica_id. */
  readonly replicaId: string;
  readonly isLocal: boolean;
  /** synchronization_state_desc. */
  readonly synchronization: string | null;
  readonly sendQueueKb: number | null;
  readonly redoQueueKb: number | null;
  readonly dataLossSeconds: number | null;
}

/** A replica of the group in one interval. */
export interface ReplicaPoll {
  /** replica_server_name. */
  readonly serverName: string;
  /** availability_replica_id in the watched group; empty while it is unknown. */
  readonly replicaId: string;
  readonly role: "primary" | "secondary" | "unknown";
  readonly commitMode: "sync" | "async" | "undetermined";
  /** Null without an answer. */
  readonly reading: PolledFigures | null;
}

/** Counters of an interval that differs by more than this part from the poll's are of other polls too. */
const SAME_INTERVAL = 0.5;

/**
 * The values of one interval. Delay, queues and states are of the primary: without an answer of it they are null, except for
 * what secondaries report of themselves.
 * @param at end of the interval, ms since 1970
 */
export function pointOf(at: number, replicas: readonly ReplicaPoll[]): WatchPoint {
  const primary = primaryOf(replicas);
  const reading = primary?.reading ?? null;
  const all = primary === null ? [] : databasesOf(primary);
  const remote = all.filter(({ isLocal }) => !isLocal);
  const notSynchronized = notSynchronizedOf(replicas, primary, remote);
  const own = replicas.filter((each) => each !== primary).flatMap(databasesOf);
  return {
    at,
    seconds: reading?.seconds ?? 0,
    ...delayOf(reading, new Set(all.map(({ database }) => database))),
    syncCommitMs: waitMean(reading, "HADR_SYNC_COMMIT"),
    writeLogMs: waitMean(reading, "WRITELOG"),
    sendQueueKb: largest(remote.map(({ sendQueueKb }) => sendQueueKb)),
    redoQueueKb: largest([...remote, ...own].map(({ redoQueueKb }) => redoQueueKb)),
    rpoSeconds: largest(remote.map(({ dataLossSeconds }) => dataLossSeconds)),
    primary: primary?.serverName ?? null,
    notSynchronized,
    isStateKnown: (reading?.databases ?? null) !== null || notSynchronized.length > 0,
  };
}

/** After a forced failover two may be it for some time: commits are on one of them. */
export function primaryOf(replicas: readonly ReplicaPoll[]): ReplicaPoll | null {
  const [first, ...others] = replicas.filter(({ role, reading }) => role === "primary" && reading !== null);
  if (first === undefined) return null;
  return others.reduce((best, each) => (commitsOf(each) > commitsOf(best) ? each : best), first);
}

const commitsOf = (replica: ReplicaPoll): number =>
  delayOf(replica.reading, new Set(databasesOf(replica).map(({ database }) => database))).commits ?? -1;

/** Rows of the watched group: a database is in one group only. */
export function databasesOf({ reading, replicaId }: ReplicaPoll): readonly PolledDatabase[] {
  const rows = reading?.databases ?? [];
  if (replicaId === "") return rows;
  const names = new Set(
    rows.filter((row) => row.isLocal && row.replicaId === replicaId).map(({ database }) => database),
  );
  return rows.filter(({ database }) => names.has(database));
}

type Delay = Pick<WatchPoint, "commits" | "delayMs" | "delayFrom">;

/**
 * Counters belong to databases, so they are of this group only; waits are of all groups of the server. Waits replace counters that are
 * disabled, or that cover other polls too.
 */
function delayOf(reading: PolledFigures | null, databases: ReadonlySet<string>): Delay {
  if (reading === null || reading.seconds <= 0) return { commits: null, delayMs: null, delayFrom: null };
  const { counters, seconds } = reading;
  const counted = delayByCounters(reading, databases);
  const isSameInterval = counters !== null && Math.abs(counters.seconds - seconds) <= SAME_INTERVAL * seconds;
  const waited = isSameInterval && counted !== null ? null : delayByWaits(reading);
  return waited ?? counted ?? { commits: null, delayMs: null, delayFrom: null };
}

/** @param databases of the group; empty while these are unknown: then all count */
function delayByCounters({ counters, seconds }: PolledFigures, databases: ReadonlySet<string>): Delay | null {
  const known = (counters?.databases ?? []).filter(
    ({ database, mirroredPerSecond }) =>
      mirroredPerSecond !== null && (databases.size === 0 || databases.has(database)),
  );
  if (known.length === 0) return null;
  const rate = sum(known.map(({ mirroredPerSecond }) => mirroredPerSecond ?? 0));
  const weighted = known.map(
    ({ transactionDelayMs, mirroredPerSecond }) => (transactionDelayMs ?? 0) * (mirroredPerSecond ?? 0),
  );
  return {
    commits: Math.round(rate * seconds),
    delayMs: rate === 0 ? null : sum(weighted) / rate,
    delayFrom: "counters",
  };
}

function delayByWaits(reading: PolledFigures): Delay | null {
  if (reading.waits === null) return null;
  return {
    commits: waitOf(reading, "HADR_SYNC_COMMIT")?.count ?? 0,
    delayMs: waitMean(reading, "HADR_SYNC_COMMIT"),
    delayFrom: "waits",
  };
}

const waitOf = (reading: PolledFigures | null, type: string): PolledWait | undefined =>
  reading?.waits?.find((wait) => wait.type === type);

function waitMean(reading: PolledFigures | null, type: string): number | null {
  const wait = waitOf(reading, type);
  return wait === undefined || wait.count === 0 ? null : wait.waitMs / wait.count;
}

/**
 * As the primary last heard of them, else as they report it. A primary in asynchronous-commit mode has no synchronous
 * secondary.
 * @param remote the primary's rows of all secondaries
 */
function notSynchronizedOf(
  replicas: readonly ReplicaPoll[],
  primary: ReplicaPoll | null,
  remote: readonly PolledDatabase[],
): string[] {
  if (primary?.commitMode === "async") return [];
  const isBehind = (replica: ReplicaPoll): boolean => {
    if (replica === primary || replica.commitMode !== "sync") return false;
    return rowsOfSecondary(replica, remote).some(
      ({ synchronization }) => synchronization !== null && synchronization !== "SYNCHRONIZED",
    );
  };
  return replicas.filter(isBehind).map(({ serverName }) => serverName);
}

/**
 * Databases of a secondary as the primary last heard of them, else as it reports them.
 * @param remote the primary's rows of all secondaries
 */
export function rowsOfSecondary(
  replica: ReplicaPoll,
  remote: readonly PolledDatabase[],
): readonly PolledDatabase[] {
  const heard = remote.filter(({ replicaId }) => replicaId === replica.replicaId);
  return heard.length > 0 ? heard : databasesOf(replica).filter(({ isLocal }) => isLocal);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
