/** Delay of the main thread's timers, and its share of busy time. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Clock } from "../kernel/clock.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { MINUTES } from "./request-figures.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Interval of the monitor's timer; measured delays include it. */
const RESOLUTION_MS = 10;
const PRESENT = 5;
const NS_PER_MS = 1e6;
const P99 = 99;

/** p99 of the lateness, ms: of the worst of the last five minutes, and of each minute of the last hour, oldest first. */
export interface EventLoopDelay {
  readonly p99: number;
  readonly minutes: readonly (number | null)[];
}

export interface EventLoop {
  delay(): EventLoopDelay;
  close(): void;
}

/** Begins to measure. @param activity gets the main thread's share of each second */
export function watchEventLoop(clock: Clock, activity: ThreadActivity): EventLoop {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  let minutes: readonly number[] = [];
  const latest = (): number =>
    monitor.count === 0 ? 0 : Math.max(0, monitor.percentile(P99) / NS_PER_MS - RESOLUTION_MS);
  const endMinutes = clock.every(MINUTE_MS, () => {
    minutes = [...minutes, latest()].slice(-MINUTES + 1);
    monitor.reset();
  });
  let utilization = performance.eventLoopUtilization();
  let sampled = clock.now();
  const endSeconds = clock.every(SECOND_MS, () => {
    const share = performance.eventLoopUtilization(utilization).utilization;
    activity.sample(sampled, share);
    utilization = performance.eventLoopUtilization();
    sampled = clock.now();
  });
  return {
    delay: () => {
      const all = [...minutes, latest()];
      const empty = Array.from({ length: MINUTES - all.length }, () => null);
      return { p99: Math.max(...all.slice(-PRESENT)), minutes: [...empty, ...all] };
    },
    close: () => {
      endMinutes();
      endSeconds();
      monitor.disable();
    },
  };
}
