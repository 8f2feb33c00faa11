/**
 * What the log writer of one replica and database did: which blocks shared a write, which of them waited behind a running
 * one, and when each would have been written had the writer been idle.
 */
import { valueAtRank } from "../numbers/index.ts";
import { RecentMedian } from "./recent-median.ts";

/** What a writer does with blocks that come while it writes. */
export type WriterPolicy =
  /** They wait and share the next write. */
  | "together"
  /** They wait and are written one after the other. */
  | "oneByOne"
  /** They are written at once, beside the running write. */
  | "atOnce";

/** Instants of blocks at one log writer, µs, in the order of the log; no value is NaN. */
export interface WriterInstants {
  /** When the block entered: its first commit on a primary, its arrival on a secondary. */
  readonly entered: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

export interface LogWriter extends WriterInstants {
  /** When the write would have started had the writer been idle, µs; never after `start`. */
  readonly ready: Float64Array;
  /** 1 for a block whose write began when the one before it ended. */
  readonly waited: Uint8Array;
  /** 1 for the first block of a write. */
  readonly first: Uint8Array;
  readonly policy: WriterPolicy;
  /** Usual time from the end of a write to the start of the next one when a block waits for it, µs. */
  readonly turnaround: number;
}

/** Two starts this close are one write, µs. */
const SAME_WRITE_US = 5;
/** A write that begins this long after its usual turnaround did not wait for the one before, µs. */
const TURNAROUND_SPREAD_US = 30;
const TURNAROUND_PERCENTILE = 0.05;

/**
 * Reads the queue out of the instants of a log writer.
 *
 * What a block needs before its write (`handling`) is seen only where the writer was idle; a block that waited gets the
 * handling that was usual of the last ones that did not.
 */
export function logWriterOf(instants: WriterInstants): LogWriter {
  const { entered, start, end } = instants;
  const n = start.length;
  const first = new Uint8Array(n);
  const waited = new Uint8Array(n);
  const busyUntil = new Float64Array(n);
  let from = -Infinity;
  let until = -Infinity;
  let before = -Infinity;
  for (let i = 0; i < n; i++) {
    if (Math.abs(start[i] - from) > SAME_WRITE_US) {
      first[i] = 1;
      from = start[i];
      before = until;
    }
    until = Math.max(until, end[i]);
    busyUntil[i] = before;
  }
  const turnaround = turnaroundOf(instants, busyUntil);
  for (let i = 0; i < n; i++) {
    const gap = start[i] - busyUntil[i];
    const followed = gap <= turnaround + TURNAROUND_SPREAD_US && gap >= -SAME_WRITE_US;
    waited[i] = entered[i] < busyUntil[i] && followed ? 1 : 0;
  }
  const policy = policyOf(instants, first, waited, busyUntil);
  const ready = readyOf(instants, first, waited, policy);
  return { ...instants, ready, waited, first, policy, turnaround };
}

function turnaroundOf({ entered, start }: WriterInstants, busyUntil: Float64Array): number {
  const gaps = new Float64Array(start.length);
  let n = 0;
  for (let i = 0; i < gaps.length; i++) {
    const gap = start[i] - busyUntil[i];
    if (gap >= 0 && entered[i] < busyUntil[i]) gaps[n++] = gap;
  }
  return n > 0 ? valueAtRank(gaps.subarray(0, n), Math.floor(TURNAROUND_PERCENTILE * n)) : 0;
}

/** What the recording shows most often; "together" where it shows nothing. */
function policyOf(
  { entered, start }: WriterInstants,
  first: Uint8Array,
  waited: Uint8Array,
  busyUntil: Float64Array,
): WriterPolicy {
  let together = 0;
  let oneByOne = 0;
  let atOnce = 0;
  const handling = new RecentMedian();
  for (let i = 1; i < start.length; i++) {
    if (first[i] === 0) together++;
    else if (start[i] < busyUntil[i] - SAME_WRITE_US) atOnce++;
    else if (waited[i] === 1 && entered[i] + handling.medianOr(0) < start[i - 1]) oneByOne++;
    if (waited[i] === 0) handling.put(start[i] - entered[i]);
  }
  if (atOnce > Math.max(together, oneByOne)) return "atOnce";
  return oneByOne > together ? "oneByOne" : "together";
}

function readyOf(
  { entered, start }: WriterInstants,
  first: Uint8Array,
  waited: Uint8Array,
  policy: WriterPolicy,
): Float64Array {
  const ready = start.slice();
  const handling = new RecentMedian();
  let running = -Infinity;
  let previous = -Infinity;
  for (let i = 0; i < start.length; i++) {
    if (first[i] === 1) {
      previous = running;
      running = start[i];
    }
    if (waited[i] === 0 && first[i] === 1) {
      handling.put(start[i] - entered[i]);
      continue;
    }
    let instant = entered[i] + handling.medianOr(0);
    // A block that waited for a write of its own was not there when the one before it began.
    if (policy === "together" && waited[i] === 1) instant = Math.max(instant, previous + 2 * SAME_WRITE_US);
    ready[i] = Math.min(instant, start[i]);
  }
  return ready;
}
