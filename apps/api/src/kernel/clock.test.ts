import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pause, systemClock } from "./clock.ts";

describe("the clock of this machine", () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => {
    // Mocks are restored first: a spy on a fake timer would otherwise put that fake timer back later.
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test("calls once after a time, unless that is cancelled", () => {
    const call = vi.fn<() => void>();
    const never = vi.fn<() => void>();
    systemClock.after(100, call);
    systemClock.after(50, never)();
    vi.advanceTimersByTime(99);
    expect(call).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(systemClock.now()).toBe(1_100);
    vi.advanceTimersByTime(1_000);
    expect(call).toHaveBeenCalledTimes(1);
    expect(never).not.toHaveBeenCalled();
  });

  test("calls at once for a time that is over, without a complaint of Node's", () => {
    const asked = vi.spyOn(globalThis, "setTimeout");
    const call = vi.fn<() => void>();
    systemClock.after(-1_299, call);
    expect(asked.mock.calls.map(([, ms]) => ms)).toEqual([0]);
    expect(call).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect(call).toHaveBeenCalledTimes(1);
  });

  test("calls again and again until that is ended", () => {
    const call = vi.fn<() => void>();
    const end = systemClock.every(100, call);
    vi.advanceTimersByTime(399);
    expect(call).toHaveBeenCalledTimes(3);
    end();
    vi.advanceTimersByTime(1_000);
    expect(call).toHaveBeenCalledTimes(3);
  });
});

describe("a pause", () => {
  /** Whether a promise has settled, once everything that waits had its turn. */
  async function isOver(promise: Promise<void>): Promise<boolean> {
    let over = false;
    void promise.then(() => (over = true));
    await Promise.resolve();
    await Promise.resolve();
    return over;
  }

  test("lasts its time", async () => {
    const clock = new TestClock();
    const pausing = pause(clock, 100);
    clock.move(99);
    expect(await isOver(pausing)).toBe(false);
    clock.move(1);
    expect(await isOver(pausing)).toBe(true);
  });

  test("ends early when it is aborted, and leaves neither timer nor listener", async () => {
    const clock = new TestClock();
    const stopping = new AbortController();
    const removed = vi.spyOn(stopping.signal, "removeEventListener");
    const pausing = pause(clock, 100, stopping.signal);
    stopping.abort();
    expect(await isOver(pausing)).toBe(true);
    expect(clock.waiting).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  test("is none when that was aborted before", async () => {
    const clock = new TestClock();
    expect(await isOver(pause(clock, 100, AbortSignal.abort()))).toBe(true);
    expect(clock.waiting).toBe(0);
  });
});
