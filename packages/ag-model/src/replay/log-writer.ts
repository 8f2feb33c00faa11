/**
 * Work of the log writer of one replica and database: which blocks shared a write, which of them waited for a running
 * one, and when each would have been written had the writer been idle.
 */
import { inChunks, valueAtRank, type RowRange } from "../numbers/index.ts";
import { RecentMedian } from "./recent-median.ts";

/** Handling of blocks that arrive while the writer writes. */
export type WriterPolicy =
  /** They wait and share the next write. */
  | "together"
  /** They wait and are written one after the other. */
  | "oneByOne"
  /** They are written at once, in parallel with the running write. */
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

/** A block that starts this close to the one before it shares its write, µs. */
const SAME_WRITE_US = 5;
/** A write that begins this long after its usual turnaround did not wait for the one before, µs. */
const TURNAROUND_SPREAD_US = 30;
const TURNAROUND_PERCENTILE = 0.05;

/**
 * Derives the queue from the instants of a log writer.
 *
 * The time that a block needs before its write (`handling`) is seen only where the writer was idle; a block that waited
 * gets the usual handling of the last ones that did not.
 * @param known the writer's policy; derived from the instants when absent
 */
export function logWriterOf(instants: WriterInstants, known?: WriterPolicy): LogWriter {
  const n = instants.start.length;
  const first = new Uint8Array(n);
  const waited = new Uint8Array(n);
  const busyUntil = new Float64Array(n);
  const before = { start: -Infinity, end: -Infinity, busyUntil: -Infinity };
  inChunks(n, (chunk) => findWrites(instants, first, busyUntil, before, chunk));
  const turnaround = turnaroundOf(instants, busyUntil);
  const seen = { together: 0, oneByOne: 0, atOnce: 0, handling: new RecentMedian() };
  inChunks(n, (chunk) => {
    findWaiting(instants, busyUntil, turnaround, waited, chunk);
    countPolicies(instants, { first, waited, busyUntil }, seen, chunk);
  });
  const policy = known ?? policyOf(seen);
  return {
    ...instants,
    ready: readyOf(instants, { first, waited }, policy),
    waited,
    first,
    policy,
    turnaround,
  };
}

/**
 * Finds the blocks that begin a write, and the end of the writes before each block's own. @param before of the last
 * write so far, µs
 */
function findWrites(
  { start, end }: WriterInstants,
  first: Uint8Array,
  busyUntil: Float64Array,
  before: { start: number; end: number; busyUntil: number },
  chunk: RowRange,
): void {
  let { start: from, end: until, busyUntil: busy } = before;
  for (let i = chunk.first; i < chunk.end; i++) {
    if (Math.abs(start[i] - from) > SAME_WRITE_US) {
      first[i] = 1;
      busy = until;
    }
    // Many blocks of one write start far from its first, each of them right after the one before.
    from = start[i];
    until = Math.max(until, end[i]);
    busyUntil[i] = busy;
  }
  before.start = from;
  before.end = until;
  before.busyUntil = busy;
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

function findWaiting(
  { entered, start }: WriterInstants,
  busyUntil: Float64Array,
  turnaround: number,
  waited: Uint8Array,
  { first, end }: RowRange,
): void {
  for (let i = first; i < end; i++) {
    const gap = start[i] - busyUntil[i];
    const followed = gap <= turnaround + TURNAROUND_SPREAD_US && gap >= -SAME_WRITE_US;
    waited[i] = entered[i] < busyUntil[i] && followed ? 1 : 0;
  }
}

/** Properties of each block's write, as `LogWriter` has them. */
type WriteMarks = Pick<LogWriter, "first" | "waited">;

/** Number of blocks that match each policy. */
type PolicyCounts = Record<WriterPolicy, number>;

function countPolicies(
  { entered, start }: WriterInstants,
  { first, waited, busyUntil }: WriteMarks & { readonly busyUntil: Float64Array },
  seen: PolicyCounts & { readonly handling: RecentMedian },
  chunk: RowRange,
): void {
  const { handling } = seen;
  for (let i = Math.max(chunk.first, 1); i < chunk.end; i++) {
    if (first[i] === 0) seen.together++;
    else if (start[i] < busyUntil[i] - SAME_WRITE_US) seen.atOnce++;
    else if (waited[i] === 1 && entered[i] + handling.medianOr(0) < start[i - 1]) seen.oneByOne++;
    if (waited[i] === 0) handling.put(start[i] - entered[i]);
  }
}

/** Returns the policy that the recording shows most often; "together" where it shows no policy. */
function policyOf({ together, oneByOne, atOnce }: PolicyCounts): WriterPolicy {
  if (atOnce > Math.max(together, oneByOne)) return "atOnce";
  return oneByOne > together ? "oneByOne" : "together";
}

function readyOf(instants: WriterInstants, marks: WriteMarks, policy: WriterPolicy): Float64Array {
  const ready = instants.start.slice();
  const before = { ready, running: -Infinity, previous: -Infinity, handling: new RecentMedian() };
  inChunks(ready.length, (chunk) => makeReady(instants, marks, policy, before, chunk));
  return ready;
}

/** When blocks would have been written, up to the one before. */
interface ReadySoFar {
  readonly ready: Float64Array;
  /** When the running write and the one before it began, µs. */
  running: number;
  previous: number;
  readonly handling: RecentMedian;
}

function makeReady(
  { entered, start }: WriterInstants,
  { first, waited }: WriteMarks,
  policy: WriterPolicy,
  before: ReadySoFar,
  chunk: RowRange,
): void {
  const { ready, handling } = before;
  let { running, previous } = before;
  for (let i = chunk.first; i < chunk.end; i++) {
    if (first[i] === 1) {
      previous = running;
      running = start[i];
    }
    if (waited[i] === 0 && first[i] === 1) {
      handling.put(start[i] - entered[i]);
      continue;
    }
    let instant = entered[i] + handling.medianOr(0);
    // A block that waited for a write of its own had not arrived when the one before it began.
    if (policy === "together" && waited[i] === 1) instant = Math.max(instant, previous + 2 * SAME_WRITE_US);
    ready[i] = Math.min(instant, start[i]);
  }
  before.running = running;
  before.previous = previous;
}
