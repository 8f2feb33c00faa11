import { expect, test } from "vitest";
import { rehearse } from "./rehearsal.ts";
import type { RecordingRules, Rehearsal, RehearsalFacts } from "./rehearsal.ts";
import type { WatchMinute, WatchRules } from "./shapes.ts";
import { MINUTE_MS } from "./times.ts";

const BEGIN = Date.UTC(2026, 10, 24, 2);
const RULES: WatchRules = {
  commitDelay: { overMs: 15, forSeconds: 15 },
  timesUsual: null,
  queue: null,
  state: true,
  schedules: [],
};
const RECORDING: RecordingRules = {
  quietSeconds: 30,
  mostSeconds: 300,
  holdOffSeconds: 900,
  mostPerDay: 10,
  mostPerWeek: 20,
  mostBytesPerWeek: 1_000_000_000,
};
const NO_FACTS: RehearsalFacts = { usual: null, scheduled: [], bytesPerSecond: null };

const minute = (index: number, values: Partial<WatchMinute> = {}): WatchMinute => ({
  at: BEGIN + index * MINUTE_MS,
  polls: 12,
  seconds: 60,
  commits: 1200,
  delayMs: 5,
  longestMs: 6,
  sendQueueKb: 0,
  redoQueueKb: 0,
  rpoSeconds: 0,
  ...values,
});

/** Quiet minutes, and others at these indexes. */
const minutes = (count: number, others: Readonly<Record<number, Partial<WatchMinute>>>): WatchMinute[] =>
  Array.from({ length: count }, (_, index) => minute(index, others[index] ?? {}));

interface Options {
  readonly rules?: Partial<WatchRules>;
  readonly recording?: Partial<RecordingRules>;
  readonly facts?: Partial<RehearsalFacts>;
}

const run = (
  list: readonly WatchMinute[],
  { rules = {}, recording = {}, facts = {} }: Options = {},
): Rehearsal =>
  rehearse(
    list,
    { rules: { ...RULES, ...rules }, recording: { ...RECORDING, ...recording }, everySeconds: 5 },
    { ...NO_FACTS, ...facts },
  );

/** Minutes of the triggers, and what became of them. */
const told = ({ triggers }: Rehearsal): [number, string | null][] =>
  triggers.map(({ at, refusal }) => [
    Math.floor((at - BEGIN - 1) / MINUTE_MS),
    refusal?.replaceAll("\u00A0", " ") ?? null,
  ]);

const SLOW = { delayMs: 38, longestMs: 42 };

test("a slow minute is a trigger, with the rule's sentence", () => {
  const { triggers, days } = run(minutes(10, { 3: SLOW }));
  expect(triggers.map((each) => ({ ...each, text: each.text.replaceAll("\u00A0", " ") }))).toEqual([
    {
      rule: "commitDelay",
      at: BEGIN + 4 * MINUTE_MS,
      text: "Commit delay over 15 ms for 15 s",
      value: 38,
      limit: 15,
      usual: null,
      refusal: null,
    },
  ]);
  expect(days).toBeCloseTo(10 / 1440, 10);
});

test("a part of a minute counts for as long as its mean and longest poll tell", () => {
  // 20 s at 38 ms and 40 s at 5 ms: a mean of 16 ms.
  expect(told(run(minutes(5, { 2: { delayMs: 16, longestMs: 38 } })))).toEqual([[2, null]]);
  // 15 s at 38 ms: 13.25 ms, under the limit. 10 s: 10.5 ms.
  expect(told(run(minutes(5, { 2: { delayMs: 13.25, longestMs: 38 } })))).toHaveLength(1);
  expect(told(run(minutes(5, { 2: { delayMs: 10.5, longestMs: 38 } })))).toEqual([]);
  // One poll of 5 s at 150 ms: 17 ms.
  expect(told(run(minutes(5, { 2: { delayMs: 17, longestMs: 150 } })))).toEqual([]);
});

test("the slow part of a minute is next to the slow minute", () => {
  const rules = { commitDelay: { overMs: 15, forSeconds: 90 } };
  // 15 s, 60 s, 15 s at 38 ms, together 90 s.
  const edge = { delayMs: 13.25, longestMs: 38 };
  expect(told(run(minutes(6, { 1: edge, 2: SLOW, 3: edge }), { rules }))).toEqual([[3, null]]);
  // 15 s, 60 s and 10 s.
  const shorter = { delayMs: 10.5, longestMs: 38 };
  expect(told(run(minutes(6, { 1: edge, 2: SLOW, 3: shorter }), { rules }))).toEqual([]);
});

