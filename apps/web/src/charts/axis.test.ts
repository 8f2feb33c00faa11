import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockAxis, clockLabel, durationLabel, durationTicks, originInDay, timeAxis } from "./axis.ts";
import { UTC } from "../ui/zone.ts";

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
/** 2016-05-06T02:16:55.5Z, as FILETIME ticks: 1462501015.5 s after 1970, 11644473600 s after 1601. */
const originTicks = ((14_625_010_155n + 116_444_736_000n) * 1_000_000n).toString();
/** A capture of 92 s; the offsets of a long one are written as a clock. */
const ORIGIN = { originTicks, durationUs: 92 * SECOND };
/** The same with clock times on its axes. */
const CLOCK = { ...ORIGIN, zone: UTC };
const LONG = { originTicks, durationUs: 8 * 60 * MINUTE };

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
    expect(labels(-4 * SECOND, 2 * SECOND, ORIGIN, 3)).toEqual(["−4 s", "−2 s", "0 s", "+2 s"]);
  });

  it("falls on whole UTC seconds in UTC", () => {
    const { ticks } = timeAxis(0, 12 * SECOND, CLOCK);
    expect(ticks[0]).toEqual({ at: 0.5 * SECOND, label: "02:16:56" });
    expect(ticks).toHaveLength(12);
  });

  it("falls on half and whole minutes, then hours, where a decimal step would not", () => {
    expect(labels(0, 5 * MINUTE, ORIGIN, 10).slice(0, 3)).toEqual(["0 s", "+30 s", "+60 s"]);
    expect(labels(0, 60 * MINUTE, LONG).slice(0, 3)).toEqual(["0:00:00", "+0:05:00", "+0:10:00"]);
    expect(labels(0, 8 * 60 * MINUTE, LONG).slice(0, 3)).toEqual(["0:00:00", "+1:00:00", "+2:00:00"]);
    const month = { originTicks, durationUs: 30 * 24 * 60 * MINUTE };
    expect(labels(0, month.durationUs, month).slice(0, 2)).toEqual(["0:00:00", "+120:00:00"]);
    // From 02:16:55.5 on: the tens of minutes, of UTC.
    expect(labels(0, 120 * MINUTE, CLOCK).slice(0, 2)).toEqual(["02:20:00", "02:30:00"]);
  });

  it("has one unit whatever is in view: the length of the capture decides", () => {
    expect(labels(0, 9 * MINUTE, { originTicks, durationUs: 599 * SECOND }, 5)).toEqual([
      "0 s",
      "+120 s",
      "+240 s",
      "+360 s",
      "+480 s",
    ]);
    expect(labels(0, 2 * SECOND, { originTicks, durationUs: 600 * SECOND }, 4)).toEqual([
      "0:00:00",
      ":00.5",
      ":01.0",
      ":01.5",
      ":02.0",
    ]);
  });

  it("says hours and minutes of a long offset at its first label and where a minute begins", () => {
    expect(labels(1_468 * SECOND, 1_512 * SECOND, LONG, 5)).toEqual([
      "+0:24:30",
      ":40",
      ":50",
      "+0:25:00",
      ":10",
    ]);
    expect(labels(60 * MINUTE, 120 * MINUTE, LONG, 4)).toEqual([
      "+1:00:00",
      "+1:15:00",
      "+1:30:00",
      "+1:45:00",
      "+2:00:00",
    ]);
  });

  it("names the day where a capture passes midnight, and no day elsewhere", () => {
    // 6 May 23:59:40 UTC is 78164.5 s after the origin.
    const [from, to] = [78_164.5 * SECOND, 78_204.5 * SECOND];
    const over = { originTicks, durationUs: 80_000 * SECOND };
    expect(labels(from, to, { ...over, zone: UTC }, 4)).toEqual([
      "23:59:40",
      "23:59:50",
      "7 May",
      "00:00:10",
      "00:00:20",
    ]);
    expect(timeAxis(from, from + 500_000, over).base).toBe("6 May 23:59:40.000 UTC");
    // From 6 May 2016 on, 1,000 days.
    const years = 1_000 * 86_400 * SECOND;
    expect(labels(0, years, { originTicks, durationUs: years, zone: UTC }, 3)).toEqual([
      "18 Sep 2017",
      "31 Jan 2019",
    ]);
    const short = { originTicks, durationUs: 78_000 * SECOND };
    expect(timeAxis(0, 500_000, short).base).toBe("02:16:55.500 UTC");
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
    const within = (span: number): string[] => labels(76 * SECOND, 76 * SECOND + span, ORIGIN, 6);
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
        fc.constantFrom(ORIGIN, CLOCK),
        (start, span, most, capture) => {
          const [from, to] = [start * SECOND, start * SECOND + span];
          const { ticks, step } = timeAxis(from, to, capture, most);
          const room = Math.min(12, most);
          // Both ends of the view may be ticks.
          expect(ticks.length).toBeLessThanOrEqual(room + 1);
          // With two labels no tick might be in view, so their distance may be a fifth smaller.
          expect(step).toBeGreaterThanOrEqual((span / room) * (room === 2 ? 0.8 : 1 - 1e-9));
          for (const [i, { at }] of ticks.entries()) {
            expect(at).toBeGreaterThanOrEqual(from - 1e-3);
            expect(at).toBeLessThanOrEqual(to + 1e-3);
            if (i > 0) expect(Math.abs(at - ticks[i - 1].at - step)).toBeLessThan(1e-2);
          }
        },
      ),
    );
  });

  it("are of whole half minutes where two decimal steps of 20 s have no room", () => {
    const from = 36_585 * SECOND;
    expect(timeAxis(from, from + 40.396 * SECOND, CLOCK, 2).step).toBe(30 * SECOND);
  });

  it("are at most twelve, and two where hardly one has room", () => {
    expect(labels(0, 120 * SECOND, ORIGIN, 500)).toHaveLength(13);
    expect(labels(0, 100 * SECOND, ORIGIN, 0)).toEqual(labels(0, 100 * SECOND, ORIGIN, 2));
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
    expect(clockLabel(originInDay(originTicks), SECOND)).toBe("02:16:56");
    expect(clockLabel(originInDay(originTicks), 999_999)).toBe("02:16:55.500");
    expect(clockLabel(originInDay(originTicks), 1_000)).toBe("02:16:55.500");
    expect(clockLabel(originInDay(originTicks), 999)).toBe("02:16:55.500000");
  });
});

it("the clock of a run needs no capture: only the time of day at its origin", () => {
  // The origin is 14:00:03 UTC.
  const { ticks, step } = clockAxis(0, 10 * SECOND, (14 * 3_600 + 3) * SECOND, 5);
  expect(step).toBe(2 * SECOND);
  expect(ticks.map(({ at, label }) => [at / SECOND, label])).toEqual([
    [1, "14:00:04"],
    [3, "14:00:06"],
    [5, "14:00:08"],
    [7, "14:00:10"],
    [9, "14:00:12"],
  ]);
});
