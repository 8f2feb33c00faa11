import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, expect, test } from "vitest";
import { Attempts } from "./attempts.ts";

let clock: TestClock;
let attempts: Attempts;
beforeEach(() => {
  clock = new TestClock();
  attempts = new Attempts(clock, 3, 60_000);
});

test("each key has so many wrong tries from its first one until the stretch ends", () => {
  expect([attempts.left("a"), attempts.waitMs("a")]).toEqual([3, 0]);
  expect(attempts.fail("a")).toBe(2);
  clock.move(10_000);
  expect([attempts.fail("a"), attempts.waitMs("a")]).toEqual([1, 0]);
  expect([attempts.fail("a"), attempts.waitMs("a")]).toEqual([0, 50_000]);
  expect([attempts.fail("a"), attempts.left("b"), attempts.waitMs("b")]).toEqual([null, 3, 0]);
  clock.move(49_999);
  expect([attempts.waitMs("a"), attempts.left("a")]).toEqual([1, 0]);
  clock.move(1);
  expect([attempts.waitMs("a"), attempts.left("a")]).toEqual([0, 3]);
  expect(attempts.fail("a")).toBe(2);
});

test("a try that was right is taken back, and only that one", () => {
  attempts.fail("a");
  attempts.fail("a");
  attempts.forgive("a");
  attempts.forgive("b");
  expect([attempts.left("a"), attempts.left("b")]).toEqual([2, 3]);
});

test("ten thousand keys are held; beyond it the oldest is forgotten, by the begin of its stretch", () => {
  attempts.fail("again");
  clock.move(60_000);
  attempts.fail("0");
  attempts.fail("again");
  for (let key = 1; key < 9_999; key += 1) attempts.fail(String(key));
  expect(attempts.left("0")).toBe(2);
  attempts.fail("new");
  expect(["0", "again", "1", "new"].map((key) => attempts.left(key))).toEqual([3, 2, 2, 2]);
});
