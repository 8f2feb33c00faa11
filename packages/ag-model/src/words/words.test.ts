import { expect, test } from "vitest";
import {
  formatCount,
  formatDuration,
  formatPart,
  formatPercent,
  formatRoughly,
  figureText,
  sizeFigure,
  formatDayAndTime,
  formatInstant,
  formatTimeOfDay,
  formatTimesOfDay,
  formatUncertainty,
  plural,
} from "./words.ts";

const plain = (text: string) => text.replaceAll("\u00A0", " ");

test.each([
  [608, "608 µs"],
  [8_020, "8.02 ms"],
  [39_584, "39.6 ms"],
  [163_000, "163 ms"],
  [999, "999 µs"],
  [999.6, "1.00 ms"],
  [999_600, "1.00 s"],
  [1_240_000, "1.24 s"],
  [59_990_000, "1 min 00 s"],
  [125_000_000, "2 min 05 s"],
  [Number.NaN, "–"],
  [null, "–"],
])("duration of %s µs", (us, text) => expect(plain(formatDuration(us))).toBe(text));

test("roughly, for sentences", () => {
  expect(plain(formatRoughly(608))).toBe("0.6 ms");
  expect(plain(formatRoughly(150_200))).toBe("150 ms");
});

test.each([
  [0, "0 %"],
  [0.0004, "under 0.1 %"],
  [8 / 2_652, "0.3 %"],
  [0.0051, "1 %"],
  [0.7095, "71 %"],
  [0.9949, "99 %"],
  [2_644 / 2_652, "99.7 %"],
  [0.9997, "over 99.9 %"],
  [1, "100 %"],
  [null, "–"],
])("the part %s of a whole is neither all nor nothing unless it is", (part, text) =>
  expect(plain(formatPart(part))).toBe(text),
);

test("shares, counts, sizes, uncertainty", () => {
  expect(plain(formatPercent(0.7095))).toBe("71 %");
  expect(plain(formatPercent(0.366, 1))).toBe("36.6 %");
  expect(formatCount(1_108)).toBe("1,108");
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect(plain(figureText(sizeFigure(512), "\u00A0"))).toBe("512 B");
  expect(plain(figureText(sizeFigure(5_400_000), "\u00A0"))).toBe("5.4 MB");
  expect(plain(formatUncertainty(243))).toBe("±0.24 ms");
  expect(plain(formatUncertainty(11_519))).toBe("±11.5 ms");
});

test("time of day is rounded to what is shown", () => {
  const origin = 131_069_746_150_000_000n; // 2016-05-06T02:16:55 UTC
  expect(formatTimeOfDay(origin, 32_400_000)).toBe("02:17:27");
  expect(formatTimeOfDay(origin, 32_500_000)).toBe("02:17:28");
  expect(formatTimeOfDay(origin, 32_499_999.9)).toBe("02:17:27");
  expect(formatTimeOfDay(origin, 1_234_567, 3)).toBe("02:16:56.235");
  expect(formatTimeOfDay(origin, 1_234_499, 3)).toBe("02:16:56.234");
  expect(formatTimeOfDay(origin, 0.1, 7)).toBe("02:16:55.0000001");
});

test("two times of day differ as shown, with as many digits as that takes", () => {
  const origin = 131_069_746_150_000_000n; // 2016-05-06T02:16:55 UTC
  expect(formatTimesOfDay(origin, 0, 1_000_000)).toEqual(["02:16:55", "02:16:56"]);
  expect(formatTimesOfDay(origin, 0, 450_000)).toEqual(["02:16:55.0", "02:16:55.5"]);
  expect(formatTimesOfDay(origin, 10_000, 14_000)).toEqual(["02:16:55.010", "02:16:55.014"]);
  expect(formatTimesOfDay(origin, 10_000, 10_004)).toEqual(["02:16:55.010000", "02:16:55.010004"]);
  expect(formatTimesOfDay(origin, 10_000, 10_000)).toEqual(["02:16:55", "02:16:55"]);
});

test("time of day wraps at midnight, also before the origin", () => {
  const midnight = 131_069_664_000_000_000n; // 2016-05-06T00:00:00 UTC
  expect(formatTimeOfDay(midnight, 0)).toBe("00:00:00");
  expect(formatTimeOfDay(midnight, -1, 6)).toBe("23:59:59.999999");
  expect(formatTimeOfDay(midnight, -400_000)).toBe("00:00:00");
  expect(formatTimeOfDay(0n, -1_000_000)).toBe("23:59:59");
  expect(formatTimeOfDay(0n, 86_399_999_999, 1)).toBe("00:00:00.0");
});

test("day and time are of the instant as it is rounded", () => {
  const origin = 131_069_746_150_000_000n; // 2016-05-06T02:16:55 UTC
  expect(formatDayAndTime(origin, 1_234_567, 3)).toBe("6 May 02:16:56.235");
  expect(formatDayAndTime(origin, 78_184_600_000)).toBe("7 May 00:00:00");
  expect(formatDayAndTime(origin, 78_184_400_000)).toBe("6 May 23:59:59");
});

test("an instant is printed as files have it, to 100 ns", () => {
  // 1 January 1601 is tick 0.
  expect(formatInstant(864_000_000_000n, -0.1)).toBe("1601-01-01T23:59:59.9999999Z");
});

test("one function chooses the form by a number, and writes the number where the form has its sign", () => {
  expect([0, 1, 1_079].map((n) => plural(n, "# block"))).toEqual(["0 blocks", "1 block", "1,079 blocks"]);
  expect([1, 2].map((n) => plural(n, "# try left", "# tries left"))).toEqual(["1 try left", "2 tries left"]);
  expect([1, 2].map((n) => plural(n, "this file", "these files"))).toEqual(["this file", "these files"]);
});
