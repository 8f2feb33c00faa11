/** Counters that AG Lens polls from the servers once a second, as small lanes under the timeline. */
import {
  POLLED_WAIT_TYPES,
  type LiveCounters,
  type LiveDatabaseState,
  type LivePoll,
  type LiveReplica,
} from "@aglens/contract";
import type { TokenName } from "../../lanes/palette.ts";
import { durationLabel } from "../../charts/axis.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { type Figure, formatCount, formatDuration } from "../../ui/words.ts";
import { primaryAt, type Roles } from "./phase-lanes.ts";

export interface GaugeStep {
  /** µs; the value applies from `from` to `to`. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

export interface Gauge {
  readonly key: string;
  readonly label: string;
  /** Definition of the value, with its unit. */
  readonly words: string;
  /** Column or counter. */
  readonly source: string;
  readonly color: TokenName;
  readonly steps: readonly GaugeStep[];
  /** Time between steps in which no poll was answered: from, to. */
  readonly missed: readonly (readonly [number, number])[];
  /** The newest value; en dash when the gauge has no value. */
  readonly now: Figure;
  readonly format: (value: number) => Figure;
  /** Formats the round value at the top of its scale. */
  readonly scale: (value: number) => string;
  /** Shown unless the user chose otherwise. */
  readonly isUsual: boolean;
}

const USUAL_WAITS: Readonly<Record<string, TokenName>> = { HADR_SYNC_COMMIT: "--wait", WRITELOG: "--p-disk" };

const BYTES_PER_KB = 1024;
const plain = (value: number): Figure => ({ value: figureText(value), unit: "" });
/** A size that a view returns in KB. */
export const sizeFigureOfKb = (kb: number): Figure =>
  kb < 1000
    ? { value: formatCount(Math.round(kb)), unit: "KB" }
    : { value: (kb / 1000).toFixed(kb < 10_000 ? 2 : 1), unit: "MB" };
/** A rate that a view returns in KB/s. */
export const rateFigure = (kb: number): Figure => {
  const { value, unit } = sizeFigureOfKb(kb);
  return { value, unit: `${unit}/s` };
};
const plainScale = (value: number): string => String(Number(value.toFixed(3)));
const sizeScale = (kb: number): string => (kb < 1000 ? `${kb}\u2009KB` : `${kb / 1000}\u2009MB`);
const timeScale = (ms: number): string => durationLabel(ms * 1000).replace(" ", "\u2009");
const milliseconds = (ms: number): Figure => formatDuration(ms * 1000);
const perSecond = (ms: number): Figure => ({ value: figureText(ms), unit: "ms/s" });
const seconds = (s: number): Figure => ({ value: figureText(s), unit: "s" });

const SIZES = { format: sizeFigureOfKb, scale: sizeScale };
const RATES = { format: rateFigure, scale: sizeScale };
const TIMES = { format: milliseconds, scale: timeScale };
const NUMBERS = { format: plain, scale: plainScale };

function figureText(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return formatCount(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** The value of a poll and the time for which it applies, s; null or undefined where the poll has no value. */
type Pick = (poll: LivePoll) => number | null | undefined;

/** Maximum distance between two polls that follow each other, µs. */
const FOLLOWS_US = 500_000;
/** A poll that is later than this counts as missing, µs. */
const OVERDUE_US = 1_500_000;

/** @param polls of the draft's replica, oldest first */
function stepsOf(polls: readonly LivePoll[], { pick, length }: Draft): GaugeStep[] {
  const steps: GaugeStep[] = [];
  for (const poll of polls) {
    const value = pick(poll) ?? Number.NaN;
    const us = length(poll) * 1e6;
    if (Number.isNaN(value) || !(us > 0)) continue;
    const before = steps.at(-1)?.to ?? Number.NEGATIVE_INFINITY;
    const from = poll.at - us;
    // The server measured the length, and this machine the end: polls that follow each other share an edge.
    steps.push({ from: from < before || from - before < FOLLOWS_US ? before : from, to: poll.at, value });
  }
  return steps.filter(({ from, to }) => to > from);
}

function missedBetween(steps: readonly GaugeStep[], every: number, now: number): [number, number][] {
  const missed: [number, number][] = [];
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1]?.from ?? (now - step.to > OVERDUE_US + every * 1e6 ? now : step.to);
    if (next > step.to) missed.push([step.to, next]);
  }
  return missed;
}

/** Sum of the known values; null when no value is known. */
const sumOfKnown = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value) => value != null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

/** Ms per write over all log files of a server, weighted by writes. */
function msPerWrite({ logWrites }: LivePoll): number | null {
  const known = (logWrites ?? []).filter((file) => file.msPerWrite !== null && file.writes > 0);
  const writes = sumOfKnown(known.map((file) => file.writes));
  const spent = sumOfKnown(known.map((file) => (file.msPerWrite ?? 0) * file.writes));
  return writes === null || spent === null ? null : spent / writes;
}

