import type { BinWindow } from "@aglens/contract";
import { describe, expect, test } from "vitest";
import { overviewOf } from "../../../test/overview.ts";
import { blockWindow, commitWindow } from "../../../test/window.ts";
import { MOST_DOTS } from "@aglens/contract";
import { commitSamples, hardenSamples, sampleNear, serverBins } from "./samples.ts";

test("commits are dots in the order of their start, as long as they waited", () => {
  const dots = commitSamples(
    commitWindow([
      [30, 90, 0],
      [10, 15, 1],
    ]),
  );
  expect(Array.from(dots.at)).toEqual([10, 30]);
  expect(Array.from(dots.value)).toEqual([5, 60]);
  expect(dots).toMatchObject({ metric: "commit", cut: false });
});

test("as many commits as are asked for are the longest of more", () => {
  const many = (count: number) =>
    commitSamples(commitWindow(Array.from({ length: count }, (_, i) => [i, i + 1, 0] as const)));
  expect(many(MOST_DOTS - 1).cut).toBe(false);
  expect(many(MOST_DOTS).cut).toBe(true);
});

test("blocks are dots where their remote harden is known; bins have none", () => {
  const window = blockWindow([
    {
      hops: [
        { sendStart: 5, ackProcessed: 25 },
        { sendStart: 6, ackProcessed: 96 },
      ],
    },
    { hops: [{ sendStart: 30 }] },
    { hops: [{ sendStart: 50, ackProcessed: 50 }] },
  ]);
  expect(hardenSamples(window, 0)).toEqual({
    metric: "harden",
    cut: false,
    at: new Float64Array([5]),
    value: new Float64Array([20]),
  });
  expect(Array.from(hardenSamples(window, 1).value)).toEqual([90]);
  expect(hardenSamples({ detail: "bins" } as BinWindow, 0)).toMatchObject({ cut: true, at: { length: 0 } });
});

describe("the sample near the cursor", () => {
  const samples = { at: new Float64Array([100, 106, 112, 200]), value: new Float64Array([1, 9, 9, 50]) };
  const scale = { from: 0, to: 1_000 };

  test("is the longest within 6 px, the first of equally long ones", () => {
    // 1,000 px for 1,000 µs.
    expect(sampleNear(samples, scale, 106, 1_000)).toEqual({ at: 106, value: 9 });
    expect(sampleNear(samples, scale, 100, 1_000)).toEqual({ at: 106, value: 9 });
    expect(sampleNear(samples, scale, 94, 1_000)).toEqual({ at: 100, value: 1 });
    expect(sampleNear(samples, scale, 118, 1_000)).toEqual({ at: 112, value: 9 });
  });

  test("is none farther off", () => {
    expect(sampleNear(samples, scale, 93.9, 1_000)).toBeNull();
    expect(sampleNear(samples, scale, 206.1, 1_000)).toBeNull();
  });
});

test("bins of the server are of commits or of blocks, without those that hold none", () => {
  const overview = overviewOf({
    from: 100,
    binUs: 10,
    commits: [3, 0, 2],
    blocks: [5, 6, 0],
    commitP50: [1, null, 2],
    commitP95: [11, null, 12],
    commitP99: [21, null, 22],
    commitMax: [31, null, 32],
    hardenP50: [4, 5, null],
    hardenP95: [14, 15, null],
    hardenP99: [24, 25, null],
    hardenMax: [34, null, null],
  });
  expect(serverBins(overview, "commit")).toEqual([
    { from: 100, to: 110, n: 3, p50: 1, p95: 11, p99: 21, max: 31 },
    { from: 120, to: 130, n: 2, p50: 2, p95: 12, p99: 22, max: 32 },
  ]);
  expect(serverBins(overview, "harden")).toEqual([
    { from: 100, to: 110, n: 5, p50: 4, p95: 14, p99: 24, max: 34 },
  ]);
});
