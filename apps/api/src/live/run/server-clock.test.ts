import { expect, test } from "vitest";
import { ServerClock } from "./server-clock.ts";

test("the fastest answer of the last minute gives the offset, and half its time the bound", () => {
  const clock = new ServerClock();
  expect(clock.offset).toBeNull();
  clock.take({ askedMs: 1_000, answeredMs: 1_040, serverMs: 6_020 });
  expect(clock.offset).toEqual({ aheadMs: 5_000, boundMs: 36 });
  // A slower answer: the true difference is within 500 ms.
  clock.take({ askedMs: 2_000, answeredMs: 3_000, serverMs: 7_900 });
  expect(clock.offset).toEqual({ aheadMs: 5_000, boundMs: 36 });
  clock.take({ askedMs: 4_000, answeredMs: 4_010, serverMs: 9_003 });
  expect(clock.offset).toEqual({ aheadMs: 4_998, boundMs: 21 });
});

test("an answer counts for a minute: a clock that was set is believed after that", () => {
  const clock = new ServerClock();
  clock.take({ askedMs: 0, answeredMs: 2, serverMs: 1 });
  clock.take({ askedMs: 60_000, answeredMs: 60_002, serverMs: 70_001 });
  expect(clock.offset).toEqual({ aheadMs: 0, boundMs: 17 });
  clock.take({ askedMs: 60_001, answeredMs: 60_003, serverMs: 70_002 });
  expect(clock.offset).toEqual({ aheadMs: 10_000, boundMs: 17 });
});
