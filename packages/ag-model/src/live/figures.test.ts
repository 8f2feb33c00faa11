import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { durationKey } from "../columns/index.ts";
import { rangeStatistics } from "../query/range-statistics.ts";
import { figuresOf, mainSecondary } from "./figures.ts";

const model = modelOf([{ at: 0, hops: [{}, { flush: 9_000 }, { flush: 5_000 }] }], { secondaries: 3 });
const statistics = rangeStatistics(model, { from: 0, to: 1_000 });

/** Three secondaries with numbers of the run; those of `attached` are read. */
const present = (...attached: number[]) =>
  [0, 1, 2].map((s) => ({ id: `r${s}`, replica: attached.includes(s) ? s + 1 : -1, number: 10 + s }));

const SYNC = ["sync", "sync", "sync"] as const;

describe("the secondary that readouts are about", () => {
  it("is one that commits wait for, however slow an asynchronous one is; an asynchronous one where no other is read", () => {
    expect(mainSecondary(statistics, present(0, 1, 2), ["sync", "async", "sync"])).toBe(2);
    expect(mainSecondary(statistics, present(0, 1, 2), ["undetermined", "async", "async"])).toBe(0);
    expect(mainSecondary(statistics, present(1, 2), ["sync", "async", "async"])).toBe(1);
    expect(mainSecondary(statistics, present(), ["sync", "async", "sync"])).toBe(2);
  });

  it("is the slowest of those that are read, else of all, the first of equals", () => {
    expect(mainSecondary(statistics, present(0, 1, 2), SYNC)).toBe(1);
    expect(mainSecondary(statistics, present(0, 2), SYNC)).toBe(2);
    expect(mainSecondary(statistics, present(0), SYNC)).toBe(0);
    expect(mainSecondary(statistics, present(), SYNC)).toBe(1);
    const equal = rangeStatistics(modelOf([{ at: 0 }], { secondaries: 3 }), { from: 0, to: 1_000 });
    expect(mainSecondary(equal, present(1, 2), SYNC)).toBe(1);
    const none = rangeStatistics(modelOf([], { secondaries: 3 }), { from: 0, to: 1_000 });
    expect([mainSecondary(none, present(2), SYNC), mainSecondary(none, [], [])]).toEqual([2, -1]);
  });
});

it("figures are by the lanes' keys, with the numbers of the run, and NaN where there is none", () => {
  const figures = figuresOf(statistics, present(0));
  expect(figures["commit"]).toEqual({ n: 1, p50: 10_290, p95: 10_290, max: 10_290 });
  expect([10, 11, 12].map((number) => figures[durationKey("secondaryFlush", number)].p50)).toEqual([
    3_000, 9_000, 5_000,
  ]);
  expect(figures[durationKey("acknowledge", 12)]).toEqual({ n: 1, p50: 200, p95: 200, max: 200 });
  const none = figuresOf(rangeStatistics(modelOf([]), { from: 0, to: 1_000 }), present().slice(0, 1));
  expect(none["commit"]).toEqual({ n: 0, p50: Number.NaN, p95: Number.NaN, max: Number.NaN });
});
