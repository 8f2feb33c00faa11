/** Plays the way of a stream's blocks to one secondary again, with a change or without. */
import type { HopLegs } from "./hop-legs.ts";
import type { ReplayedBlocks } from "./primary-replay.ts";
import { WriteQueue } from "./write-queue.ts";

/** What is different on the way to a secondary; what is not given stays as measured. */
export interface HopChange {
  /** Duration of the write that begins with the block at a place of the writer's columns, µs. */
  readonly writeUs?: (index: number) => number;
  /** Each direction takes half of it, µs; what waited for a server that stood still stays as measured. */
  readonly roundTripUs?: number;
  readonly compressionUs?: number;
}

/**
 * When each replayed block's acknowledgement is processed on the primary (H1), µs; NaN where the recording does not show
 * it.
 * @param isSeen false for a secondary without a file: the way from send to acknowledgement is then one step
 */
export function replayHop(
  legs: HopLegs,
  replayed: ReplayedBlocks,
  isSeen: boolean,
  change: HopChange = {},
): Float64Array {
  const { position, flushStart, shift } = replayed;
  const leg = change.roundTripUs === undefined ? undefined : change.roundTripUs / 2;
  const queue = new WriteQueue(legs.writer.policy, legs.writer.turnaround);
  const { anchors, writer, write } = legs;
  let departed = -Infinity;
  let received = -Infinity;
  let ackSent = -Infinity;
  let processed = -Infinity;
  return flushStart.map((flush, j) => {
    const i = position[j];
    const sendStart = Math.max(flush + legs.sendStart.delay[i], departed + legs.sendStart.follow[i]);
    const left = sendStart + legs.capture[i] + (change.compressionUs ?? legs.compression[i]);
    const sendEnd = left + legs.handOver[i];
    if (!Number.isNaN(left)) departed = left;
    if (!isSeen) {
      const seen = Math.max(sendEnd + legs.unseen.delay[i], processed + legs.unseen.follow[i]);
      if (!Number.isNaN(seen)) processed = seen;
      return seen;
    }
    const out = legs.pausedOut[i] === 1 ? undefined : leg;
    let arrived = Math.max(sendEnd + (out ?? legs.out.delay[i]), received + legs.out.follow[i]);
    if (Number.isNaN(arrived) && out === undefined) arrived = anchors.received[i] + shift[j];
    if (!Number.isNaN(arrived)) received = arrived;
    const w = write[i];
    if (w < 0 || Number.isNaN(arrived)) return Number.NaN;
    const handling = writer.ready[w] - writer.entered[w];
    queue.take(arrived + handling, change.writeUs?.(w) ?? writer.end[w] - writer.start[w]);
    const built = Math.max(queue.end + legs.ackBuild.delay[i], ackSent + legs.ackBuild.follow[i]);
    const sent = built + legs.ackSend[i];
    const back = legs.pausedBack[i] === 1 ? undefined : leg;
    const home = Math.max(sent + (back ?? legs.back.delay[i]), processed + legs.back.follow[i]);
    const done = home + legs.processing[i];
    if (Number.isNaN(done)) return Number.NaN;
    ackSent = sent;
    processed = done;
    return done;
  });
}
