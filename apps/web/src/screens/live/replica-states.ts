/** What the views say of each secondary now: states, queues, and what a failover to it would cost. */
import type { LiveDatabaseState, LivePoll } from "@aglens/contract";
import type { LiveState } from "./picture.ts";

/** A view that was read longer ago than this no longer says "now", µs. */
const STALE_US = 10e6;

export interface Suspension {
  readonly database: string;
  /** suspend_reason_desc; null where the server gives none. */
  readonly reason: string | null;
  /** Instant of the first poll in a row that found it suspended, µs. */
  readonly since: number;
  /** It was so in the first poll that this page has. */
  readonly orEarlier: boolean;
}

/** A secondary as one column of the table. */
export interface SecondaryState {
  readonly replicaId: string;
  readonly name: string;
  readonly commitMode: "sync" | "async" | "undetermined";
  readonly isAttached: boolean;
  /** The state of all its databases, or `2 of 3 SYNCHRONIZED`; null when the view has none. */
  readonly synchronization: string | null;
  readonly connected: boolean | null;
  /** Why the last connection failed; null while it stands. */
  readonly lastError: string | null;
  readonly suspended: readonly Suspension[];
  readonly sendQueueKb: number | null;
  readonly sendKbPerSecond: number | null;
  readonly redoQueueKb: number | null;
  readonly redoKbPerSecond: number | null;
  readonly lagSeconds: number | null;
  /** Newest commits that would be lost, s; null = it cannot be told. */
  readonly dataLossSeconds: number | null;
  /** Redo queue over redo rate, s; null = it cannot be told. */
  readonly redoSeconds: number | null;
  readonly flowControlMsPerSecond: number | null;
  /** How old the newest decoded event is, s; null when none is read. */
  readonly heardSecondsAgo: number | null;
}

export interface ReplicaStates {
  /** Whose views these are, by name. */
  readonly source: string;
  /** When they were read, µs; older than a few seconds when polls are missing. */
  readonly at: number;
  readonly isStale: boolean;
  readonly secondaries: readonly SecondaryState[];
}

type Run = Pick<LiveState, "replicas" | "unattached" | "polls" | "now">;

/** By the primary's views, which have all secondaries; null while none is attached or none has answered. */
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
        redoSeconds: largest(states.map(redoSecondsOf)),
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
  // Which one it is that differs is in the lines below the table, or in the view.
  return `${words.filter((word) => word === "SYNCHRONIZED").length} of ${words.length} SYNCHRONIZED`;
}

/** Log that is there and has to be redone before the database opens; nothing to redo takes no time. */
function redoSecondsOf({ redoQueueKb, redoKbPerSecond }: LiveDatabaseState): number | null {
  if (redoQueueKb === 0) return 0;
  return redoQueueKb === null || !redoKbPerSecond ? null : redoQueueKb / redoKbPerSecond;
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

/** The sum of what is known; null when nothing is. */
function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** The largest; null when one is not known, because that one may be the largest. */
function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length ? null : Math.max(...known);
}

const SUSPEND_REASONS: Readonly<Record<string, string>> = {
  SUSPEND_FROM_USER: "by a user",
  SUSPEND_FROM_PARTNER: "by its partner, as after a forced failover",
  SUSPEND_FROM_REDO: "because redo failed",
  SUSPEND_FROM_APPLY: "because the log could not be written there",
  SUSPEND_FROM_CAPTURE: "because the primary could not capture its log",
  SUSPEND_FROM_RESTART: "before the server was restarted",
  SUSPEND_FROM_UNDO: "because undo failed",
  SUSPEND_FROM_REVALIDATION: "because the log differs since the connection came back",
  SUSPEND_FROM_XRF_UPDATE: "because no common point of the log was found",
};

/** Why data movement is suspended, to follow "suspended". */
export const suspendWords = (reason: string | null): string =>
  reason === null ? "for a reason that the server does not give" : (SUSPEND_REASONS[reason] ?? reason);

/** Resumes data movement; to be run on the secondary. */
export const resumeSql = (database: string): string =>
  `ALTER DATABASE [${database.replaceAll("]", "]]")}] SET HADR RESUME;`;