function waiting(poll: LivePoll, type: string): number | null {
  if (poll.waits === null || !(poll.seconds > 0)) return null;
  const wait = poll.waits.find((entry) => entry.type === type);
  return (wait?.waitMs ?? 0) / (poll.seconds * 1000);
}

/** Stands for the replica that was the primary at the time of a poll. */
const PRIMARY_THEN = -1;

type Draft = Omit<Gauge, "steps" | "now" | "missed"> & {
  /** Index of the replica whose polls contain the value, or `PRIMARY_THEN`. */
  readonly replica: number;
  readonly pick: Pick;
  /** Time for which the value of a poll applies, s. */
  readonly length: (poll: LivePoll) => number;
  /** Interval between polls, s. */
  readonly every: number;
};

const EACH_POLL = { length: (poll: LivePoll): number => poll.seconds, every: 1 };
const EACH_5_S = { length: (poll: LivePoll): number => poll.counters?.seconds ?? 0, every: 5 };

function waitsOf(replica: LiveReplica, isPrimary: boolean): Draft[] {
  return POLLED_WAIT_TYPES.map((type) => ({
    ...NUMBERS,
    ...EACH_POLL,
    key: isPrimary ? `wait.${type}` : `wait.${type}.${replica.index}`,
    label: isPrimary ? type : `${type}, ${replica.name}`,
    words: texts.sessionsWaitingMean,
    source: "sys.dm_os_wait_stats",
    color: USUAL_WAITS[type] ?? "--wait",
    isUsual: isPrimary && type in USUAL_WAITS,
    replica: isPrimary ? PRIMARY_THEN : replica.index,
    pick: (poll) => waiting(poll, type),
  }));
}

/** Transaction Delay over Mirrored Write Transactions of all databases, weighted by transactions. */
function transactionDelay(): Draft {
  return {
    ...TIMES,
    ...EACH_5_S,
    key: "delay",
    label: texts.transactionDelay,
    words: texts.perMirroredWriteMean,
    source: texts.transactionDelayMirrored,
    color: "--wait",
    isUsual: true,
    replica: PRIMARY_THEN,
    pick: ({ counters }) => {
      const known = (counters?.databases ?? []).filter((each) => each.transactionDelayMs !== null);
      const writes = sumOfKnown(known.map((each) => each.mirroredPerSecond));
      const waited = sumOfKnown(
        known.map((each) => (each.transactionDelayMs ?? 0) * (each.mirroredPerSecond ?? 0)),
      );
      return writes === null || waited === null || writes === 0 ? null : waited / writes;
    },
  };
}

/** A secondary as the primary's views have it; attached or not. */
export interface KnownSecondary {
  readonly replicaId: string;
  readonly name: string;
}

function ofSecondary({ replicaId, name }: KnownSecondary): Draft[] {
  const databases = (poll: LivePoll, pick: (state: LiveDatabaseState) => number | null): number | null =>
    sumOfKnown((poll.databases ?? []).filter((state) => state.replicaId === replicaId).map(pick));
  const counter = (
    { counters }: LivePoll,
    pick: (each: LiveCounters["replicas"][number]) => number | null,
  ): number | null => sumOfKnown((counters?.replicas ?? []).filter((each) => each.name === name).map(pick));
  const replica = PRIMARY_THEN;
  return [
    {
      ...RATES,
      ...EACH_5_S,
      key: `sent.${name}`,
      label: texts.bytesSentTo(name),
      words: texts.perSecondMean,
      source: texts.bytesSentToReplica,
      color: "--n-out",
      isUsual: true,
      replica,
      pick: (poll) => {
        const bytes = counter(poll, (each) => each.sentBytesPerSecond);
        return bytes === null ? null : bytes / BYTES_PER_KB;
      },
    },
    {
      ...SIZES,
      ...EACH_POLL,
      key: `send.${name}`,
      label: texts.logSendQueue(name),
      words: texts.logNotSentYet,
      source: "log_send_queue_size",
      color: "--n-out",
      isUsual: true,
      replica,
      pick: (poll) => databases(poll, (state) => state.sendQueueKb),
    },
    {
      ...SIZES,
      ...EACH_POLL,
      key: `redo.${name}`,
      label: texts.redoQueue(name),
      words: texts.logNotRedoneYet,
      source: "redo_queue_size",
      color: "--s-work",
      isUsual: true,
      replica,
      pick: (poll) => databases(poll, (state) => state.redoQueueKb),
    },
    {
      format: perSecond,
      scale: plainScale,
      ...EACH_5_S,
      key: `flow.${name}`,
      label: texts.flowControlTime(name),
      words: texts.waitingToSendMean,
      source: texts.flowControlTimeLabel,
      color: "--n-back",
      isUsual: true,
      replica,
      pick: (poll) => counter(poll, (each) => each.flowControlMsPerSecond),
    },
    {
      ...RATES,
      ...EACH_POLL,
      key: `redorate.${name}`,
      label: texts.redoRate(name),
      words: texts.perSecondWhileRedo,
      source: "redo_rate",
      color: "--s-work",
      isUsual: false,
      replica,
      pick: (poll) => databases(poll, (state) => state.redoKbPerSecond),
    },
    {
      format: seconds,
      scale: plainScale,
      ...EACH_POLL,
      key: `lag.${name}`,
      label: texts.secondaryLag(name),
      words: texts.largestOfItsDatabases,
      source: "secondary_lag_seconds",
      color: "--s-work",
      isUsual: false,
      replica,
      pick: (poll) => {
        const lags = (poll.databases ?? []).filter((state) => state.replicaId === replicaId);
        const known = lags.map((state) => state.lagSeconds).filter((lag) => lag !== null);
        return known.length === 0 ? null : Math.max(...known);
      },
    },
  ];
}

