import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/index.ts";
import { percentileSpread } from "./percentile-spread.ts";

/** Blocks 10 ms apart with these local log writes, µs. */
const withFlushes = (flushes: readonly number[]): CaptureModel =>
  modelOf(flushes.map((localFlush, i) => ({ at: 10_000 * i, localFlush })));

const flushSpread = (flushes: readonly number[]): { p50: number[]; p95: number[]; p99: number[] } => {
  const model = withFlushes(flushes);
  const scope = { database: null, phase: null };
  const { rows } = percentileSpread(model, { from: 0, to: model.duration, secondary: 0, scope });
  return rows.find(({ stage }) => stage === "localFlush")!;
};

/** Half of the width of the middle 95 % of the factors. */
const width = (factors: readonly number[]): number => {
  const sorted = factors.toSorted((a, b) => a - b);
  return (sorted[194] - sorted[5]) / 2;
};

/** Numbers that look as drawn from 1 to 10 ms, the same each time. */
const scattered = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => 1_000 * 10 ** ((i * 0.618034) % 1));

test("values that are all alike leave nothing to chance", () => {
  const { p50, p95, p99 } = flushSpread(Array.from({ length: 200 }, () => 5_000));
  expect([...new Set([...p50, ...p95, ...p99])]).toEqual([1]);
  expect(p50).toHaveLength(200);
});

test("four times the values make the interval about half as wide", () => {
  const [few, many] = [width(flushSpread(scattered(400)).p50), width(flushSpread(scattered(1_600)).p50)];
  expect(few).toBeGreaterThan(0);
  expect(many / few).toBeLessThan(0.75);
});

test("a slow stretch of time makes the interval wide, where the same values mixed would not", () => {
  const values = scattered(600);
  const sorted = values.toSorted((a, b) => a - b);
  expect(width(flushSpread(sorted).p50)).toBeGreaterThan(3 * width(flushSpread(values).p50));
});

test("a median of which half of all drawn ones are larger lies in the middle of its interval", () => {
  const { p50 } = flushSpread(scattered(1_000));
  const larger = p50.filter((factor) => factor > 1).length;
  expect(larger).toBeGreaterThan(60);
  expect(larger).toBeLessThan(140);
});

test("under 20 values there is no interval, under 100 none of p99", () => {
  expect(flushSpread(scattered(19)).p50).toEqual([]);
  expect(flushSpread(scattered(20)).p50).toHaveLength(200);
  expect(flushSpread(scattered(99)).p99).toEqual([]);
  expect(flushSpread(scattered(100)).p99).toHaveLength(200);
});

test("the same range gives the same answer", () => {
  expect(flushSpread(scattered(100))).toEqual(flushSpread(scattered(100)));
});
