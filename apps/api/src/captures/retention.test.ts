import { expect, test } from "vitest";
import { heldUntil } from "./retention.ts";

const DAY_MS = 24 * 3600 * 1000;
const START = Date.parse("2026-11-22T08:00:00.000Z");

/** Sweeps at these times, in days from the start. @returns for each until when deletions are held, in days, or null */
function sweepsAt(...days: number[]): (number | null)[] {
  const facts = new Map<string, string>();
  const kept = {
    fact: (name: string) => facts.get(name) ?? null,
    saveFact: (name: string, value: string) => void facts.set(name, value),
  };
  return days.map((day) => {
    const held = heldUntil(kept, START + day * DAY_MS);
    return held === null ? null : (Date.parse(held) - START) / DAY_MS;
  });
}

test("the first start of all deletes nothing by age for a day", () => {
  expect(sweepsAt(0, 0.5, 0.999, 1, 1.5)).toEqual([1, 1, 1, null, null]);
});

test("a clock set forward by 91 days, and set right again, deletes nothing by age for a day each time", () => {
  expect(sweepsAt(0, 1, 92, 92.9, 2, 2.9, 3)).toEqual([1, null, 93, 93, 3, 3, null]);
});

test("a clock set back does too", () => {
  expect(sweepsAt(0, 1, -400, -399.1, -399)).toEqual([1, null, -399, -399, null]);
});

test("up to a day between two sweeps is nothing unusual: a server may be off over night", () => {
  expect(sweepsAt(0, 1, 2)).toEqual([1, null, null]);
  expect(sweepsAt(0, 1, 2 + 1 / DAY_MS)).toEqual([1, null, 3 + 1 / DAY_MS]);
});
