/**
 * Triggers that rules would have had over minutes that are kept (docs/contribute/model/watches.md 8.6). A minute's mean and longest poll
 * stand for its polls: how many of them were over a limit is an estimate, and times are those of minutes. Minutes don't keep
 * states, so the state rule is not rehearsed.
 */
import { refusalOf } from "./limits.ts";
import type { PastRecording, RecordingLimits } from "./limits.ts";
import type { FiredRule, WatchMinute, WatchPoint, WatchRules } from "./shapes.ts";
import { DAY_MS, MINUTE_MS } from "./times.ts";
import { isQuietFor, nextTriggers, triggersAtStart } from "./triggers.ts";
import { usualAt } from "./usual.ts";
import type { Usual } from "./usual.ts";

/** Triggers of one answer, the newest. */
const MOST_TRIGGERS = 1000;

/** The shape of `WatchRecording` in the contract. */
export interface RecordingRules extends RecordingLimits {
  readonly quietSeconds: number;
  readonly mostSeconds: number;
}

export interface RehearsalRules {
  readonly rules: WatchRules;
  readonly recording: RecordingRules;
  /** Interval of the polls, s. */
  readonly everySeconds: number;
}

export interface RehearsalFacts {
  /** The usual of now stands for that of each time. */
  readonly usual: Usual | null;
  /** Times of schedules, with their sentence and length. */
  readonly scheduled: readonly { readonly at: number; readonly text: string; readonly forSeconds: number }[];
  /** Mean of earlier recordings; null before the first: then the limit of bytes refuses nothing. */
  readonly bytesPerSecond: number | null;
}

/** A trigger, and why it would not have been recorded; null where it would. */
export interface RehearsedTrigger extends FiredRule {
  readonly refusal: string | null;
}

export interface Rehearsal {
  /** Time that was polled, in days. */
  readonly days: number;
  /** In the order of time, without rules that are met while a recording lasts. */
  readonly triggers: readonly RehearsedTrigger[];
}

/** @param minutes in the order of time */
export function rehearse(
  minutes: readonly WatchMinute[],
  { rules, recording, everySeconds }: RehearsalRules,
  { usual, scheduled, bytesPerSecond }: RehearsalFacts,
): Rehearsal {
  const recordings = new RehearsedRecordings(recording, bytesPerSecond ?? 0);
  const triggers: RehearsedTrigger[] = [];
  const add = (fired: FiredRule, forSeconds: number | null): void => {
    if (recordings.isRunning(fired.at) || triggers.at(-1)?.at === fired.at) return;
    triggers.push({ ...fired, refusal: recordings.begin(fired, forSeconds) });
  };
  const planned = scheduled.toSorted((a, b) => a.at - b.at);
  let state = triggersAtStart(everySeconds);
  let next = 0;
  for (const [index, minute] of minutes.entries()) {
    for (const point of pointsOf(minute, minutes[index - 1], minutes[index + 1], everySeconds)) {
      for (; next < planned.length && planned[next].at <= point.at; next++) {
        add(scheduleRule(planned[next]), planned[next].forSeconds);
      }
      const step = nextTriggers(state, point, rules, usualAt(usual, point.at));
      state = step.state;
      recordings.endAfter(point.at, isQuietFor(state));
      for (const fired of step.fired) add(fired, null);
    }
  }
  const seconds = minutes.reduce((sum, minute) => sum + minute.seconds, 0);
  return { days: (seconds * 1000) / DAY_MS, triggers: triggers.slice(-MOST_TRIGGERS) };
}

/** Recordings that would have been made, newest last. */
class RehearsedRecordings {
  readonly #rules: RecordingRules;
  readonly #bytesPerSecond: number;
  readonly #all: PastRecording[] = [];
  /** The end of the newest where a schedule gives it; ms since 1970. */
  #plannedEnd: number | null = null;

  constructor(rules: RecordingRules, bytesPerSecond: number) {
    this.#rules = rules;
    this.#bytesPerSecond = bytesPerSecond;
  }

  isRunning(at: number): boolean {
    if (this.#plannedEnd !== null && this.#plannedEnd <= at) this.#end(this.#plannedEnd);
    return this.#all.at(-1)?.ended === null;
  }

  /** @param forSeconds length of a schedule's @returns why it isn't recorded */
  begin({ rule, at }: FiredRule, forSeconds: number | null): string | null {
    const refusal = refusalOf(rule, at, this.#all, this.#rules);
    if (refusal !== null) return refusal;
    this.#all.push({ began: at, ended: null, bytes: null });
    this.#plannedEnd = forSeconds === null ? null : at + forSeconds * 1000;
    return null;
  }

  /** @param quietSeconds of polls up to this time */
  endAfter(at: number, quietSeconds: number): void {
    const running = this.#all.at(-1);
    if (running === undefined || !this.isRunning(at) || this.#plannedEnd !== null) return;
    const latest = running.began + this.#rules.mostSeconds * 1000;
    // The poll that began it was over a limit: quiet seconds are counted from there.
    if (quietSeconds >= this.#rules.quietSeconds || at >= latest) this.#end(Math.min(at, latest));
  }

  #end(at: number): void {
    const running = this.#all.pop();
    if (running === undefined) return;
    const bytes = ((at - running.began) / 1000) * this.#bytesPerSecond;
    this.#all.push({ ...running, ended: at, bytes });
    this.#plannedEnd = null;
  }
}

const scheduleRule = ({ at, text }: RehearsalFacts["scheduled"][number]): FiredRule => ({
  rule: "schedule",
  at,
  text,
  value: null,
  limit: null,
  usual: null,
});

/**
 * One or two points of a minute. Where its mean is nearer to a calm neighbor than to its longest poll, only a part of the minute was
 * as slow as that poll: as much as gives the mean.
 */
function pointsOf(
  minute: WatchMinute,
  before: WatchMinute | undefined,
  after: WatchMinute | undefined,
  everySeconds: number,
): WatchPoint[] {
  const { at, seconds, delayMs: mean, longestMs: longest } = minute;
  const end = at + MINUTE_MS;
  const one = [pointIn(minute, end, seconds, mean)];
  if (mean === null || longest === null) return one;
  const [earlier, later] = [before?.delayMs ?? null, after?.delayMs ?? null];
  const calm = Math.min(mean, earlier ?? mean, later ?? mean);
  const part = longest > calm ? (mean - calm) / (longest - calm) : 1;
  const slow = Math.max(everySeconds, part * seconds);
  if (part >= 0.5 || slow >= seconds) return one;
  const rest = Math.max(0, (mean * seconds - longest * slow) / (seconds - slow));
  const isSlowLast = (later ?? 0) > (earlier ?? 0);
  const lengths = isSlowLast ? [seconds - slow, slow] : [slow, seconds - slow];
  const delays = isSlowLast ? [rest, longest] : [longest, rest];
  return [
    pointIn(minute, end - lengths[1] * 1000, lengths[0], delays[0]),
    pointIn(minute, end, lengths[1], delays[1]),
  ];
}

const pointIn = (minute: WatchMinute, at: number, seconds: number, delayMs: number | null): WatchPoint => ({
  at,
  seconds,
  commits: minute.commits,
  delayMs,
  delayFrom: null,
  sendQueueKb: minute.sendQueueKb,
  redoQueueKb: minute.redoQueueKb,
  rpoSeconds: minute.rpoSeconds,
  primary: null,
  notSynchronized: [],
  isStateKnown: false,
});
