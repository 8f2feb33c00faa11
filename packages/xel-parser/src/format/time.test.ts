import { expect, test } from "vitest";
import { filetimeOf, filetimeOfUnixMs, filetimeOfUnixUs, filetimeText, unixMsOf } from "./time.ts";

// Start and ticks of the worked example (docs/reference/xel-format.md 10).
const START = 0x01d3475ef5f2af00n;

test.each([
  ["10 MHz is exact", 10_000_000n, 174_928_785_350n, START + 174_928_785_350n],
  ["frequency 0 counts FILETIME units", 0n, 12n, START + 12n],
  ["ticks are signed", 10_000_000n, -10n, START - 10n],
  ["3 MHz: 1 tick is 3.33 units, cut", 3_000_000n, 1n, START + 3n],
  ["cut toward zero before the start", 3_000_000n, -1n, START - 3n],
  ["1 kHz", 1000n, 5n, START + 50_000n],
])("%s", (_, frequency, ticks, expected) => {
  expect(filetimeOf({ start: START, frequency }, ticks)).toBe(expected);
});

test("a time outside the years 1601 to 9999 is damage", () => {
  const clock = { start: 0n, frequency: 10_000_000n };
  expect(() => filetimeOf(clock, -1n)).toThrow("1601");
  expect(() => filetimeOf(clock, 2_650_467_744_000_000_000n)).toThrow("9999");
});

test.each([
  [START + 174_928_785_350n, "2017-10-17T20:37:03.1482054Z"],
  [0n, "1601-01-01T00:00:00.0000000Z"],
  [1n, "1601-01-01T00:00:00.0000001Z"],
  [116_444_735_999_999_999n, "1969-12-31T23:59:59.9999999Z"],
  [116_444_736_000_000_000n, "1970-01-01T00:00:00.0000000Z"],
  [2_650_467_743_999_999_999n, "9999-12-31T23:59:59.9999999Z"],
])("%s as text", (filetime, text) => {
  expect(filetimeText(filetime)).toBe(text);
});

test("milliseconds since 1970 and back, and microseconds", () => {
  // 2017-10-17T20:37:03.148Z is 1,508,272,623.148 s after 1970; 11,644,473,600 s are between 1601 and 1970.
  expect(filetimeOfUnixMs(1_508_272_623_148)).toBe(131_527_462_231_480_000n);
  expect(unixMsOf(131_527_462_231_480_000n)).toBe(1_508_272_623_148);
  expect(unixMsOf(131_527_462_231_482_054n)).toBeCloseTo(1_508_272_623_148.205, 3);
  expect(filetimeOfUnixUs(1_508_272_623_148_205n)).toBe(131_527_462_231_482_050n);
  expect(filetimeOfUnixMs(-0.6)).toBe(116_444_735_999_990_000n);
  expect(unixMsOf(116_444_735_999_999_999n)).toBe(-0.0001);
});
