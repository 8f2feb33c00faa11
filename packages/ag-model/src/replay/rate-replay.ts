/** A log writer's recorded arrivals, played faster and slower against its measured writes. */
import type { LogWriter } from "./log-writer.ts";
import { WriteQueue } from "./write-queue.ts";

/** One replay. */
export interface RatePoint {
  /** How many times as fast as recorded. */
  readonly times: number;
  /** Share of the time with a write running, 0 to 1. */
  readonly busy: number;
  /** Mean wait behind other writes per block, µs. */
  readonly waitUs: number;
}

/** Share of the time with a write running from which on a log writer counts as full. */
export const FULL_BUSY = 0.9;

const SPEEDS = [
  0.1, 0.16, 0.25, 0.4, 0.63, 1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8, 10, 12.8, 16, 20, 25.6, 32, 40,
] as const;

/** Replays at several speeds, slowest first; empty for a writer that does not queue or has fewer than two blocks. */
export function replayAtSpeeds(writer: LogWriter): RatePoint[] {
  if (writer.policy === "atOnce" || writer.start.length < 2) return [];
  return SPEEDS.map((times) => replayAtSpeed(writer, times));
}

/** @param writeUs duration of every write, µs; as measured when not given */
export function replayAtSpeed(writer: LogWriter, times: number, writeUs?: number): RatePoint {
  const { entered, ready, start, end } = writer;
  const queue = new WriteQueue(writer.policy, writer.turnaround);
  const origin = entered[0];
  let [busy, waited, from] = [0, 0, Infinity];
  for (let i = 0; i < start.length; i++) {
    const arrival = (entered[i] - origin) / times + ready[i] - entered[i];
    const starts = queue.take(arrival, writeUs ?? end[i] - start[i]);
    if (starts) busy += queue.end - queue.start;
    if (queue.start < from) from = queue.start;
    waited += Math.max(0, queue.start - arrival);
  }
  return { times, busy: busy / (queue.end - from), waitUs: waited / start.length };
}

/**
 * How many times the recorded rate keeps the writer 90 % busy, interpolated between the replays; NaN when none of them
 * reaches it.
 */
export function timesUntilFull(points: readonly RatePoint[]): number {
  const above = points.findIndex(({ busy }) => busy >= FULL_BUSY);
  if (above < 0) return Number.NaN;
  if (above === 0) return points[0].times;
  const [low, high] = [points[above - 1], points[above]];
  return low.times + ((high.times - low.times) * (FULL_BUSY - low.busy)) / (high.busy - low.busy);
}
