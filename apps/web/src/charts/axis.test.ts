import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockLabel, durationLabel, durationTicks, originInDay, timeAxis } from "./axis.ts";

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
/** 02:16:55.5 after midnight. */
const ORIGIN = (2 * 3600 + 16 * 60 + 55.5) * SECOND;

const labels = (...axis: Parameters<typeof timeAxis>): string[] =>
  timeAxis(...axis).ticks.map((t) => t.label);

describe("an axis of time above 1 s", () => {
  it("counts from the origin", () => {
    const { ticks, base, step } = timeAxis(0, 92 * SECOND, ORIGIN);
    expect(ticks.map((t) => t.label)).toEqual([
      "0 s",
      "+10 s",
      "+20 s",
      "+30 s",
      "+40 s",
      "+50 s",
      "+60 s",
      "+70 s",
      "+80 s",
      "+90 s",
    ]);
    expect([base, step]).toEqual([null, 10 * SECOND]);
  });

  it("counts back before the origin", () => {
    expect(labels(-4 * SECOND, 2 * SECOND, ORIGIN, "offset", 3)).toEqual(["−4 s", "−2 s", "0 s", "+2 s"]);
  });

  it("falls on whole UTC seconds in UTC", () => {
    const { ticks } = timeAxis(0, 12 * SECOND, ORIGIN, "utc");
    expect(ticks[0]).toEqual({ at: 0.5 * SECOND, label: "02:16:56" });
    expect(ticks).toHaveLength(12);
  });

  it("falls on half and whole minutes, then hours, where a decimal step would not", () => {
    expect(labels(0, 5 * MINUTE, ORIGIN, "offset", 10).slice(0, 3)).toEqual(["0 s", "+30 s", "+60 s"]);
    expect(labels(0, 10 * MINUTE, ORIGIN).slice(0, 3)).toEqual(["0 s", "+1 min", "+2 min"]);
    expect(labels(0, 60 * MINUTE, ORIGIN).slice(0, 3)).toEqual(["0 s", "+5 min", "+10 min"]);
    expect(labels(0, 8 * 60 * MINUTE, ORIGIN).slice(0, 3)).toEqual(["0 s", "+1 h", "+2 h"]);
    expect(labels(0, 30 * 24 * 60 * MINUTE, ORIGIN).slice(0, 3)).toEqual(["0 s", "+5 d", "+10 d"]);
    // From 02:16:55.5 on: the tens of minutes, of UTC.
    expect(labels(0, 120 * MINUTE, ORIGIN, "utc").slice(0, 2)).toEqual(["02:20:00", "02:30:00"]);
  });

  it("says minutes and seconds past ten minutes, hours past one, days past 24", () => {
    expect(labels(620 * SECOND, 720 * SECOND, ORIGIN, "offset", 4)).toEqual([
      "+10 min 30 s",
      "+11 min",
      "+11 min 30 s",
      "+12 min",
    ]);
    expect(labels(60 * MINUTE, 120 * MINUTE, ORIGIN, "offset", 4)).toEqual([
      "+1 h",
      "+1 h 15 min",
      "+1 h 30 min",
      "+1 h 45 min",
      "+2 h",
    ]);
    expect(labels(30 * 60 * MINUTE, 48 * 60 * MINUTE, ORIGIN, "offset", 3)).toEqual([
      "+1 d 6 h",
      "+1 d 12 h",
      "+1 d 18 h",
      "+2 d",
    ]);
  });
});

describe("an axis of time below 1 s", () => {
  it("counts from a round UTC instant", () => {
    // 02:18:11.652 to .712: 60 ms in view.
    const from = 76.152 * SECOND;
    const { ticks, base, step } = timeAxis(from, from + 60_000, ORIGIN);
    expect(step).toBe(5_000);
    expect(base).toBe("02:18:11.650 UTC");
    expect(ticks[0].label).toBe("+5 ms");
    expect(ticks[0].at).toBeCloseTo(76.155 * SECOND, 3);
    expect(ticks).toHaveLength(12);
  });

  it("begins at its base where the left end is round", () => {
    const { base, ticks } = timeAxis(76 * SECOND, 76.06 * SECOND, ORIGIN);
    expect([base, ticks[0].label]).toEqual(["02:18:11.500 UTC", "+0 ms"]);
  });

  it("says milliseconds down to 1 ms in view, microseconds below", () => {
    const within = (span: number): string[] => labels(76 * SECOND, 76 * SECOND + span, ORIGIN, "offset", 6);
    expect(within(2_000)).toEqual(["+0 ms", "+0.5 ms", "+1 ms", "+1.5 ms", "+2 ms"]);
    expect(within(1_000)).toEqual(["+0 ms", "+0.2 ms", "+0.4 ms", "+0.6 ms", "+0.8 ms", "+1 ms"]);
    expect(within(400)).toEqual(["+0 µs", "+100 µs", "+200 µs", "+300 µs", "+400 µs"]);
  });
});

