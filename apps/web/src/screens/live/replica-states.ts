/**
 * Current figures of each secondary from the dynamic management views: states, queues, and estimated data loss and
 * recovery time of a failover to it.
 */
import type { LiveDatabaseState, LivePoll } from "@aglens/contract";
import { liveTexts as texts } from "../../messages/live.ts";
import type { LiveState } from "./picture.ts";

/** A view that was read longer ago than this is stale, µs. */
const STALE_US = 10e6;
/** Period over which the redo rate is measured, µs. */
const MEASURED_US = 30e6;
const BYTES_PER_KB = 1024;

export interface Suspension {
  readonly database: string;
  /** suspend_reason_desc; null where the server returns none. */
  readonly reason: string | null;
  /** Instant of the first poll in a row that found it suspended, µs. */
  readonly since: number;
  /** It was suspended in the first poll of this page too. */
  readonly orEarlier: boolean;
}

/** A secondary as one column of the table. */
export interface SecondaryState {
  readonly replicaId: string;
  readonly name: string;
  readonly commitMode: "sync" | "async" | "undetermined";
  readonly isAttached: boolean;
  /** The common state of its databases, or `2 of 3 SYNCHRONIZED`; null when the view has no state. */
  readonly synchronization: string | null;
  readonly connected: boolean | null;
  /** Why the last connection failed; null while the replica is connected. */
  readonly lastError: string | null;
  readonly suspended: readonly Suspension[];
  readonly sendQueueKb: number | null;
  readonly sendKbPerSecond: number | null;
  readonly redoQueueKb: number | null;
  readonly redoKbPerSecond: number | null;
  readonly lagSeconds: number | null;
  /** Time of the newest commits that would be lost, s; null where it can't be determined. */
  readonly dataLossSeconds: number | null;
  /** Time to redo the waiting log, for the database that takes longest; null where it can't be determined. */
  readonly redo: RedoTime | null;
  readonly flowControlMsPerSecond: number | null;
  /** Age of the newest decoded event, s; null when the replica is not read. */
  readonly heardSecondsAgo: number | null;
}

/** Redo queue over a redo rate. */
export interface RedoTime {
  readonly seconds: number;
  /**
   * "view" = redo_rate, a mean of the time in which there was something to redo; "counter" = Redone Bytes/sec of the secondary
   * itself over the last 30 s; null where nothing waits.
   */
  readonly rate: "view" | "counter" | null;
}

export interface ReplicaStates {
  /** Name of the server whose views these are. */
  readonly source: string;
  /** When they were read, µs; older than a few seconds when polls are missing. */
  readonly at: number;
  readonly isStale: boolean;
  readonly secondaries: readonly SecondaryState[];
}

type Run = Pick<LiveState, "replicas" | "unattached" | "polls" | "now">;

/**
 * States from the primary's views, which contain all secondaries; null while no primary is attached or none has
 * answered.
 */
export function replicaStates(run: Run): ReplicaStates | null {
  const primary = run.replicas.find(({ role }) => role === "primary");
  if (primary === undefined) return null;
  const polls = run.polls.filter(({ replica }) => replica === primary.index).sort((a, b) => a.at - b.at);
  const newest = polls.findLast(({ databases }) => databases !== null);
  if (newest === undefined) return null;
  const known = [
    ...run.replicas
      .filter((replica) => replica !== primary && replica.replicaId !== "")
      .map((replica) => ({ ...replica, isAttached: replica.state !== "failed" })),
    ...run.unattached.map((replica) => ({ ...replica, isAttached: false, behindSeconds: null })),
  ];
  const counters = polls.findLast((poll) => poll.counters !== null)?.counters ?? null;
  return {
    source: primary.name,
    at: newest.at,
    isStale: run.now - newest.at > STALE_US,
    secondaries: known.map(({ replicaId, name, commitMode, isAttached, behindSeconds }) => {
      const states = statesOf(newest, replicaId);
      const connection = newest.connections.find((each) => each.replicaId === replicaId);
      return {
        replicaId,
        name,
        commitMode,
        isAttached,
        synchronization: synchronizationOf(states),
        connected: connection?.connected ?? null,
        lastError: connection?.lastError ?? null,
        suspended: suspensions(polls, newest, replicaId),
        sendQueueKb: sumOfKnown(states.map((state) => state.sendQueueKb)),
        sendKbPerSecond: sumOfKnown(states.map((state) => state.sendKbPerSecond)),
        redoQueueKb: sumOfKnown(states.map((state) => state.redoQueueKb)),
        redoKbPerSecond: sumOfKnown(states.map((state) => state.redoKbPerSecond)),
        lagSeconds: largest(states.map((state) => state.lagSeconds).filter((lag) => lag !== null)),
        dataLossSeconds: largest(states.map((state) => state.dataLossSeconds)),
        redo: longestRedo(states, (database) => redoneKbPerSecond(run, replicaId, database)),
        flowControlMsPerSecond:
          counters?.replicas.find((each) => each.name === name)?.flowControlMsPerSecond ?? null,
        heardSecondsAgo: isAttached ? behindSeconds : null,
      };
    }),
  };
}

