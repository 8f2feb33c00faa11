import { describe, expect, it } from "vitest";
import {
  durationText,
  factorFigure,
  formatBytes,
  formatCount,
  formatDuration,
  formatOffset,
  formatPercent,
  formatTime,
  formatTimes,
  rankText,
} from "./words.ts";

describe("words", () => {
  it("prints factors with two digits, then whole and with thousands separators", () => {
    expect([1, 2.14, 9.94, 9.96, 12.4, 2_514.2].map(factorFigure)).toEqual([
      "1.0",
      "2.1",
      "9.9",
      "10",
      "12",
      "2,514",
    ]);
  });

  it("prints ranks: a decimal above p99, max for the largest (docs/contribute/design.md 7)", () => {
    expect([91.7, 99, 99.46, 99.99, 100, null].map(rankText)).toEqual([
      "p91",
      "p99",
      "p99.4",
      "p99.9",
      "max",
      "–",
    ]);
  });

  it("prints durations with three significant digits and changes the unit at 1,000 (docs/contribute/design.md 7)", () => {
    const thin = (text: string): string => text.replaceAll("\u2009", " ");
    expect(thin(durationText(608))).toBe("608 µs");
    expect(thin(durationText(8020))).toBe("8.02 ms");
    expect(thin(durationText(39_600))).toBe("39.6 ms");
    expect(thin(durationText(163_000))).toBe("163 ms");
    expect(thin(durationText(1_240_000))).toBe("1.24 s");
    expect(thin(durationText(125_000_000))).toBe("2 min 05 s");
    expect(thin(durationText(999.7))).toBe("1.00 ms");
    expect(thin(durationText(59_960_000))).toBe("1 min 00 s");
  });

  it("prints an uncertainty in the unit of its value (docs/contribute/design.md 7)", () => {});

  it("prints an en dash for a missing value, never 0", () => {
    expect(formatDuration(null)).toEqual({ value: "–", unit: "" });
    expect(formatDuration(Number.NaN).value).toBe("–");
    expect(formatCount(null)).toBe("–");
    expect(formatPercent(null)).toBe("–");
  });

  it("prints counts, shares and sizes", () => {
    expect(formatCount(109_722)).toBe("109,722");
    expect(formatPercent(0.712)).toBe("71\u2009%");
    expect(formatPercent(0.366, 1)).toBe("36.6\u2009%");
    expect(formatBytes(512)).toBe("512\u2009B");
    expect(formatBytes(5_400_000)).toBe("5.4\u2009MB");
  });

  it("prints offsets with the decimals that the step needs", () => {
    const short = { durationUs: 599_999_999 };
    expect(formatOffset(short, 45_900_000)).toBe("+45.90\u2009s");
    expect(formatOffset(short, 40_000_000, 10_000_000)).toBe("+40\u2009s");
    expect(formatOffset(short, -5_000_000, 100_000)).toBe("−5.0\u2009s");
  });

  it("prints offsets of a capture of ten minutes or more as hours, minutes and seconds", () => {
    const long = { durationUs: 600_000_000 };
    expect(formatOffset(long, 45_900_000)).toBe("+0:00:45.90");
    expect(formatOffset(long, 1_050_720_000)).toBe("+0:17:30.72");
    expect(formatOffset(long, 3_599_999_999)).toBe("+1:00:00.00");
    expect(formatOffset(long, 3_725_000_000, 1_000_000)).toBe("+1:02:05");
    expect(formatOffset(long, -100 * 3_600_000_000, 1_000_000)).toBe("−100:00:00");
  });

  it("prints UTC from FILETIME ticks, with the day where the capture passes midnight", () => {
    // 2016-05-06T02:16:55.0000000Z is 1462501015 s after 1970: 11644473600 s are between the epochs.
    const originTicks = ((1_462_501_015n + 11_644_473_600n) * 10_000_000n).toString();
    const origin = { originTicks, durationUs: 78_184_999_999 };
    const over = { originTicks, durationUs: 78_185_000_000 };
    expect(formatTime(origin, 47_371_000)).toBe("02:17:42.371");
    expect(formatTime(over, 47_371_000)).toBe("6 May 02:17:42.371");
    // A time that rounds up to midnight is on the next day.
    expect(formatTime(over, 78_184_999_700)).toBe("7 May 00:00:00.000");
    expect(formatTimes(origin, 0, 40_000)).toEqual(["02:16:55.000", "02:16:55.040"]);
    expect(formatTimes(over, 0, 2_000_000, 1)).toEqual(["6 May 02:16:55.0", "6 May 02:16:57.0"]);
    expect(formatTime(origin, 0, 0)).toBe("02:16:55");
  });
});
