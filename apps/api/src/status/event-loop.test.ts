import { TestClock } from "@aglens/fixtures/clock";
import { expect, test } from "vitest";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { watchEventLoop } from "./event-loop.ts";

test("the main thread's share is sampled each second, the lateness of its timers each minute of an hour", () => {
  const clock = new TestClock(0);
  const samples: { readonly from: number; readonly share: number }[] = [];
  const activity: Pick<ThreadActivity, "sample"> = { sample: (from, share) => samples.push({ from, share }) };
  const eventLoop = watchEventLoop(clock, activity as ThreadActivity);
  const minutes = (): readonly (number | null)[] => eventLoop.delay().minutes;
  clock.move(3_000);
  expect(samples.map(({ from }) => from)).toEqual([0, 1_000, 2_000]);
  expect(samples.every(({ share }) => share >= 0 && share <= 1)).toBe(true);
  expect(minutes()).toHaveLength(60);
  expect(minutes().findLastIndex((minute) => minute === null)).toBe(58);
  clock.move(57_000);
  expect(minutes().findLastIndex((minute) => minute === null)).toBe(57);
  clock.move(58 * 60_000);
  expect([minutes().length, minutes().includes(null)]).toEqual([60, false]);
  clock.move(5 * 60_000);
  expect(minutes()).toHaveLength(60);
  expect(eventLoop.delay().p99).toBeGreaterThanOrEqual(0);
  eventLoop.close();
  expect(clock.waiting).toBe(0);
});
