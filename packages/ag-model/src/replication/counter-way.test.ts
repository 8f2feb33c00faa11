import { expect, it } from "vitest";
import type { ClockWindow } from "./clock-windows.ts";
import { alongWay } from "./counter-way.ts";

/** From its instant `from` of the first counter on, the other is `a` µs ahead. */
const window = (from: number, to: number, a: number): ClockWindow => ({
  from,
  to,
  t0: from,
  a,
  b: 0,
  width: 0,
  hardBound: 0,
  driftFeasible: [0, 0],
  ownFrom: from + a,
  ownTo: to + a,
  errors: Float64Array.of(0, 0),
  blocks: 2,
});

/** Set 500 µs ahead, and 900 from 1,000 µs on. */
const windows = [window(0, 1_000, 500), window(1_000, 2_000, 900)];

it.each([
  ["nothing where the counters are one", [], 1_200, 1_200],
  ["a constant", [{ by: -30 }], 1_200, 1_170],
  ["the window that saw the other counter's instant", [{ toFirst: windows }], 1_950, 1_050],
  ["the window of the first counter's instant", [{ toOther: windows }], 1_200, 2_100],
  ["each step after the one before", [{ toOther: windows }, { by: -30 }, { toFirst: windows }], 1_200, 1_170],
])("is by %s", (_, way, at, expected) => {
  expect(alongWay(way)(at)).toBe(expected);
});

it("is there for another thread too", () => {
  expect(alongWay(structuredClone([{ toFirst: windows }]))(1_950)).toBe(1_050);
});
