import { describe, expect, it } from "vitest";
import { clockLabel, durationTicks, niceStep, originInDay, timeAxis } from "./axis.ts";

const SECOND = 1e6;
/** 02:16:55.5 after midnight. */
const ORIGIN = (2 * 3600 + 16 * 60 + 55.5) * SECOND;

describe("timeAxis", () => {
  it("counts from the origin above 1 s", () => {
    const { ticks, base } = timeAxis(0, 92 * SECOND, ORIGIN);
    expect(ticks.map((t) => t.label).slice(0, 3)).toEqual(["0 s", "+10 s", "+20 s"]);
    expect(ticks).toHaveLength(10);
    expect(base).toBeNull();
  });

  it("falls on whole UTC seconds in UTC", () => {
    const { ticks } = timeAxis(0, 12 * SECOND, ORIGIN, "utc");
    expect(ticks[0]).toEqual({ at: 0.5 * SECOND, label: "02:16:56" });
  });

  it("counts from a round UTC instant below 1 s", () => {
    // 02:18:11.652 to .712: 60 ms in view.
    const from = 76.152 * SECOND;
    const { ticks, base, step } = timeAxis(from, from + 60_000, ORIGIN);
    expect(step).toBe(5_000);
    expect(base).toBe("02:18:11.650 UTC");
    expect(ticks[0].label).toBe("+5 ms");
    expect(ticks[0].at).toBeCloseTo(76.155 * SECOND, 3);
  });

  it("labels milliseconds down to 1 ms in view, microseconds below", () => {
    const labels = (span: number): string[] =>
      timeAxis(76 * SECOND, 76 * SECOND + span, ORIGIN, "offset", 6).ticks.map((t) => t.label);
    expect(labels(2_000)).toEqual(["+0 ms", "+0.5 ms", "+1 ms", "+1.5 ms", "+2 ms"]);
    expect(labels(400)).toEqual(["+0 µs", "+100 µs", "+200 µs", "+300 µs", "+400 µs"]);
  });

  it("uses whole minutes for long captures", () => {
    expect(
      timeAxis(0, 3600 * SECOND, ORIGIN)
        .ticks.map((t) => t.label)
        .slice(0, 3),
    ).toEqual(["0 s", "+5 min", "+10 min"]);
  });
});

describe("ticks", () => {
  it("steps 1, 2, 5", () => {
    expect([0.7, 1, 1.1, 3, 7].map(niceStep)).toEqual([1, 1, 2, 5, 10]);
  });

  it("labels powers of ten and the top of a duration axis", () => {
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

  it("reads FILETIME ticks and prints clocks", () => {
    // 1601-01-02 00:00:01 is one day and one second of 100 ns ticks.
    expect(originInDay("864010000000")).toBe(SECOND);
    expect(clockLabel(ORIGIN, 1000)).toBe("02:16:55.500");
  });
});
