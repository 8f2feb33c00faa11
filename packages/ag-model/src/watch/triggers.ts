/**
 * Which rules a poll meets (docs/contribute/model/watches.md 8.2). A rule is met once, and again only after it was quiet: under
 * QUIET_PART of its limit for as long as it had to be over it.
 */
import { delayText, listText, periodText, queueText } from "./sentences.ts";
import type { FiredRule, PolledRule, UsualDelay, WatchPoint, WatchRules } from "./shapes.ts";

/** Part of a limit under which a value is quiet, so that a value near its limit meets a rule once. */
export const QUIET_PART = 0.8;
/** A longer hole, in intervals, ends a period over the limit. */
export const MOST_HOLE_INTERVALS = 3;
/** Polls in a row in which a synchronous secondary isn't SYNCHRONIZED, or in which all are. */
const STATE_POLLS = 2;
/** A secondary that isn't SYNCHRONIZED for longer keeps no recording from its end. */
const MOST_STATE_SECONDS = 600;
/** Part of an interval by which polls may be early. */
const JITTER = 0.1;

type DelayRule = Exclude<PolledRule, "state">;

interface RuleState {
  readonly isMet: boolean;
  /** Over the limit in a row, s; while the rule is met: quiet in a row. */
  readonly seconds: number;
  /** End of the last poll with a value; null before the first. */
  readonly knownAt: number | null;
}

/** All that rules remember of earlier polls; plain JSON. */
export interface TriggerState {
  /** Interval of the polls, s. */
  readonly everySeconds: number;
  readonly rules: Readonly<Record<DelayRule, RuleState>>;
  readonly synchronization: Synchronization;
  readonly quietSeconds: number;
}

interface Synchronization {
  /** The last known primary. */
  readonly primary: string | null;
  /** Synchronous secondaries that weren't SYNCHRONIZED in the last poll. */
  readonly notSynchronized: readonly string[];
  readonly isMet: boolean;
  /** Polls in a row with the same primary, and with all synchronous secondaries SYNCHRONIZED. */
  readonly polls: number;
  /** Seconds of polls since a change of primary in which a secondary wasn't. */
  readonly lastedSeconds: number;
}

const UNMET: RuleState = { isMet: false, seconds: 0, knownAt: null };

/** Before the first poll. @param primary the last known one, where a watch begins again */
export const triggersAtStart = (everySeconds: number, primary: string | null = null): TriggerState => ({
  everySeconds,
  rules: { commitDelay: UNMET, timesUsual: UNMET, sendQueue: UNMET, rpo: UNMET },
  synchronization: { primary, notSynchronized: [], isMet: false, polls: 0, lastedSeconds: 0 },
  quietSeconds: 0,
});

/** Rules that were met and have not been quiet since. */
export const metRules = ({ rules, synchronization }: TriggerState): PolledRule[] => [
  ...DELAY_RULES.filter((rule) => rules[rule].isMet),
  ...(synchronization.isMet ? (["state"] as const) : []),
];

/**
 * Seconds of polls since the last one that was over a rule's limit, or not quiet under a rule that is met. Time without an answer
 * doesn't count. A recording by hand or schedule meets no rule: its own length counts too.
 */
export const isQuietFor = (state: TriggerState): number => state.quietSeconds;

export interface Triggered {
  readonly state: TriggerState;
  /** Rules that this poll meets, and that had been quiet. */
  readonly fired: readonly FiredRule[];
}

