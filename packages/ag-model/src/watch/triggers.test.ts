import { expect, test } from "vitest";
import type { FiredRule, UsualDelay, WatchPoint, WatchRules } from "./shapes.ts";
import { isQuietFor, metRules, nextTriggers, triggersAtStart } from "./triggers.ts";
import type { TriggerState } from "./triggers.ts";

const OFF: WatchRules = { commitDelay: null, timesUsual: null, queue: null, state: false, schedules: [] };
const DELAY: WatchRules = { ...OFF, commitDelay: { overMs: 15, forSeconds: 15 } };
const STATE: WatchRules = { ...OFF, state: true };

const point = (at: number, values: Partial<WatchPoint> = {}): WatchPoint => ({
  at: at * 1000,
  seconds: 5,
  commits: 100,
  delayMs: 5,
  delayFrom: "counters",
  sendQueueKb: 0,
  redoQueueKb: 0,
  rpoSeconds: 0,
  primary: "SQL1",
  notSynchronized: [],
  isStateKnown: true,
  ...values,
});

interface Ran {
  readonly fired: readonly FiredRule[];
  readonly state: TriggerState;
}

/** Polls every 5 s from 5 s on; null is a poll without an answer, which is no point at all. */
function run(
  rules: WatchRules,
  polls: readonly (Partial<WatchPoint> | null)[],
  usual: UsualDelay | null = null,
): Ran {
  let state = triggersAtStart(5);
  const fired: FiredRule[] = [];
  for (const [index, values] of polls.entries()) {
    if (values === null) continue;
    const next = nextTriggers(state, point(5 * (index + 1), values), rules, usual);
    state = next.state;
    fired.push(...next.fired);
  }
  return { fired, state };
}

const delays = (...values: readonly (number | null)[]) =>
  values.map((delayMs) => (delayMs === null ? null : { delayMs }));
const times = ({ fired }: Ran): number[] => fired.map(({ at }) => at / 1000);
const plain = (text: string): string => text.replaceAll("\u00A0", " ");

test("names the wait where the delay is not of this group alone", () => {
  const polls = [20, 38.2, 31].map((delayMs) => ({ delayMs, delayFrom: "WRITELOG" as const }));
  const usual = { low: 1, median: 3, high: 6 };
  const { fired } = run({ ...DELAY, timesUsual: { times: 4, forSeconds: 15 } }, polls, usual);
  expect(fired.map(({ text }) => plain(text))).toEqual([
    "Commit delay over 15 ms for 15 s (WRITELOG of SQL1)",
    "Commit delay over 4 times the usual 3 ms for 15 s (WRITELOG of SQL1)",
  ]);
});

test("fires when the delay was over its limit for the time, with the last poll's value", () => {
  const { fired } = run(DELAY, delays(5, 20, 38.2, 31));
  expect(fired.map((each) => ({ ...each, text: plain(each.text) }))).toEqual([
    {
      rule: "commitDelay",
      at: 20_000,
      text: "Commit delay over 15 ms for 15 s",
      value: 31,
      limit: 15,
      usual: null,
    },
  ]);
});

test("the limit itself is not over it, and one poll under it begins the time again", () => {
  expect(times(run(DELAY, delays(20, 20, 15, 20, 20)))).toEqual([]);
  expect(times(run(DELAY, delays(20, 20, 15, 20, 20, 20)))).toEqual([30]);
});

test("polls that come a little early are as many", () => {
  const early = [20, 20, 20].map((delayMs) => ({ delayMs, seconds: 4.9 }));
  expect(times(run(DELAY, early))).toEqual([15]);
  // 4 s three times are 12 s
  expect(
    times(
      run(
        DELAY,
        [20, 20, 20].map((delayMs) => ({ delayMs, seconds: 4 })),
      ),
    ),
  ).toEqual([]);
});

test("fires once until the delay was under 80 % of the limit for the same time", () => {
  const over = delays(20, 20, 20);
  // 12 ms is 80 % of 15 ms
  expect(times(run(DELAY, [...over, ...delays(12, 12, 12, 12), ...over]))).toEqual([15]);
  expect(times(run(DELAY, [...over, ...delays(11, 11, 13, 11), ...over]))).toEqual([15]);
  expect(times(run(DELAY, [...over, ...delays(11, 11, 11), ...over]))).toEqual([15, 45]);
});

test("a hole neither counts nor resets, unless it is longer than three intervals", () => {
  expect(times(run(DELAY, delays(20, 20, null, null, null, 20)))).toEqual([30]);
  expect(times(run(DELAY, delays(20, 20, null, null, null, null, 20, 20)))).toEqual([]);
  const hole = { delayMs: null, commits: null, seconds: 0 };
  expect(times(run(DELAY, [...delays(20, 20), hole, hole, ...delays(20)]))).toEqual([25]);
});

