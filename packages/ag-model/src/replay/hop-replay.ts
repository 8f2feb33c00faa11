/** Plays the way of a stream's blocks to one secondary again, with a change or without. */
import type { HopLegs, SeenLegs, UnseenLegs } from "./hop-legs.ts";
import type { ReplayedBlocks } from "./primary-replay.ts";
import { durationsOf, type WriteDurations } from "./write-durations.ts";
import { WriteQueue } from "./write-queue.ts";

/** What is different on the way to a secondary; what is not given stays as measured. */
export interface HopChange {
  readonly writeUs?: WriteDurations;
  /** Each direction takes half of it, µs; what waited for a server that stood still stays as measured. */
  readonly roundTripUs?: number;
  readonly compressionUs?: number;
}

/**
 * When each replayed block's acknowledgement is processed on the primary (H1), µs; NaN where the recording does not show
 * it.
 * @param room where they are written, as long as the replayed blocks: a replay of millions waits for fresh memory longer than for itself
 */
export function replayHop(
  legs: HopLegs,
  replayed: ReplayedBlocks,
  room: Float64Array,
  change: HopChange = {},
): Float64Array {
  const { onward } = legs;
  if (!onward.isSeen) {
    sendEnds(legs, replayed, room, change.compressionUs);
    toUnseen(onward, replayed, room);
    return room;
  }
  const arrived = arrivals(legs, onward, replayed, room, change);
  const { writeUs = durationsOf(onward.writer) } = change;
  acknowledgements(onward, replayed, arrived, room, writeUs, legUsOf(change));
  return room;
}

/** By the way there: when the recorded blocks arrive where nothing on that way is changed. */
const arrivalsAsRecorded = new WeakMap<SeenLegs, Float64Array>();

/** When each block arrives on the secondary (R0), µs; not to be written to. @param room where they are written unless they are kept */
function arrivals(
  legs: HopLegs,
  onward: SeenLegs,
  replayed: ReplayedBlocks,
  room: Float64Array,
  change: HopChange,
): Float64Array {
  const isAsRecorded =
    replayed.shiftAt === null && change.roundTripUs === undefined && change.compressionUs === undefined;
  const known = isAsRecorded ? arrivalsAsRecorded.get(onward) : undefined;
  if (known !== undefined) return known;
  const instants = isAsRecorded ? new Float64Array(room.length) : room;
  sendEnds(legs, replayed, instants, change.compressionUs);
  toSecondary(onward, replayed, instants, legUsOf(change));
  if (isAsRecorded) arrivalsAsRecorded.set(onward, instants);
  return instants;
}

/** What each direction of the network takes, NaN as measured. */
const legUsOf = ({ roundTripUs = Number.NaN }: HopChange): number => roundTripUs / 2;

/** When each block has been sent (K2), µs. @param ends where it is written */
function sendEnds(
  { sendStart, capture, compression, handOver }: HopLegs,
  { position, flushStart }: ReplayedBlocks,
  ends: Float64Array,
  compressionUs = Number.NaN,
): void {
  const { delay, follow } = sendStart;
  const isCompressed = Number.isNaN(compressionUs);
  let departed = -Infinity;
  for (let j = 0; j < ends.length; j++) {
    const i = position[j];
    const start = Math.max(flushStart[j] + delay[i], departed + follow[i]);
    const left = start + capture[i] + (isCompressed ? compression[i] : compressionUs);
    ends[j] = left + handOver[i];
    if (!Number.isNaN(left)) departed = left;
  }
}

/** From K2 to H1 of a secondary without a file; in place. */
function toUnseen({ step }: UnseenLegs, { position }: ReplayedBlocks, instants: Float64Array): void {
  const { delay, follow } = step;
  let processed = -Infinity;
  for (let j = 0; j < instants.length; j++) {
    const i = position[j];
    const seen = Math.max(instants[j] + delay[i], processed + follow[i]);
    if (!Number.isNaN(seen)) processed = seen;
    instants[j] = seen;
  }
}

/** From K2 to the arrival (R0); in place. @param legUs of the network, NaN as measured */
function toSecondary(
  { out, pausedOut, received }: SeenLegs,
  { position, shiftAt }: ReplayedBlocks,
  instants: Float64Array,
  legUs: number,
): void {
  const { delay, follow } = out;
  const isMeasured = Number.isNaN(legUs);
  let last = -Infinity;
  for (let j = 0; j < instants.length; j++) {
    const i = position[j];
    const keeps = isMeasured || pausedOut[i] === 1;
    let arrived = Math.max(instants[j] + (keeps ? delay[i] : legUs), last + follow[i]);
    if (keeps && Number.isNaN(arrived)) arrived = received[i] + (shiftAt === null ? 0 : shiftAt(j));
    if (!Number.isNaN(arrived)) last = arrived;
    instants[j] = arrived;
  }
}

/**
 * From the arrival over the log write to H1.
 * @param instants where H1 is written; may be `arrived` itself
 * @param legUs of the network, NaN as measured
 */
function acknowledgements(
  { writer, write, ackBuild, ackSend, back, pausedBack, processing }: SeenLegs,
  { position }: ReplayedBlocks,
  arrived: Float64Array,
  instants: Float64Array,
  writeUs: WriteDurations,
  legUs: number,
): void {
  const { ready, entered } = writer;
  const queue = new WriteQueue(writer.policy, writer.turnaround);
  const isMeasured = Number.isNaN(legUs);
  const isFixed = typeof writeUs === "number";
  let [ackSent, processed] = [-Infinity, -Infinity];
  for (let j = 0; j < instants.length; j++) {
    const i = position[j];
    const w = write[i];
    const came = arrived[j];
    instants[j] = Number.NaN;
    if (w < 0 || Number.isNaN(came)) continue;
    queue.take(came + (ready[w] - entered[w]), isFixed ? writeUs : writeUs[w]);
    const built = Math.max(queue.end + ackBuild.delay[i], ackSent + ackBuild.follow[i]);
    const sent = built + ackSend[i];
    const leg = isMeasured || pausedBack[i] === 1 ? back.delay[i] : legUs;
    const done = Math.max(sent + leg, processed + back.follow[i]) + processing[i];
    if (Number.isNaN(done)) continue;
    ackSent = sent;
    processed = done;
    instants[j] = done;
  }
}