test("minutes that were not polled are no time over a limit", () => {
  const rules = { commitDelay: { overMs: 15, forSeconds: 90 } };
  const list = minutes(6, { 1: SLOW, 3: SLOW });
  expect(told(run(list.toSpliced(2, 1), { rules }))).toEqual([]);
  expect(told(run(minutes(6, { 1: SLOW, 2: SLOW }), { rules }))).toEqual([[2, null]]);
  const idle = { commits: 0, delayMs: null, longestMs: null };
  expect(told(run(minutes(3, { 0: idle, 1: idle })))).toEqual([]);
});

test("refuses as limits do, and a rule during a recording is no trigger", () => {
  // Recorded from the end of minute 2 until it was quiet for 30 s: the end of minute 3.
  const list = minutes(40, { 2: SLOW, 8: SLOW, 30: SLOW });
  expect(told(run(list))).toEqual([
    [2, null],
    [8, "Hold-off until 02:19:00 UTC, 15 min after the last recording."],
    [30, null],
  ]);
  expect(told(run(list, { recording: { mostPerDay: 1, holdOffSeconds: 0 } }))).toEqual([
    [2, null],
    [8, "1 recording in the last 24 h: the limit is 1 a day."],
    [30, "1 recording in the last 24 h: the limit is 1 a day."],
  ]);
  const long = minutes(12, { 2: SLOW, 3: SLOW, 5: { ...SLOW, sendQueueKb: 9000 } });
  const rules = { queue: { sendQueueKb: 5000, rpoSeconds: null } };
  expect(told(run(long, { rules, recording: { quietSeconds: 120 } }))).toEqual([[2, null]]);
});

test("two rules that are met together are one trigger", () => {
  const both = { ...SLOW, sendQueueKb: 9000 };
  const rules = { queue: { sendQueueKb: 5000, rpoSeconds: null } };
  const { triggers } = run(minutes(30, { 2: both, 8: both }), { rules });
  expect(triggers.map(({ rule, refusal }) => [rule, refusal === null])).toEqual([
    ["commitDelay", true],
    ["commitDelay", false],
  ]);
});

test("a recording ends after its longest time", () => {
  const list = minutes(12, Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index + 1, SLOW])));
  const rules = { queue: { sendQueueKb: 5000, rpoSeconds: null } };
  list[9] = minute(9, { ...SLOW, sendQueueKb: 9000 });
  // Begins at 02:02, at most for 5 min: then 15 min of hold-off.
  expect(told(run(list, { rules }))).toEqual([
    [1, null],
    [9, "Hold-off until 02:22:00 UTC, 15 min after the last recording."],
  ]);
});

test("the bytes of earlier recordings fill a week's limit", () => {
  const list = minutes(80, { 2: SLOW, 30: SLOW, 60: SLOW });
  const recording = { holdOffSeconds: 0, mostBytesPerWeek: 100_000_000 };
  // 60 s at 1 MB/s each.
  expect(told(run(list, { recording, facts: { bytesPerSecond: 1_000_000 } }))).toEqual([
    [2, null],
    [30, null],
    [60, "120 MB recorded in the last 7 days: the limit is 100 MB a week."],
  ]);
});

test("schedules are recorded for their time, in their order", () => {
  const scheduled = [20, 4].map((index) => ({
    at: BEGIN + index * MINUTE_MS,
    text: "Schedule 0 2 * * *",
    forSeconds: 180,
  }));
  // The slow minute 5 is in the schedule's recording, minute 8 is in its hold-off.
  const run1 = run(minutes(30, { 5: SLOW, 8: SLOW }), { facts: { scheduled } });
  expect(run1.triggers.map(({ rule }) => rule)).toEqual(["schedule", "commitDelay", "schedule"]);
  expect(told(run1)).toEqual([
    [3, null],
    [8, "Hold-off until 02:22:00 UTC, 15 min after the last recording."],
    [19, null],
  ]);
});

test("takes the usual of the hour", () => {
  const cells = Array.from({ length: 168 }, () => ({ low: 1, median: 2, high: 3 }));
  const rules = { commitDelay: null, timesUsual: { times: 2, forSeconds: 30 } };
  const { triggers } = run(minutes(3, {}), { rules, facts: { usual: { cells } } });
  expect(triggers.map(({ rule, limit }) => [rule, limit])).toEqual([["timesUsual", 4]]);
});

test("without minutes there is nothing", () => {
  expect(run([])).toEqual({ days: 0, triggers: [] });
});

test("an answer has at most 1,000 triggers, the newest", () => {
  const list = minutes(
    4000,
    Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [2 * index, SLOW])),
  );
  const { triggers } = run(list, { recording: { holdOffSeconds: 86_400 } });
  expect(triggers).toHaveLength(1000);
  expect(triggers.at(-1)?.at).toBe(BEGIN + 3999 * MINUTE_MS);
});
