import { describe, expect, test } from "vitest";
import type { AnalysisPace, PhaseStarts, Progress } from "@aglens/contract";
import { expectedTime } from "./expected-time.ts";

/** 1,000 bytes of 100 events: a second of decoding, then 1, 4, 1, 2, 1 and 1 s. */
const NS: AnalysisPace["ns"] = {
  decode: 1e6,
  roles: 1e7,
  join: 4e7,
  align: 1e7,
  measure: 2e7,
  verdict: 1e7,
  store: 1e7,
};
const PACE: AnalysisPace = { bytes: 1_000, ns: NS };
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
  expectedTime(progress(changes), starts, nowMs, [PACE])!;

describe("the time that an analysis takes", () => {
  test("is the sum of its phases: what is done, what is expected, what is left", () => {
    // 11 s are expected in all: decode and roles took 2 s, and 1 of the 4 s of joining is over.
    expect(at({ phase: "join" }, 3_000)).toMatchObject({ share: 3 / 11, leftS: 8, overS: 0 });
    expect(at({ phase: "join" }, 3_000).phases.map(({ seconds }) => seconds)).toEqual([1, 1, 4, 1, 2, 1, 1]);
  });

  test("while files are read rests on the bytes, once half a second has passed", () => {
    const reading = { bytesDone: 250, events: 25 };
    expect(at(reading, 400, { decode: 0 }).phases[0]).toMatchObject({
      seconds: 1,
      share: 0.25,
      state: "now",
    });
    expect(at(reading, 2_000, { decode: 0 })).toMatchObject({ share: 2 / 18, leftS: 16, overS: 0 });
    // The first bytes do not predict the rest of the phase.
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
    expect(expectedTime(progress({ phase: "waiting" }), {}, 0, [PACE])).toBeNull();
    expect(expectedTime(null, {}, 0, [PACE])).toBeNull();
    expect(expectedTime(progress({ bytesTotal: 0 }), {}, 0, [PACE])).toBeNull();
  });
});

/** A pace that is slower by the factor `times`. */
const slower = (times: number, bytes = 1_000): AnalysisPace => ({
  bytes,
  ns: Object.fromEntries(Object.entries(NS).map(([phase, ns]) => [phase, ns * times])) as AnalysisPace["ns"],
});
/** Time that is left of 11 s when the analysis begins to read the files. */
const rest = (paces: readonly AnalysisPace[]) =>
  expectedTime(progress({ bytesDone: 0, events: 0, bytesTotal: 7_700 }), { decode: 0 }, 0, paces);

describe("several analyses before", () => {
  test("give the middle of their paces, and half of what lies between the rests by the fastest and the slowest", () => {
    // 7,700 bytes in 7.7 s, then 100 events in 10 s.
    const [once, twice, thrice] = [PACE, slower(2), slower(3)].map((pace) => ({ ...pace, bytes: 7_700 }));
    expect(rest([thrice, once, twice])).toMatchObject({
      leftS: 35.4,
      spreadS: expect.closeTo(17.7, 9),
      isRough: false,
    });
    expect(rest([once])).toMatchObject({ leftS: 17.7, spreadS: null, isRough: false });
  });

  test("count where they are of about this size: a small capture's pace is that of its beginning", () => {
    expect(rest([slower(50, 1_924), slower(2, 30_800), slower(9, 30_801)])).toMatchObject({
      leftS: 35.4,
      spreadS: null,
    });
  });

  test("are none at first, and none where all were far smaller or larger: the estimate is rough", () => {
    expect(rest([])).toMatchObject({ isRough: true, spreadS: null });
    expect(rest([slower(2, 1_924), slower(3, 30_801)])).toEqual(rest([]));
  });
});

test("the time of a phase that is over was seen where it was watched from its beginning, else it is an expectation", () => {
  const phases = (starts: PhaseStarts) =>
    at({ phase: "join" }, 3_000, starts).phases.map(({ state, isSeen }) => [state, isSeen]);
  expect(phases(STARTS).slice(0, 4)).toEqual([
    ["done", true],
    ["done", true],
    ["now", false],
    ["later", false],
  ]);
  expect(phases({ join: 2_000 }).slice(0, 2)).toEqual([
    ["done", false],
    ["done", false],
  ]);
});
