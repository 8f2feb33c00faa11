import { describe, expect, test } from "vitest";
import type { Progress } from "@aglens/contract";
import { expectedTime, paceOf, type Pace, type PhaseStarts, withStart } from "./expected-time.ts";

/** 1,000 bytes of 100 events: a second of decoding, then 1, 4, 1, 2, 1 and 1 s. */
const PACE: Pace = {
  decode: 1e6,
  roles: 1e7,
  join: 4e7,
  align: 1e7,
  measure: 2e7,
  verdict: 1e7,
  store: 1e7,
};
const progress = (changes: Partial<Progress>): Progress => ({
  phase: "decode",
  bytesDone: 1000,
  bytesTotal: 1000,
  events: 100,
  blocks: 0,
  files: [],
  ...changes,
});
const STARTS: PhaseStarts = { decode: 0, roles: 1_000, join: 2_000 };
const at = (changes: Partial<Progress>, nowMs: number, starts: PhaseStarts = STARTS) =>
  expectedTime(progress(changes), starts, nowMs, PACE)!;

describe("the time that an analysis takes", () => {
  test("is the sum of its phases: what is done, what is expected, what is left", () => {
    // Of 11 s: decode and roles took 2, 1 of 4 s of joining is over.
    expect(at({ phase: "join" }, 3_000)).toMatchObject({ share: 3 / 11, leftS: 8, overS: 0 });
    expect(at({ phase: "join" }, 3_000).phases.map(({ seconds }) => seconds)).toEqual([1, 1, 4, 1, 2, 1, 1]);
  });

  test("while files are read rests on the bytes, once half a second has passed", () => {
    const reading = { bytesDone: 250, events: 25 };
    expect(at(reading, 400, { decode: 0 }).phases[0]).toEqual({ phase: "decode", seconds: 1, share: 0.25 });
    expect(at(reading, 2_000, { decode: 0 })).toMatchObject({ share: 2 / 18, leftS: 16, overS: 0 });
    // Of the first bytes nothing follows.
    expect(at({ bytesDone: 40, events: 4 }, 2_000, { decode: 0 }).phases[0]?.seconds).toBe(2);
  });

  test("grows with a phase that is slower than its pace, and so does what comes after it", () => {
    const starts = { ...STARTS, align: 10_000 };
    // Roles and joining took 9 s where 5 were expected: what is left takes 1.8 times its time.
    const { leftS, phases } = at({ phase: "align" }, 10_000, starts);
    expect(phases.map(({ seconds }) => Number(seconds.toFixed(3)))).toEqual([1, 1, 8, 1.8, 3.6, 1.8, 1.8]);
    expect(leftS).toBeCloseTo(9, 9);
  });

  test("is over where a phase exceeds what was expected of it, and the rest is that of the others", () => {
    expect(at({ phase: "join" }, 6_000)).toMatchObject({ leftS: 5, overS: 0 });
    expect(at({ phase: "join" }, 8_000)).toMatchObject({ leftS: 5, overS: 2, share: 6 / 13 });
  });

  test("never comes to an end before the analysis does", () => {
    const starts = { ...STARTS, align: 6_000, measure: 7_000, verdict: 9_000, store: 10_000 };
    expect(at({ phase: "store" }, 99_000, starts).share).toBeLessThan(1);
    expect(at({ phase: "store" }, 10_999, starts).share).toBe(0.99);
  });

  test("is known where the page was opened in the middle", () => {
    expect(at({ phase: "measure" }, 7_000, { measure: 7_000 })).toMatchObject({ share: 7 / 11, leftS: 4 });
  });

  test("is not known while the analysis waits", () => {
    expect(expectedTime(progress({ phase: "waiting" }), {}, 0, PACE)).toBeNull();
    expect(expectedTime(null, {}, 0, PACE)).toBeNull();
    expect(expectedTime(progress({ bytesTotal: 0 }), {}, 0, PACE)).toBeNull();
  });
});

test("a phase begins with its first report", () => {
  const starts = withStart(withStart({}, { phase: "join" }, 5), { phase: "join" }, 9);
  expect(starts).toEqual({ join: 5 });
  expect(withStart(starts, { phase: "waiting" }, 10)).toEqual({ join: 5 });
});

test("an analysis that was watched as a whole gives the pace for the next", () => {
  const starts = { ...STARTS, align: 6_000, measure: 7_000, verdict: 9_000, store: 10_000 };
  expect(paceOf(starts, progress({ phase: "store" }), 11_000)).toEqual(PACE);
  const { decode: _, ...late } = starts;
  expect(paceOf(late, progress({ phase: "store" }), 11_000)).toBeNull();
});
