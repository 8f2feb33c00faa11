import { expect, it } from "vitest";
import { ownErrorOf, knownFigures } from "./known-figures.ts";

const measured = { n: 900, p50: 1_000, p95: 2_000, p99: 4_000, max: 9_000, mean: 1_200 };
const predicted = { n: 900, p50: 500, p95: 700, p99: 900, max: 1_000, mean: 550 };
const toldWith = (unchanged: Partial<typeof measured>) =>
  knownFigures(predicted, { measured, unchanged: { ...measured, ...unchanged } });

it("tells every figure that the replay without the change finds within a tenth", () => {
  expect(toldWith({ p50: 1_099, p95: 1_801, p99: 4_399, max: 8_101 })).toEqual(predicted);
});

it("keeps a p99 or a largest value to itself that was replayed wrongly, and tells the others", () => {
  expect(toldWith({ p99: 4_401 })).toEqual({ ...predicted, p99: Number.NaN });
  expect(toldWith({ max: 7_000 })).toEqual({ ...predicted, max: Number.NaN });
});

it("tells nothing where p50 or p95 was replayed wrongly", () => {
  const none = { n: 900, p50: NaN, p95: NaN, p99: NaN, max: NaN, mean: NaN };
  expect(toldWith({ p95: 2_201 })).toEqual(none);
  expect(toldWith({ p50: 899 })).toEqual(none);
  expect(ownErrorOf({ measured, unchanged: { ...measured, p50: 899, p95: 2_100 } })).toBeCloseTo(0.101, 9);
});