/** @param usual delay of the point's weekday and hour; null while it is unknown */
export function nextTriggers(
  state: TriggerState,
  point: WatchPoint,
  rules: WatchRules,
  usual: UsualDelay | null,
): Triggered {
  const steps = measuresOf(point, rules, usual).map((measure) => ({
    measure,
    step: nextRule(state.rules[measure.rule], point, measure, state.everySeconds),
  }));
  const synchronization = nextSynchronization(state.synchronization, point, rules.state);
  const isActive = synchronization.isActive || steps.some(({ step }) => step.isActive);
  // A rule may be met without being active: when it ends, only its own quiet counts.
  const quietest = Math.min(synchronization.quietSeconds, ...steps.map(({ step }) => step.quietSeconds));
  const quietSeconds = isActive ? 0 : Math.min(state.quietSeconds + point.seconds, quietest);
  const fired = steps
    .filter(({ step }) => step.isFired)
    .map(({ measure: { rule, text, value, limit, usual } }): FiredRule => ({
      rule,
      at: point.at,
      text: text(),
      value,
      limit,
      usual,
    }));
  return {
    state: {
      ...state,
      rules: {
        ...triggersAtStart(0).rules,
        ...Object.fromEntries(steps.map(({ measure, step }) => [measure.rule, step.state])),
      },
      synchronization: synchronization.state,
      quietSeconds,
    },
    fired: [...fired, ...synchronization.texts.map((text) => stateRule(point.at, text))],
  };
}

const DELAY_RULES = ["commitDelay", "timesUsual", "sendQueue", "rpo"] as const;

/** A rule with its value in one poll, in the rule's unit. */
interface Measure {
  readonly rule: DelayRule;
  /** Null for a hole. */
  readonly value: number | null;
  readonly limit: number;
  readonly usual: number | null;
  /** 0: one poll is enough. */
  readonly forSeconds: number;
  /** A function because most polls meet no rule. */
  readonly text: () => string;
}

/** Rules that are on, and whose limit is known. */
function measuresOf(point: WatchPoint, rules: WatchRules, usual: UsualDelay | null): Measure[] {
  const { commitDelay, timesUsual, queue } = rules;
  const measures: Measure[] = [];
  const add = (measure: Omit<Measure, "usual"> & Partial<Measure>): void =>
    void measures.push({ usual: null, ...measure });
  const delay = { value: point.delayMs, usual: usual?.median ?? null };
  // Other delays are of this group; these waits are of all databases of the server.
  const source = point.delayFrom === "WRITELOG" ? ` (WRITELOG of ${point.primary})` : "";
  if (commitDelay !== null) {
    const { overMs: limit, forSeconds } = commitDelay;
    const text = (): string => `Commit delay over ${delayText(limit)} for ${periodText(forSeconds)}${source}`;
    add({ rule: "commitDelay", ...delay, limit, forSeconds, text });
  }
  if (timesUsual !== null) {
    const { times, forSeconds } = timesUsual;
    const median = usual?.median ?? 0;
    const text = (): string =>
      `Commit delay over ${times} times the usual ${delayText(median)} for ${periodText(forSeconds)}${source}`;
    // A poll without a usual is a hole: what was met stays met.
    const value = median > 0 ? point.delayMs : null;
    add({ rule: "timesUsual", ...delay, value, limit: times * median, forSeconds, text });
  }
  const sendQueueKb = queue?.sendQueueKb ?? null;
  if (sendQueueKb !== null) {
    const text = (): string => `Log send queue over ${queueText(sendQueueKb)}`;
    add({ rule: "sendQueue", value: point.sendQueueKb, limit: sendQueueKb, forSeconds: 0, text });
  }
  const rpoSeconds = queue?.rpoSeconds ?? null;
  if (rpoSeconds !== null) {
    const text = (): string => `Estimated data loss over ${periodText(rpoSeconds)}`;
    add({ rule: "rpo", value: point.rpoSeconds, limit: rpoSeconds, forSeconds: 0, text });
  }
  return measures;
}

interface RuleStep {
  readonly state: RuleState;
  readonly isFired: boolean;
  /** Over the limit; under a met rule: not quiet. */
  readonly isActive: boolean;
  /** For how long a rule was quiet that is met no longer, s; otherwise Infinity. */
  readonly quietSeconds: number;
}