test("a time without commits is a hole, but ends what was met", () => {
  const idle = { delayMs: null, commits: 0 };
  expect(times(run(DELAY, [...delays(20, 20), idle, ...delays(20)]))).toEqual([20]);
  const over = delays(20, 20, 20);
  expect(metRules(run(DELAY, [...over, idle, idle]).state)).toEqual(["commitDelay"]);
  expect(metRules(run(DELAY, [...over, idle, idle, idle]).state)).toEqual([]);
});

test("commits that waited for longer than an interval count for as long as they waited", () => {
  const idle = { delayMs: null, commits: 0 };
  // 5 s, then nothing for 10 s, then commits that waited 14 s.
  expect(times(run(DELAY, [...delays(5), idle, idle, ...delays(14_000)]))).toEqual([]);
  expect(times(run(DELAY, [...delays(5), idle, idle, ...delays(15_000)]))).toEqual([20]);
  // Not longer than since the poll before.
  expect(times(run(DELAY, [...delays(5, 15_000)]))).toEqual([]);
});

test("a multiple of the usual needs the usual", () => {
  const rules: WatchRules = { ...OFF, timesUsual: { times: 3, forSeconds: 60 } };
  const polls = Array.from({ length: 12 }, () => ({ delayMs: 16 }));
  expect(run(rules, polls).fired).toEqual([]);
  const { fired } = run(rules, polls, { low: 4, median: 5.2, high: 8 });
  expect(fired).toHaveLength(1);
  expect(plain(fired[0]?.text ?? "")).toBe("Commit delay over 3 times the usual 5.2 ms for 1 min");
  expect(fired[0]).toMatchObject({ rule: "timesUsual", at: 60_000, value: 16, usual: 5.2 });
  expect(fired[0]?.limit).toBeCloseTo(15.6, 10);
  expect(run(rules, polls, { low: 0, median: 0, high: 0 }).fired).toEqual([]);
});

test("names the usual next to the limit of a delay", () => {
  const { fired } = run(DELAY, delays(20, 20, 20), { low: 4, median: 5, high: 8 });
  expect(fired[0]).toMatchObject({ limit: 15, usual: 5 });
});

test("queue and data loss need one poll, and are quiet under 80 %", () => {
  const rules: WatchRules = { ...OFF, queue: { sendQueueKb: 102_400, rpoSeconds: 90 } };
  const queues = [102_400, 102_401, 81_920, 120_000, 81_919, 110_000].map((sendQueueKb) => ({ sendQueueKb }));
  const { fired } = run(rules, queues);
  expect(fired.map(({ at, text, value }) => [at / 1000, plain(text), value])).toEqual([
    [10, "Log send queue over 100 MB", 102_401],
    [30, "Log send queue over 100 MB", 110_000],
  ]);
  const losses = [null, 90, 91, 200, 71, 91].map((rpoSeconds) => ({ rpoSeconds }));
  expect(run(rules, losses).fired.map(({ at, text }) => [at / 1000, plain(text)])).toEqual([
    [15, "Estimated data loss over 90 s"],
    [30, "Estimated data loss over 90 s"],
  ]);
  expect(
    run({ ...OFF, queue: { sendQueueKb: null, rpoSeconds: null } }, [...queues, ...losses]).fired,
  ).toEqual([]);
});

test("several rules fire in one poll", () => {
  const rules: WatchRules = { ...DELAY, queue: { sendQueueKb: 100, rpoSeconds: null } };
  const polls = [{ delayMs: 20 }, { delayMs: 20 }, { delayMs: 20, sendQueueKb: 101 }];
  const { fired, state } = run(rules, polls);
  expect(fired.map(({ rule }) => rule)).toEqual(["commitDelay", "sendQueue"]);
  expect(metRules(state)).toEqual(["commitDelay", "sendQueue"]);
});

test("each change of the primary is a failover", () => {
  const polls = ["SQL1", null, null, "SQL2", "SQL2", "SQL3"].map((primary) => ({
    primary,
    isStateKnown: primary !== null,
  }));
  expect(run(STATE, polls).fired.map(({ at, rule, text }) => [at / 1000, rule, text])).toEqual([
    [20, "state", "Failover from SQL1 to SQL2"],
    [30, "state", "Failover from SQL2 to SQL3"],
  ]);
  expect(run(OFF, polls).fired).toEqual([]);
});

test("a failover while the watch was ended is one", () => {
  const { fired } = nextTriggers(triggersAtStart(5, "SQL3"), point(5), STATE, null);
  expect(fired.map(({ text }) => text)).toEqual(["Failover from SQL3 to SQL1"]);
});

const behind = (...lists: readonly (readonly string[])[]) =>
  lists.map((notSynchronized) => ({ notSynchronized }));