function logFiles(replica: LiveReplica): Draft {
  return {
    ...TIMES,
    ...EACH_POLL,
    key: `file.${replica.index}`,
    label: texts.logWriteTime(replica.name),
    words: texts.perWriteToLog,
    source: "sys.dm_io_virtual_file_stats",
    color: replica.role === "primary" ? "--p-disk" : "--s-disk",
    isUsual: false,
    replica: replica.index,
    pick: msPerWrite,
  };
}

function runnableTasks(replica: LiveReplica): Draft {
  return {
    ...NUMBERS,
    ...EACH_POLL,
    key: `runnable.${replica.index}`,
    label: texts.runnableTasks(replica.name),
    words: texts.tasksWaiting,
    source: "sys.dm_os_schedulers",
    color: replica.role === "primary" ? "--p-work" : "--s-work",
    isUsual: false,
    replica: replica.index,
    pick: (poll) => poll.schedulers?.runnable,
  };
}

export interface GaugeSources {
  readonly replicas: readonly LiveReplica[];
  /** Phases of earlier roles. */
  readonly phases: Roles["phases"];
  readonly unattached: readonly KnownSecondary[];
  readonly polls: readonly LivePoll[];
  /** µs of the run. */
  readonly now: number;
}

/**
 * Every gauge with values, the waits of the primary first. Values of the primary come from the primary of that time.
 */
export function gaugesOf({ replicas, phases, unattached, polls, now }: GaugeSources): Gauge[] {
  const primary = replicas.find((replica) => replica.role === "primary");
  const secondaries = [...replicas.filter(({ role }) => role === "secondary"), ...unattached];
  const drafts = [
    ...(primary ? [...waitsOf(primary, true), transactionDelay()] : []),
    ...(primary ? secondaries.flatMap((secondary) => ofSecondary(secondary)) : []),
    ...replicas.map(logFiles),
    ...replicas.map(runnableTasks),
    ...replicas.filter((replica) => replica !== primary).flatMap((replica) => waitsOf(replica, false)),
  ];
  const inOrder = polls.toSorted((a, b) => a.at - b.at);
  // A mean across a role change belongs to neither server: the server was not the primary in a part of it.
  const isOfPrimary = ({ replica, at }: LivePoll, seconds: number): boolean =>
    [at, at - seconds * 1e6].every((edge) => primaryAt({ phases, replicas }, edge) === replica);
  return drafts.flatMap((draft) => {
    const own = inOrder.filter((poll) =>
      draft.replica === PRIMARY_THEN ? isOfPrimary(poll, draft.length(poll)) : poll.replica === draft.replica,
    );
    const steps = stepsOf(own, draft);
    const last = steps.at(-1);
    if (last === undefined) return [];
    const { replica: _replica, pick: _pick, length: _length, every, ...gauge } = draft;
    return [{ ...gauge, steps, missed: missedBetween(steps, every, now), now: gauge.format(last.value) }];
  });
}

/** Time for which a scale stays after its largest value is no longer shown, µs. */
const SHRINKS_AFTER_US = 30e6;

/**
 * Top of a gauge's scale: the next 1, 2, 2.5 or 5 over the largest value that is shown; 1 for a gauge of zeros. It
 * grows at once, and shrinks when a lower top has been enough for 30 s, so that a lane does not jump with each burst.
 * @param from of the range that is shown, µs of the run
 */
export function scaleTop(steps: readonly GaugeStep[], from: number, to: number): number {
  return roundTop(steps, from - SHRINKS_AFTER_US, to);
}

function roundTop(steps: readonly GaugeStep[], from: number, to: number): number {
  const most = steps.reduce((top, s) => (s.to > from && s.from < to ? Math.max(top, s.value) : top), 0);
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

/** Number of polls of the window with failures, and the reason of the newest failure. */
export function missedPolls(
  polls: readonly LivePoll[],
  from: number,
): { readonly count: number; readonly why: string } {
  const missed = polls.filter((poll) => poll.at >= from && poll.failures.length > 0);
  return { count: missed.length, why: missed.at(-1)?.failures[0]?.detail ?? "" };
}
