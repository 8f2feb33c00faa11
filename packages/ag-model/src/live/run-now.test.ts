/** Present time on the primary: µs of the run, from the caller's clock, the newest event, and a measured distance. */
import { expect, it } from "vitest";
import { RunNow } from "./run-now.ts";

const SECOND = 1_000_000;

it("is the caller's where events come a little late, and never before the newest event", () => {
  const time = new RunNow();
  time.update(10 * SECOND, 9 * SECOND, true, Number.NaN);
  expect(time.now).toBe(10 * SECOND);
  time.update(10.5 * SECOND, 10.6 * SECOND, true, Number.NaN);
  expect(time.now).toBe(10.6 * SECOND);
});

it("is behind the caller's by as much as the least late event, where that is three seconds or more", () => {
  const nowWith = (late: number): number => {
    const time = new RunNow();
    time.update(10 * SECOND, 10 * SECOND - late - SECOND, true, Number.NaN);
    time.update(11 * SECOND, 11 * SECOND - late, true, Number.NaN);
    time.update(20 * SECOND, 11 * SECOND - late, false, Number.NaN);
    return time.now;
  };
  expect([nowWith(3 * SECOND - 1), nowWith(3 * SECOND)]).toEqual([20 * SECOND, 17 * SECOND]);
});

it("is ahead of the caller's by as much as an event was", () => {
  const time = new RunNow();
  time.update(10 * SECOND, 12 * SECOND, true, Number.NaN);
  time.update(15 * SECOND, 12 * SECOND, false, Number.NaN);
  expect(time.now).toBe(17 * SECOND);
});

it("does not take an old event for a late one while nothing new comes", () => {
  const time = new RunNow();
  time.update(10 * SECOND, 2 * SECOND, false, Number.NaN);
  expect(time.now).toBe(2 * SECOND);
});

it("is put back by a measurement from a quarter of a second on, by nothing else", () => {
  const nowAfter = (aheadUs: number, byCaller = 10 * SECOND): number => {
    const time = new RunNow();
    time.update(10 * SECOND, 0, true, 0);
    time.update(byCaller, 0, false, aheadUs);
    return time.now;
  };
  expect([nowAfter(-250_000), nowAfter(-250_001)]).toEqual([10 * SECOND, 9_749_999]);
  expect(nowAfter(Number.NaN, 5 * SECOND)).toBe(10 * SECOND);
});
