import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./paced.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first is shown at once, then the newest each time", () => {
  const shown: number[] = [];
  const show = paced<number>((value) => shown.push(value), 200);
  show(1);
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(50);
  show(2);
  show(3);
  vi.advanceTimersByTime(149);
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([1, 3]);
  vi.advanceTimersByTime(100);
  show(4);
  vi.advanceTimersByTime(100);
  expect(shown).toEqual([1, 3, 4]);
});

test("after a rest the next is shown at once, and nothing twice", () => {
  const shown: number[] = [];
  const show = paced<number>((value) => shown.push(value), 200);
  show(1);
  vi.advanceTimersByTime(1_000);
  show(2);
  vi.advanceTimersByTime(1_000);
  expect(shown).toEqual([1, 2]);
});
