import { expect, test } from "vitest";
import { backedPercentiles } from "./percentiles.ts";

const of = (n: number) => Object.values(backedPercentiles({ n, p50: 1, p95: 2, p99: 3, max: 4 }));

test("a single value is there once, p95 from 20 values on, p99 from 100", () => {
  expect(of(1)).toEqual([null, null, null, 4]);
  expect(of(2)).toEqual([1, null, null, 4]);
  expect(of(19)).toEqual([1, null, null, 4]);
  expect(of(20)).toEqual([1, 2, null, 4]);
  expect(of(99)).toEqual([1, 2, null, 4]);
  expect(of(100)).toEqual([1, 2, 3, 4]);
});
