/** Replays the way of a stream's blocks to one secondary, with a change or without. */
import { inChunks, type RowRange } from "../numbers/index.ts";
import type { HopLegs, SeenLegs, UnseenLegs } from "./hop-legs.ts";
import type { ReplayedBlocks } from "./primary-replay.ts";
import { AS_MEASURED, writeUsAt, type WriteDurations } from "./write-durations.ts";
import { WriteQueue } from "./write-queue.ts";

/** Changes on the way to a secondary; an absent value stays as measured. */
export interface HopChange {
  readonly writeUs?: WriteDurations;
  /** Each direction takes half of it, µs; time that a block waited for an unresponsive server stays as measured. */
  readonly roundTripUs?: number;
  readonly compressionUs?: number;
}

/** State that each step carries from one block to the next: when the last one before was through, µs. */
class Before {
  departed = -Infinity;
  arrived = -Infinity;
  ackSent = -Infinity;
  processed = -Infinity;
}

/** Instants of the replayed blocks, which each step overwrites with its own. */
interface Way {
  readonly replayed: ReplayedBlocks;
  /** By replayed block, µs. */
  readonly instants: Float64Array;
  readonly before: Before;
}

/**
 * When each replayed block's acknowledgment is processed on the primary (H1), µs; NaN where the recording does not show
 * it.
 * @param room output, as long as the replayed blocks: a replay of millions would spend more time on new memory than on
 * the replay
 */
export function replayHop(
  legs: HopLegs,
  replayed: ReplayedBlocks,
  room: Float64Array,
  change: HopChange = {},
): Float64Array {
  const { onward } = legs;
  if (onward.isSeen) toSeenAndBack(legs, onward, replayed, room, change);
  else {
    const way = { replayed, instants: room, before: new Before() };
    inChunks(room.length, (chunk) => {
      sendEnds(legs, way, change.compressionUs, chunk);
      toUnseen(onward, way, chunk);
    });
  }
  return room;
}

/** By legs: arrivals of the recorded blocks where nothing on that way is changed. */
const arrivalsAsRecorded = new WeakMap<SeenLegs, Float64Array>();

function toSeenAndBack(
  legs: HopLegs,
  onward: SeenLegs,
  replayed: ReplayedBlocks,
  room: Float64Array,
  { writeUs = AS_MEASURED, roundTripUs, compressionUs }: HopChange,
): void {
  const isAsRecorded = replayed.shiftAt === null && roundTripUs === undefined && compressionUs === undefined;
  const known = isAsRecorded ? arrivalsAsRecorded.get(onward) : undefined;
  const arrived = known ?? (isAsRecorded ? new Float64Array(room.length) : room);
  if (isAsRecorded) arrivalsAsRecorded.set(onward, arrived);
  const legUs = (roundTripUs ?? Number.NaN) / 2;
  const queue = new WriteQueue(onward.writer.policy, onward.writer.turnaround);
  const before = new Before();
  const there = { replayed, instants: arrived, before };
  const back = { replayed, instants: room, before };
  inChunks(room.length, (chunk) => {
    if (known === undefined) {
      sendEnds(legs, there, compressionUs, chunk);
      toSecondary(onward, there, legUs, chunk);
    }
    writeEnds(onward, back, arrived, { writeUs, queue }, chunk);
    acknowledgments(onward, back, legUs, chunk);
  });
}

/** When each block has been sent (K2). @param compressionUs NaN as measured */
function sendEnds(
  { sendStart: { delay, follow }, capture, compression, handOver }: HopLegs,
  { replayed: { position, flushStart }, instants: ends, before }: Way,
  compressionUs = Number.NaN,
  { first, end }: RowRange,
): void {
  const isCompressed = Number.isNaN(compressionUs);
  let { departed } = before;
  for (let j = first; j < end; j++) {
    const i = position[j];
    const start = Math.max(flushStart[j] + delay[i], departed + follow[i]);
    const left = start + capture[i] + (isCompressed ? compression[i] : compressionUs);
    ends[j] = left + handOver[i];
    if (!Number.isNaN(left)) departed = left;
  }
  before.departed = departed;
}

/** From K2 to H1 of a secondary without a file; in place. */
function toUnseen(
  { step: { delay, follow } }: UnseenLegs,
  { replayed: { position }, instants, before }: Way,
  { first, end }: RowRange,
): void {
  let { processed } = before;
  for (let j = first; j < end; j++) {
    const i = position[j];
    const seen = Math.max(instants[j] + delay[i], processed + follow[i]);
    if (!Number.isNaN(seen)) processed = seen;
    instants[j] = seen;
  }
  before.processed = processed;
}

/** From K2 to the arrival (R0); in place. @param legUs of the network, NaN as measured */
function toSecondary(
  { out: { delay, follow }, pausedOut, received }: SeenLegs,
  { replayed: { position, shiftAt }, instants, before }: Way,
  legUs: number,
  { first, end }: RowRange,
): void {
  const isMeasured = Number.isNaN(legUs);
  let last = before.arrived;
  for (let j = first; j < end; j++) {
    const i = position[j];
    const keeps = isMeasured || pausedOut[i] === 1;
    let arrived = Math.max(instants[j] + (keeps ? delay[i] : legUs), last + follow[i]);
    if (keeps && Number.isNaN(arrived)) arrived = received[i] + (shiftAt === null ? 0 : shiftAt(j));
    if (!Number.isNaN(arrived)) last = arrived;
    instants[j] = arrived;
  }
  before.arrived = last;
}

/**
 * From the arrival to the end of the log write; NaN for a block whose write is unknown.
 * @param arrived µs; may be the way's own instants
 */
function writeEnds(
  { writer, write }: SeenLegs,
  { replayed: { position }, instants: ends }: Way,
  arrived: Float64Array,
  { writeUs, queue }: { readonly writeUs: WriteDurations; readonly queue: WriteQueue },
  { first, end }: RowRange,
): void {
  const { ready, entered } = writer;
  for (let j = first; j < end; j++) {
    const w = write[position[j]];
    const came = arrived[j];
    ends[j] = Number.NaN;
    if (w < 0 || Number.isNaN(came)) continue;
    queue.take(came + (ready[w] - entered[w]), writeUsAt(writeUs, writer, w));
    ends[j] = queue.end;
  }
}

/** From the end of the log write to H1; in place. @param legUs of the network, NaN as measured */
function acknowledgments(
  { ackBuild, ackSend, back, pausedBack, processing }: SeenLegs,
  { replayed: { position }, instants, before }: Way,
  legUs: number,
  { first, end }: RowRange,
): void {
  const isMeasured = Number.isNaN(legUs);
  let { ackSent, processed } = before;
  for (let j = first; j < end; j++) {
    const i = position[j];
    const built = Math.max(instants[j] + ackBuild.delay[i], ackSent + ackBuild.follow[i]);
    const sent = built + ackSend[i];
    const leg = isMeasured || pausedBack[i] === 1 ? back.delay[i] : legUs;
    const done = Math.max(sent + leg, processed + back.follow[i]) + processing[i];
    instants[j] = done;
    if (Number.isNaN(done)) continue;
    ackSent = sent;
    processed = done;
  }
  before.ackSent = ackSent;
  before.processed = processed;
}
