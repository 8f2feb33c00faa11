import { expect, it } from "vitest";
import { type AlarmState, nextAlarm, QUIET } from "./alarm.ts";

/** Instants, in s, at which a figure that is given once a second rings; null = unknown. Limit 50 ms. */
function ringsOf(milliseconds: readonly (number | null)[]): number[] {
  let state: AlarmState = QUIET;
  return milliseconds.flatMap((ms, second) => {
    const next = nextAlarm(state, second * 1e6, ms === null ? null : ms * 1000, 50_000);
    state = next;
    return next.rings ? [second] : [];
  });
}
const times = (count: number, ms: number | null): (number | null)[] =>
  Array.from({ length: count }, () => ms);

it("rings once when a figure was over its limit for five seconds", () => {
  expect(ringsOf([...times(3, 10), ...times(20, 60)])).toEqual([8]);
  expect(ringsOf([...times(3, 10), ...times(5, 60), ...times(20, 10)])).toEqual([]);
  expect(ringsOf([...times(3, 10), ...times(6, 60)])).toEqual([8]);
});

it("does not ring at the limit", () => {
  expect(ringsOf(times(20, 50))).toEqual([]);
  expect(ringsOf(times(20, 50.001))).toEqual([5]);
});

it("rings again only for another episode: after five seconds under the limit", () => {
  expect(ringsOf([...times(10, 60), ...times(4, 10), ...times(10, 60)])).toEqual([5]);
  expect(ringsOf([...times(10, 60), ...times(6, 10), ...times(10, 60)])).toEqual([5, 21]);
});

it("takes an unknown figure neither for high nor for low", () => {
  expect(ringsOf([...times(3, 60), ...times(4, null), ...times(3, 60)])).toEqual([7]);
  expect(ringsOf(times(30, null))).toEqual([]);
});
