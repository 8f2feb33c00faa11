import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EventTick } from "./happened-lanes.ts";
import { cutWord, placeTicks } from "./place-ticks.ts";

/** 1,000 px for 100 s: 10 px per second. */
const SCALE = { from: 0, to: 100e6, width: 1_000 };
/** Six pixels for each letter. */
const measure = (text: string): number => text.length * 6;

const tickAt = (seconds: number, more: Partial<EventTick> = {}): EventTick => ({
  event: Math.round(seconds),
  at: seconds * 1e6,
  from: null,
  plusMinusUs: 0,
  text: "0123456789",
  isMain: false,
  ...more,
});

const placed = (ticks: readonly EventTick[], rows = 2) =>
  placeTicks(ticks, SCALE, rows, measure).toSorted((a, b) => a.tick.at - b.tick.at);

test("a text is after its tick, and before it near the right edge", () => {
  const [first, last] = placed([tickAt(10), tickAt(98)]);
  expect(first).toMatchObject({ x: 100, row: 0, label: { x: 108, width: 60 } });
  expect(last).toMatchObject({ x: 980, label: { x: 914, width: 60 } });
});

test("a second tick has its text in the second row, a third one has none", () => {
  const rows = placed([tickAt(50), tickAt(50.2), tickAt(50.6)]).map(({ row, label }) => [
    row,
    label?.x ?? null,
  ]);
  expect(rows).toEqual([
    [0, 508],
    [1, 510],
    [1, null],
  ]);
});

test("a tick without room is under a text of its row only where both rows have one", () => {
  const [, , third, fourth] = placed([tickAt(50), tickAt(50.2), tickAt(52), tickAt(60)]);
  expect(third).toMatchObject({ row: 0, isUnder: true, label: null });
  expect(fourth).toMatchObject({ row: 0, isUnder: false });
});

test("the main tick gets its text first", () => {
  const [near, main] = placed([tickAt(50), tickAt(50.2, { isMain: true })], 1);
  expect(main?.label).toEqual({ x: 510, width: 60 });
  expect(near?.label).toBeNull();
});

test("durations and uncertainties are as wide as they are long, and out of view without a tick", () => {
  const [bar] = placed([tickAt(40, { from: 25e6, plusMinusUs: 1e6 })]);
  expect(bar).toMatchObject({ x: 400, left: 250, plusMinus: 10, label: { x: 415 } });
  expect(placed([tickAt(-1), tickAt(101)])).toEqual([]);
  expect(placed([tickAt(110, { from: 90e6 })])).toMatchObject([{ left: 900, x: 1_100 }]);
});

test("many ticks of a pixel are one, and the main one keeps its text", () => {
  const many = Array.from({ length: 500 }, (_, i) => tickAt(50 + i / 1e5));
  const shown = placed([...many, tickAt(51, { isMain: true })]);
  expect(shown).toHaveLength(2);
  expect(shown.filter(({ label }) => label !== null)).toMatchObject([{ tick: { isMain: true } }]);
});

test("no two texts of a row are over each other, and each is inside of the plot", () => {
  const tick = fc
    .tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 1, max: 60 }), fc.boolean())
    .map(([tenths, letters, isMain]) => tickAt(tenths / 10, { text: "x".repeat(letters), isMain }));
  fc.assert(
    fc.property(fc.array(tick, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), (ticks, rows) => {
      const labels = placed(ticks, rows).flatMap(({ row, label }) =>
        label === null ? [] : [{ row, ...label }],
      );
      for (const [i, a] of labels.entries()) {
        expect(a.x).toBeGreaterThanOrEqual(0);
        expect(a.x + a.width).toBeLessThanOrEqual(SCALE.width);
        for (const b of labels.slice(i + 1))
          if (a.row === b.row) expect(a.x + a.width <= b.x || b.x + b.width <= a.x).toBe(true);
      }
    }),
  );
});

test("a word is complete, or cut at a letter with a period, or absent", () => {
  expect(cutWord(["RESOLVING"], 54, measure)).toBe("RESOLVING");
  expect(cutWord(["RESOLVING"], 48, measure)).toBe("RESOLVI.");
  expect(cutWord(["RESOLVING"], 24, measure)).toBe("RES.");
  expect(cutWord(["RESOLVING"], 23, measure)).toBe("");
  expect(cutWord(["suspended 17.2 s", "suspended"], 60, measure)).toBe("suspended");
  expect(cutWord([], 60, measure)).toBe("");
});