function nextRule(before: RuleState, point: WatchPoint, measure: Measure, everySeconds: number): RuleStep {
  const { value, limit, forSeconds } = measure;
  // Without commits nothing is known of a delay, but a met rule is quiet: nothing waits that has ended.
  const isIdle = value === null && point.commits === 0 && isDelay(measure.rule);
  if (value === null && !(isIdle && before.isMet))
    return { state: before, isFired: false, isActive: false, quietSeconds: Infinity };
  const longest = (MOST_HOLE_INTERVALS + JITTER) * everySeconds;
  const earlier = before.knownAt !== null && holeBefore(before.knownAt, point) > longest ? 0 : before.seconds;
  const needed = forSeconds - JITTER * everySeconds;
  if (before.isMet) {
    const isQuiet = value === null || value < QUIET_PART * limit;
    const seconds = isQuiet ? earlier + point.seconds : 0;
    const hasEnded = isQuiet && seconds >= needed;
    const state = hasEnded ? { ...UNMET, knownAt: point.at } : { isMet: true, seconds, knownAt: point.at };
    return { state, isFired: false, isActive: !isQuiet, quietSeconds: hasEnded ? seconds : Infinity };
  }
  const isOver = value !== null && value > limit;
  const seconds = isOver ? earlier + secondsOver(before, point, measure) : 0;
  const isFired = isOver && seconds >= needed;
  return {
    state: { isMet: isFired, seconds: isFired ? 0 : seconds, knownAt: point.at },
    isFired,
    isActive: isOver,
    quietSeconds: Infinity,
  };
}

const isDelay = (rule: DelayRule): boolean => rule === "commitDelay" || rule === "timesUsual";

const holeBefore = (knownAt: number, { at, seconds }: WatchPoint): number => (at - knownAt) / 1000 - seconds;

/** Commits are counted when they end: after a hang of 30 s one poll with a mean of 30 s says what all of it was like. */
function secondsOver({ knownAt }: RuleState, point: WatchPoint, { rule, value }: Measure): number {
  if (!isDelay(rule) || knownAt === null || value === null) return point.seconds;
  return Math.max(point.seconds, Math.min(value, point.at - knownAt) / 1000);
}

interface SynchronizationStep {
  readonly state: Synchronization;
  readonly texts: readonly string[];
  readonly isActive: boolean;
  /** As of a rule. */
  readonly quietSeconds: number;
}

/** Each change of primary is reported; secondaries that aren't SYNCHRONIZED once until all were. */
function nextSynchronization(before: Synchronization, point: WatchPoint, isOn: boolean): SynchronizationStep {
  const { primary, notSynchronized, seconds } = point;
  const hasChanged = primary !== null && before.primary !== null && primary !== before.primary;
  if (!hasChanged && !point.isStateKnown) {
    const state = { ...before, primary: primary ?? before.primary };
    return { state, texts: [], isActive: false, quietSeconds: Infinity };
  }
  const still = notSynchronized.filter((name) => before.notSynchronized.includes(name));
  const isNew = !hasChanged && still.length > 0 && !before.isMet;
  const isSettled = notSynchronized.length === 0 && !hasChanged;
  const polls = isSettled ? before.polls + 1 : 0;
  const lastedSeconds = hasChanged || isSettled ? 0 : before.lastedSeconds + seconds;
  const state = {
    primary: primary ?? before.primary,
    notSynchronized,
    isMet: isOn && (hasChanged || isNew || (before.isMet && polls < STATE_POLLS)),
    polls,
    lastedSeconds,
  };
  const texts = [
    ...(hasChanged ? [`Failover from ${before.primary} to ${primary}`] : []),
    ...(isNew ? [`${listText(still)} ${still.length === 1 ? "isn't" : "aren't"} SYNCHRONIZED`] : []),
  ];
  return {
    state,
    texts: isOn ? texts : [],
    isActive: isOn && !isSettled && lastedSeconds < MOST_STATE_SECONDS,
    quietSeconds: before.isMet && !state.isMet ? polls * seconds : Infinity,
  };
}

const stateRule = (at: number, text: string): FiredRule => ({
  rule: "state",
  at,
  text,
  value: null,
  limit: null,
  usual: null,
});
