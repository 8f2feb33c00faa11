import type { SqlResultColumn } from "@aglens/contract";
import { expect, it } from "vitest";
import { cellText, isExceeded, fullTime } from "./cell-text.ts";

function shown(
  kind: SqlResultColumn["kind"],
  values: SqlResultColumn["values"],
  unit: string | null = null,
  name = "x",
): string[] {
  const words = cellText({ name, kind, values, unit, type: "" });
  return values.map((value) => {
    const { value: figure, unit: of } = words(value);
    return of === "" ? figure : `${figure} ${of}`;
  });
}

it("prints figures in their unit", () => {
  expect(shown("number", [2220, 46_200, -2220, null], "µs")).toEqual(["2.22 ms", "46.2 ms", "−2.22 ms", "–"]);
  expect(shown("number", [1.5, -1.5], "ms")).toEqual(["1.50 ms", "−1.50 ms"]);
  expect(shown("number", [512, 5_400_000], "bytes")).toEqual(["512 B", "5.4 MB"]);
  expect(shown("number", [0.265], "share")).toEqual(["26.5 %"]);
  expect(shown("number", [12.5], "ppm")).toEqual(["12.5 ppm"]);
});

it("prints other numbers with separators, and names made of digits as they are", () => {
  expect(shown("number", [6038, 0.123456, 12_345.6])).toEqual(["6,038", "0.12346", "12,346"]);
  expect(shown("number", [146_028_888_376], null, "log_block_id")).toEqual(["146028888376"]);
});

it("prints of times what tells them apart", () => {
  const at = Date.UTC(2026, 1, 7, 7, 51, 32) * 1000;
  expect(shown("time", [at, at + 5_000_000])).toEqual(["07:51:32", "07:51:37"]);
  expect(shown("time", [at, at + 1500])).toEqual(["07:51:32.000000", "07:51:32.001500"]);
  const day = 86_400_000_000;
  expect(shown("time", [at, at + day])).toEqual(["2026-02-07 07:51:32", "2026-02-08 07:51:32"]);
  expect(shown("time", [20_000 * day, 20_001 * day])).toEqual(["2024-10-04", "2024-10-05"]);
  expect(fullTime(at + 7)).toBe("2026-02-07T07:51:32.000007Z");
});

it("marks counts of what passed a limit", () => {
  expect(isExceeded("over_50_ms", 3)).toBe(true);
  expect(isExceeded("over_50_ms", 0)).toBe(false);
  expect(isExceeded("writes", 3)).toBe(false);
});
