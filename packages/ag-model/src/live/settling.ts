/** Decides when blocks settle, and adds their figures to the run when they do. */
import { microsecondsToTicks } from "../replication/clocks/time.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Piece } from "./block-pieces.ts";
import type { laneColumns } from "./lane-columns.ts";
import type { LogPyramid } from "./log-pyramid.ts";

/** Time after all replicas were read before a block settles, µs. */
export const MARGIN_US = 1_000_000;
/** At first it is not known how far buffers overtake each other, so that blocks get more time. */
const FIRST_MARGIN_US = 5_000_000;
const FIRST_HEARD_US = 10_000_000;
/** Blocks wait no longer than this for a block without an answer, or for a replica that is never late. */
export const PATIENCE_US = 10_000_000;
/** No replica is waited for longer than this, however late its events usually are. */
export const LONGEST_PATIENCE_US = 60_000_000;
export const LONGEST_PATIENCE_TICKS = microsecondsToTicks(LONGEST_PATIENCE_US);
/** Number of events in the window over which blocks settle sooner, so that a step stays short. */
export const MOST_EVENTS = 600_000;

/** Times up to which the run was read, µs of the run. */
export interface ReadUpTo {
  readonly now: number;
  readonly newest: number;
  /** By all replicas that are waited for. */
  readonly byAll: number;
  /** If no replica sent an event for this long, no earlier event arrives any more, µs. */
  readonly quietAfter: number;
}

/** Finds the time up to which the blocks of a run can settle: no later event can change them. */
export class SettleTarget {
  /** When each secondary answered last, by index in the run, µs of the run. */
  readonly #lastAck = new Map<number, number>();
  readonly #mostEvents: number;

  /** @param mostEvents in the window over which blocks settle sooner */
  constructor(mostEvents: number = MOST_EVENTS) {
    this.#mostEvents = mostEvents;
  }

  /** Time up to which all replicas were read, less blocks that are still on their way; µs of the run. */
  of(
    model: CaptureModel,
    shift: number,
    secondaryOf: readonly number[],
    { now, newest, byAll, quietAfter }: ReadUpTo,
    binWidth: number,
  ): number {
    if (now - newest > quietAfter) return newest + binWidth;
    const pending = this.#firstPending(model, shift, secondaryOf, byAll);
    const events = model.replicas.reduce((sum, replica) => sum + replica.events, 0);
    const limit = events > this.#mostEvents ? newest - MARGIN_US : byAll - PATIENCE_US;
    const margin = byAll < FIRST_HEARD_US ? FIRST_MARGIN_US : MARGIN_US;
    return Math.max(Math.min(byAll - margin, pending), limit);
  }

  /** First block that still waits for its log write or for the answer of a replica that answers; Infinity for none. */
  #firstPending(model: CaptureModel, shift: number, secondaryOf: readonly number[], byAll: number): number {
    const { blocks, hops, replicas } = model;
    let first = firstAfterLast(blocks.time, blocks.localFlushStart, blocks.localFlushEnd).waiting;
    for (const [s, hop] of hops.entries()) {
      const { answered, waiting } = firstAfterLast(blocks.time, hop.sendEnd, hop.ackReceived);
      const key = secondaryOf[s];
      if (!Number.isNaN(answered)) this.#lastAck.set(key, answered + shift);
      const isAnswering = byAll - (this.#lastAck.get(key) ?? -Infinity) < PATIENCE_US;
      if (isAnswering && replicas[s + 1].commitMode !== "async") first = Math.min(first, waiting);
    }
    return first + shift;
  }
}

/** Adds blocks that began before an instant to the bins of the complete run. */
export function book(
  pyramid: LogPyramid,
  lanes: ReturnType<typeof laneColumns>,
  blockTimes: Float64Array,
  before: number,
): void {
  for (const [key, { times, durations }] of lanes) {
    for (let row = 0; row < times.length && times[row] < before; row++)
      pyramid.add(key, times[row], durations[row]);
  }
  for (let row = 0; row < blockTimes.length && blockTimes[row] < before; row++)
    pyramid.addBlock(blockTimes[row]);
}

/** The longest time from a block's or commit's first event to its last, µs. */
export function longestOf({ blocks, commits }: Piece): number {
  let longest = 0;
  for (let row = 0; row < blocks.length; row++)
    longest = Math.max(longest, blocks.timeEnd[row] - blocks.time[row]);
  for (let row = 0; row < commits.length; row++)
    longest = Math.max(longest, commits.end[row] - commits.start[row] || 0);
  return longest;
}

/**
 * The last block with an answer, and the first one after it that was sent and has none; NaN and Infinity without one.
 */
function firstAfterLast(
  time: Float64Array,
  sent: Float64Array,
  answer: Float64Array,
): { readonly answered: number; readonly waiting: number } {
  let last = time.length - 1;
  while (last >= 0 && Number.isNaN(answer[last])) last--;
  let row = last + 1;
  while (row < time.length && Number.isNaN(sent[row])) row++;
  return { answered: last < 0 ? Number.NaN : time[last], waiting: row < time.length ? time[row] : Infinity };
}
