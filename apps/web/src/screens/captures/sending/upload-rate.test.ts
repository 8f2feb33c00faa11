import { expect, test } from "vitest";
import { rateOf, withSample } from "./upload-rate.ts";

const samplesOf = (...samples: readonly (readonly [seconds: number, bytes: number])[]) =>
  samples.reduce<ReturnType<typeof withSample>>(
    (all, [seconds, bytes]) => withSample(all, { atMs: seconds * 1000, bytes }),
    [],
  );

test("the rate is that of the last ten seconds", () => {
  // 100 bytes/s for ten seconds, then 10 bytes/s for ten.
  const slow = samplesOf([0, 0], [5, 500], [10, 1000], [15, 1050], [20, 1100]);
  expect(rateOf(slow)).toBe(10);
  expect(rateOf(samplesOf([0, 0], [5, 500], [10, 1000]))).toBe(100);
});

test("a sample between stays until one is ten seconds old", () => {
  expect(samplesOf([0, 0], [4, 40], [13, 130])).toHaveLength(3);
  expect(samplesOf([0, 0], [3, 30], [13, 130])).toHaveLength(2);
});

test("no rate before a second has passed, and while nothing comes", () => {
  expect(rateOf([])).toBeNull();
  expect(rateOf(samplesOf([0, 0], [0.999, 100]))).toBeNull();
  expect(rateOf(samplesOf([0, 0], [1, 100]))).toBe(100);
  expect(rateOf(samplesOf([0, 100], [2, 100]))).toBeNull();
});

test("after fewer bytes it begins anew", () => {
  expect(rateOf(samplesOf([0, 0], [5, 1000], [6, 800], [7, 850]))).toBe(50);
});
