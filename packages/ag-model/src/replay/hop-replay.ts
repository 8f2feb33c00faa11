/** Plays the way of a stream's blocks to one secondary again, with a change or without. */
import type { HopLegs, SeenLegs, UnseenLegs } from "./hop-legs.ts";
import type { ReplayedBlocks } from "./primary-replay.ts";
import { durationsOf } from "./write-durations.ts";
import { WriteQueue } from "./write-queue.ts";

/** What is different on the way to a secondary; what is not given stays as measured. */
export interface HopChange {
  /** Duration of the write that begins with the block at a place of the writer's columns, µs. */
  readonly writeUs?: Float64Array;
  /** Each direction takes half of it, µs; what waited for a server that stood still stays as measured. */
  readonly roundTripUs?: number;
  readonly compressionUs?: number;
}

/**
 * When each replayed block's acknowledgement is processed on the primary (H1), µs; NaN where the recording does not show
 * it.
 */
export function replayHop(legs: HopLegs, replayed: ReplayedBlocks, change: HopChange = {}): Float64Array {
  const { onward } = legs;
  if (!onward.isSeen) return toUnseen(onward, replayed, sendEnds(legs, replayed, change.compressionUs));
  const { writeUs = durationsOf(onward.writer) } = change;
  return acknowledgements(
    onward,
    replayed,
    arrivals(legs, onward, replayed, change),
    writeUs,
    legUsOf(change),
  );
}

/** By the way there: when the recorded blocks arrive where nothing on that way is changed. */
const arrivalsAsRecorded = new WeakMap<SeenLegs, Float64Array>();

/** When each block arrives on the secondary (R0), µs; not to be written to. */
function arrivals(
  legs: HopLegs,
  onward: SeenLegs,
  replayed: ReplayedBlocks,
  change: HopChange,
): Float64Array {
  const isAsRecorded =
    replayed.shift === null && change.roundTripUs === undefined && change.compressionUs === undefined;
  const known = isAsRecorded ? arrivalsAsRecorded.get(onward) : undefined;
  if (known !== undefined) return known;
  const instants = sendEnds(legs, replayed, change.compressionUs);
  toSecondary(onward, replayed, instants, legUsOf(change));
  if (isAsRecorded) arrivalsAsRecorded.set(onward, instants);
  return instants;
}

/** What each direction of the network takes, NaN as measured. */
const legUsOf = ({ roundTripUs = Number.NaN }: HopChange): number => roundTripUs / 2;

/** When each block has been sent (K2), µs. */
function sendEnds(
  { sendStart, capture, compression, handOver }: HopLegs,
  { position, flushStart }: ReplayedBlocks,
  compressionUs = Number.NaN,
): Float64Array {
  const ends = new Float64Array(position.length);
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
  return ends;
}

/** From K2 to H1 of a secondary without a file; in place. */
function toUnseen({ step }: UnseenLegs, { position }: ReplayedBlocks, instants: Float64Array): Float64Array {
  const { delay, follow } = step;
  let processed = -Infinity;
  for (let j = 0; j < instants.length; j++) {
    const i = position[j];
    const seen = Math.max(instants[j] + delay[i], processed + follow[i]);
    if (!Number.isNaN(seen)) processed = seen;
    instants[j] = seen;
  }
  return instants;
}

/** From K2 to the arrival (R0); in place. @param legUs of the network, NaN as measured */
function toSecondary(
  { out, pausedOut, received }: SeenLegs,
  { position, shift }: ReplayedBlocks,
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
    if (keeps && Number.isNaN(arrived)) arrived = shift === null ? received[i] : received[i] + shift[j];
    if (!Number.isNaN(arrived)) last = arrived;
    instants[j] = arrived;
  }
}

/**
 * From the arrival over the log write to H1.
 * @param writeUs duration of the write that begins with the block at a place of the writer's columns, µs
 * @param legUs of the network, NaN as measured
 */
function acknowledgements(
  { writer, write, ackBuild, ackSend, back, pausedBack, processing }: SeenLegs,
  { position }: ReplayedBlocks,
  arrived: Float64Array,
  writeUs: Float64Array,
  legUs: number,
): Float64Array {
  const { ready, entered } = writer;
  const queue = new WriteQueue(writer.policy, writer.turnaround);
  const instants = new Float64Array(arrived.length);
  const isMeasured = Number.isNaN(legUs);
  let [ackSent, processed] = [-Infinity, -Infinity];
  for (let j = 0; j < instants.length; j++) {
    const i = position[j];
    const w = write[i];
    instants[j] = Number.NaN;
    if (w < 0 || Number.isNaN(arrived[j])) continue;
    queue.take(arrived[j] + (ready[w] - entered[w]), writeUs[w]);
    const built = Math.max(queue.end + ackBuild.delay[i], ackSent + ackBuild.follow[i]);
    const sent = built + ackSend[i];
    const leg = isMeasured || pausedBack[i] === 1 ? back.delay[i] : legUs;
    const done = Math.max(sent + leg, processed + back.follow[i]) + processing[i];
    if (Number.isNaN(done)) continue;
    ackSent = sent;
    processed = done;
    instants[j] = done;
  }
  return instants;
}
