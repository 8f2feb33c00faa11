import { expect, it } from "vitest";
import { BusyTime } from "./busy-time.ts";

const busyTime = (starts: readonly number[], ends: readonly number[]): BusyTime =>
  new BusyTime(Float64Array.from(starts), Float64Array.from(ends));

it("counts what runs between two instants once, also where intervals overlap or touch", () => {
  const busy = busyTime([30, 0, 5, 20], [40, 10, 12, 30]);
  expect(busy.between(0, 100)).toBe(12 + 20);
  expect(busy.between(11, 25)).toBe(1 + 5);
  expect(busy.between(12, 20)).toBe(0);
  expect(busy.between(-5, 3)).toBe(3);
  expect(busy.between(39, 39.5)).toBe(0.5);
});

it("counts nothing for intervals without an end, backwards, and for unknown instants", () => {
  const busy = busyTime([0, 10, 30], [Number.NaN, 5, 40]);
  expect(busy.between(0, 30)).toBe(0);
  expect(busy.between(40, 30)).toBe(0);
  expect(busy.between(Number.NaN, 35)).toBe(0);
  expect(busyTime([], []).between(0, 9)).toBe(0);
});

it("says since when it runs without a break", () => {
  const busy = busyTime([0, 10, 30], [10, 15, 40]);
  expect([busy.runningAt(12), busy.runningAt(15), busy.runningAt(35)]).toEqual([12, 15, 5]);
  expect([busy.runningAt(16), busy.runningAt(-1), busy.runningAt(Number.NaN)]).toEqual([0, 0, 0]);
});

it("answers the same in any order of the questions, near and far", () => {
  const starts = Array.from({ length: 200 }, (_, i) => 10 * i);
  const busy = busyTime(
    starts,
    starts.map((start) => start + 4),
  );
  for (const from of [0, 5, 1_990, 3, 995, 990, 1_000, 2_500, -7, 40])
    for (const length of [1, 17, 400, 3_000]) {
      const inside = (at: number): number =>
        Math.max(0, Math.min(200, Math.floor(at / 10)) * 4 + (at < 2_000 ? Math.min(at % 10, 4) : 0));
      const until = (at: number): number => (at <= 0 ? 0 : inside(at));
      expect(busy.between(from, from + length)).toBe(until(from + length) - until(from));
    }
});
