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
    ...delayOf(primary, hasSynchronous(replicas, primary)),
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

const commitsOf = (replica: ReplicaPoll): number => delayBySecondaries(replica).commits ?? -1;

/** Whether commits of the primary may wait for a secondary. */
const hasSynchronous = (replicas: readonly ReplicaPoll[], primary: ReplicaPoll | null): boolean =>
  primary?.commitMode !== "async" &&
  replicas.some((replica) => replica !== primary && replica.commitMode !== "async");

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

const NO_DELAY: Delay = { commits: null, delayMs: null, delayFrom: null };

/**
 * The longer mean: of the wait for secondaries, or of log writes on the primary. Without an end of a wait for secondaries, log writes
 * say nothing of it: commits may hang.
 */
function delayOf(primary: ReplicaPoll | null, waitsForSecondaries: boolean): Delay {
  if (primary === null) return NO_DELAY;
  const remote = delayBySecondaries(primary);
  if (waitsForSecondaries && remote.delayMs === null) return remote;
  const local = delayByWait(primary.reading, "WRITELOG");
  if (local === null || (local.delayMs ?? 0) <= (remote.delayMs ?? 0)) return remote;
  // Commits that wait for no secondary are in the number of waits only.
  return { ...local, commits: Math.max(local.commits ?? 0, remote.commits ?? 0) };
}

/**
 * Counters belong to databases, so they are of this group only; waits are of all groups of the server. Waits replace counters that are
 * disabled, or that cover other polls too.
 */
function delayBySecondaries(replica: ReplicaPoll): Delay {
  const { reading } = replica;
  if (reading === null || reading.seconds <= 0) return NO_DELAY;
  const { counters, seconds } = reading;
  const counted = delayByCounters(reading, new Set(databasesOf(replica).map(({ database }) => database)));
  const isSameInterval = counters !== null && Math.abs(counters.seconds - seconds) <= SAME_INTERVAL * seconds;
  const waited = isSameInterval && counted !== null ? null : delayByWait(reading, "HADR_SYNC_COMMIT");
  return waited ?? counted ?? NO_DELAY;
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

/** Null where waits were not asked for; a type that is not in the answer had none. */
function delayByWait(reading: PolledFigures | null, type: "HADR_SYNC_COMMIT" | "WRITELOG"): Delay | null {
  if (reading === null || reading.waits === null || reading.seconds <= 0) return null;
  const { count, waitMs } = reading.waits.find((wait) => wait.type === type) ?? { count: 0, waitMs: 0 };
  return { commits: count, delayMs: count === 0 ? null : waitMs / count, delayFrom: type };
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