describe("the labels of any axis of time", () => {
  const spans = fc
    .integer({ min: 20, max: 3 * 86_400 })
    .chain((most) => fc.constantFrom(1, 1_000, SECOND).map((unit) => most * unit));

  it("keep their distance, lie in view, and stand one step apart", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -3_600, max: 86_400 }),
        spans,
        fc.integer({ min: 2, max: 14 }),
        fc.constantFrom("offset" as const, "utc" as const),
        (start, span, most, time) => {
          const [from, to] = [start * SECOND, start * SECOND + span];
          const { ticks, step } = timeAxis(from, to, ORIGIN, time, most);
          // Both ends of the view may be ticks.
          expect(ticks.length).toBeLessThanOrEqual(Math.min(12, most) + 1);
          expect(step).toBeGreaterThanOrEqual((span / Math.min(12, most)) * (1 - 1e-9));
          for (const [i, { at }] of ticks.entries()) {
            expect(at).toBeGreaterThanOrEqual(from - 1e-3);
            expect(at).toBeLessThanOrEqual(to + 1e-3);
            if (i > 0) expect(Math.abs(at - ticks[i - 1].at - step)).toBeLessThan(1e-2);
          }
        },
      ),
    );
  });

  it("are at most twelve, and two where hardly one has room", () => {
    expect(labels(0, 120 * SECOND, 0, "offset", 500)).toHaveLength(13);
    expect(labels(0, 100 * SECOND, 0, "offset", 0)).toEqual(labels(0, 100 * SECOND, 0, "offset", 2));
  });

  it("are none for no time", () => {
    expect(timeAxis(5, 5, ORIGIN)).toEqual({ ticks: [], step: 0, base: null });
    expect(timeAxis(5, Number.NaN, ORIGIN).ticks).toEqual([]);
  });
});

describe("an axis of durations", () => {
  it("labels powers of ten and the top", () => {
    expect(durationTicks(5_000, 500_000).map((t) => t.label)).toEqual([
      "",
      "10 ms",
      "",
      "",
      "100 ms",
      "",
      "500 ms",
    ]);
  });

  it("labels no top that stands close to the label below it", () => {
    expect(durationTicks(1_000, 200_000).at(-1)).toEqual({ at: 200_000, label: "" });
  });

  it("labels all of about a decade", () => {
    expect(durationTicks(50, 500).map((t) => t.label)).toEqual(["50 µs", "100 µs", "200 µs", "500 µs"]);
    expect(durationTicks(1_000, 30_000).every((t) => t.label !== "")).toBe(true);
    expect(durationTicks(1_000, 31_000).every((t) => t.label !== "")).toBe(false);
  });

  it("says each in its own unit", () => {
    expect([500, 999, 1_000, 10_000, 999_000, 1_000_000, 2_500_000].map(durationLabel)).toEqual([
      "500 µs",
      "999 µs",
      "1 ms",
      "10 ms",
      "999 ms",
      "1 s",
      "2.5 s",
    ]);
  });
});

describe("clocks", () => {
  it("are read from FILETIME ticks", () => {
    // 1601-01-02 00:00:01 is one day and one second of 100 ns ticks.
    expect(originInDay("864010000000")).toBe(SECOND);
  });

  it("have the decimals that the step needs", () => {
    expect(clockLabel(ORIGIN, SECOND)).toBe("02:16:56");
    expect(clockLabel(ORIGIN, 999_999)).toBe("02:16:55.500");
    expect(clockLabel(ORIGIN, 1_000)).toBe("02:16:55.500");
    expect(clockLabel(ORIGIN, 999)).toBe("02:16:55.500000");
  });
});