const statesOf = ({ databases }: LivePoll, replicaId: string): LiveDatabaseState[] =>
  (databases ?? []).filter((state) => state.replicaId === replicaId);

function synchronizationOf(states: readonly LiveDatabaseState[]): string | null {
  const words = states.map(({ synchronization }) => synchronization ?? "unknown");
  const [first] = words;
  if (first === undefined) return null;
  if (words.every((word) => word === first)) return first;
  // The lines below the table, or the view, show which database differs.
  return texts.ofSynchronized(words.filter((word) => word === "SYNCHRONIZED").length, words.length);
}

/** The longest redo time of databases that open at the same time; null when the time of one can't be determined. */
function longestRedo(
  states: readonly LiveDatabaseState[],
  redoneOf: (database: string) => number | null,
): RedoTime | null {
  const times = states.map((state) => redoTimeOf(state, redoneOf(state.database)));
  const known = times.filter((time) => time !== null);
  if (known.length === 0 || known.length < times.length) return null;
  return known.reduce((longest, time) => (time.seconds > longest.seconds ? time : longest));
}

/**
 * Time to redo the log that has arrived, which must be redone before the database opens. Where view and counter have
 * different rates, the slower one counts. A rate of 0 is ignored while the queue is not empty.
 * @param redoneKbPerSecond measured; null where it was not measured
 */
function redoTimeOf(
  { redoQueueKb, redoKbPerSecond }: LiveDatabaseState,
  redoneKbPerSecond: number | null,
): RedoTime | null {
  if (redoQueueKb === 0) return { seconds: 0, rate: null };
  if (redoQueueKb === null) return null;
  const byView = redoKbPerSecond ? redoQueueKb / redoKbPerSecond : Number.NEGATIVE_INFINITY;
  const byCounter = redoneKbPerSecond ? redoQueueKb / redoneKbPerSecond : Number.NEGATIVE_INFINITY;
  if (Math.max(byView, byCounter) < 0) return null;
  return byCounter > byView ? { seconds: byCounter, rate: "counter" } : { seconds: byView, rate: "view" };
}

/** Redo rate of an attached secondary by its own counter in the last 30 s, KB/s; null when the counter has no value. */
function redoneKbPerSecond(
  { replicas, polls, now }: Run,
  replicaId: string,
  database: string,
): number | null {
  const replica = replicas.find((each) => each.replicaId === replicaId)?.index;
  const counted = polls
    .filter((poll) => poll.replica === replica && poll.at > now - MEASURED_US)
    .flatMap(({ counters }) => counters?.databases ?? [])
    .filter((each) => each.database === database && each.redoneBytesPerSecond !== null);
  const bytes = sumOfKnown(counted.map((each) => each.redoneBytesPerSecond));
  return bytes === null ? null : bytes / counted.length / BYTES_PER_KB;
}

function suspensions(polls: readonly LivePoll[], newest: LivePoll, replicaId: string): Suspension[] {
  return statesOf(newest, replicaId)
    .filter(({ suspended }) => suspended)
    .map(({ database, suspendReason }) => {
      const answered = polls.filter(({ databases }) => databases !== null);
      const lastRunning = answered.findLastIndex((poll) =>
        statesOf(poll, replicaId).some((state) => state.database === database && !state.suspended),
      );
      const first = answered[lastRunning + 1] ?? newest;
      return { database, reason: suspendReason, since: first.at, orEarlier: lastRunning === -1 };
    });
}

/** The sum of the known values; null when no value is known. */
function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** The largest value; null when one value is not known, because that one may be the largest. */
function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length ? null : Math.max(...known);
}

const SUSPEND_REASONS: Readonly<Record<string, string>> = {
  SUSPEND_FROM_USER: texts.byAUser,
  SUSPEND_FROM_PARTNER: texts.byItsPartner,
  SUSPEND_FROM_REDO: texts.becauseRedoFailed,
  SUSPEND_FROM_APPLY: texts.becauseTheLogCould,
  SUSPEND_FROM_CAPTURE: texts.becauseThePrimaryCould,
  SUSPEND_FROM_RESTART: texts.beforeTheServer,
  SUSPEND_FROM_UNDO: texts.becauseUndoFailed,
  SUSPEND_FROM_REVALIDATION: texts.becauseTheLogDiffered,
  SUSPEND_FROM_XRF_UPDATE: texts.becauseNoCommonPoint,
};

/** Reason why data movement is suspended, as text after "suspended". */
export const suspendText = (reason: string | null): string =>
  reason === null ? texts.forAnUnknownReason : (SUSPEND_REASONS[reason] ?? reason);

/** Resumes data movement; to be run on the secondary. */
export const resumeSql = (database: string): string =>
  `ALTER DATABASE [${database.replaceAll("]", "]]")}] SET HADR RESUME;`;
