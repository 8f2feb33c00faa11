import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SpareThread } from "./spare-thread.ts";
import type { Thread, ThreadMessages } from "./thread.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Threads that note what is done to them. */
function startedThreads() {
  const started: { end: ReturnType<typeof vi.fn>; keeps: boolean[]; break: () => void }[] = [];
  const start = (): Thread<ThreadMessages> => {
    const thread = { end: vi.fn(() => Promise.resolve()), keeps: [] as boolean[], break: () => {} };
    started.push(thread);
    return {
      end: thread.end,
      keepsProcess: (keeps: boolean) => thread.keeps.push(keeps),
      onEnd: (listener: () => void) => (thread.break = listener),
    } as unknown as Thread<ThreadMessages>;
  };
  return { started, spare: new SpareThread(start) };
}

test("one thread waits, and is the one that is taken", () => {
  const { started, spare } = startedThreads();
  spare.expect();
  spare.expect();
  expect(started).toHaveLength(1);
  spare.take();
  expect(started).toHaveLength(1);
  expect(started[0]?.keeps).toEqual([false, true]);
  spare.take();
  expect(started).toHaveLength(2);
});

test("a thread that nobody takes ends five minutes after it was last expected", () => {
  const { started, spare } = startedThreads();
  spare.expect();
  vi.advanceTimersByTime(60_000);
  spare.expect();
  vi.advanceTimersByTime(299_999);
  expect(started[0]?.end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(started[0]?.end).toHaveBeenCalledOnce();
  spare.take();
  expect(started).toHaveLength(2);
});

test("a thread that broke while it waited is not taken, and one that was taken is not ended", () => {
  const { started, spare } = startedThreads();
  spare.expect();
  started[0]?.break();
  spare.take();
  expect(started).toHaveLength(2);
  spare.expect();
  spare.take();
  vi.advanceTimersByTime(600_000);
  expect(started[2]?.end).not.toHaveBeenCalled();
});