test("a secondary that isn't SYNCHRONIZED for two polls fires once until all were for two", () => {
  expect(run(STATE, behind([], ["SQL2"], [], ["SQL3"], ["SQL2"])).fired).toEqual([]);
  const once = run(STATE, behind([], ["SQL2"], ["SQL2"], ["SQL2"], [], ["SQL2"], ["SQL2"]));
  expect(once.fired.map(({ at, text }) => [at / 1000, text])).toEqual([[15, "SQL2 isn't SYNCHRONIZED"]]);
  expect(times(run(STATE, behind(["SQL2"], ["SQL2"], [], [], ["SQL2"], ["SQL2"])))).toEqual([10, 30]);
  const both = run(STATE, behind(["SQL2", "SQL3"], ["SQL2", "SQL3"]));
  expect(both.fired[0]?.text).toBe("SQL2 and SQL3 aren't SYNCHRONIZED");
});

test("the secondaries of a failover are not reported again", () => {
  const after = { primary: "SQL2", notSynchronized: ["SQL1"] };
  const { fired, state } = run(STATE, [{}, after, after, after]);
  expect(fired).toHaveLength(1);
  expect(metRules(state)).toEqual(["state"]);
});

test("a poll without an answer about states is a hole", () => {
  const hole = { primary: null, isStateKnown: false };
  expect(times(run(STATE, [...behind(["SQL2"]), hole, ...behind(["SQL2"])]))).toEqual([15]);
  // Neither are two of them two polls with all SYNCHRONIZED.
  const unknown = { isStateKnown: false };
  const away = behind(["SQL2"], ["SQL2"]);
  expect(times(run(STATE, [...away, unknown, unknown, ...away]))).toEqual([10]);
  expect(times(run(STATE, [{}, { primary: "SQL2", isStateKnown: false }]))).toEqual([10]);
});

test("is quiet for the seconds of polls since the last one over a limit", () => {
  expect(isQuietFor(run(DELAY, delays(5, 5)).state)).toBe(10);
  expect(isQuietFor(run(DELAY, delays(5, 16)).state)).toBe(0);
  expect(isQuietFor(run(DELAY, delays(20, 20, 20, 5, 5, 5)).state)).toBe(15);
  // Over 80 % of the limit is quiet only under a rule that isn't met.
  expect(isQuietFor(run(DELAY, delays(13, 13)).state)).toBe(10);
  expect(isQuietFor(run(DELAY, delays(20, 20, 20, 13)).state)).toBe(0);
  const hole = { delayMs: null, commits: null, seconds: 0 };
  expect(isQuietFor(run(DELAY, [...delays(20, 20, 20, 5), hole, null, ...delays(5)]).state)).toBe(10);
  const idle = { delayMs: null, commits: 0 };
  expect(isQuietFor(run(DELAY, [...delays(20, 20, 20), idle, idle]).state)).toBe(10);
});

test("a secondary that stays away is quiet after ten minutes", () => {
  const away = Array.from({ length: 120 }, () => ({ notSynchronized: ["SQL2"] }));
  expect(isQuietFor(run(STATE, away.slice(1)).state)).toBe(0);
  expect(isQuietFor(run(STATE, [...away, ...away]).state)).toBe(605);
  expect(isQuietFor(run(OFF, away).state)).toBe(600);
});

test("a rule that ends was quiet for no longer than it was quiet itself", () => {
  // After ten minutes it keeps no recording from its end, but it is met for ten more.
  const away = Array.from({ length: 240 }, () => ({ notSynchronized: ["SQL2"] }));
  expect(isQuietFor(run(STATE, [...away, {}]).state)).toBeGreaterThan(600);
  expect(isQuietFor(run(STATE, [...away, {}, {}]).state)).toBe(10);
  expect(isQuietFor(run(STATE, [...away, {}, {}, {}]).state)).toBe(15);
  // The queue is unknown for 15 s, and then under its limit.
  const queue = { ...OFF, queue: { sendQueueKb: 100, rpoSeconds: null } };
  const over = { sendQueueKb: 200 };
  const unknown = { sendQueueKb: null };
  expect(isQuietFor(run(queue, [over, unknown, unknown, unknown, {}]).state)).toBe(5);
});

test("a rule that is switched off is forgotten", () => {
  const { state } = run(DELAY, delays(20, 20, 20));
  const off = nextTriggers(state, point(20), OFF, null).state;
  expect(metRules(off)).toEqual([]);
});

test("the state is plain JSON", () => {
  const { state } = run(DELAY, delays(20, 20));
  const read = JSON.parse(JSON.stringify(state)) as TriggerState;
  expect(nextTriggers(read, point(15, { delayMs: 20 }), DELAY, null).fired).toHaveLength(1);
});
