/** One stream's way to one secondary and back, divided into steps that can be replayed. */
import { perModelBy, pausedDurations, pausesOfReplicas } from "../columns/index.ts";
import { gatherFloat64, viewOrGather } from "../numbers/index.ts";
import type { CaptureModel, HopAnchor } from "../replication/index.ts";
import { inOrderStep, type InOrderStep } from "./in-order.ts";
import { logWriterOf, type LogWriter } from "./log-writer.ts";
import { columnOf, type Stream, type StreamHop } from "./streams.ts";

/** Steps by position in `Stream.rows`, µs; NaN where an anchor is missing. Durations are narrow (decision 171), instants are not. */
export interface HopLegs {
  readonly sendStart: InOrderStep;
  /** K0 to K1 without the compression, the compression itself, and K1 to K2. */
  readonly capture: Float32Array;
  readonly compression: Float32Array;
  readonly handOver: Float32Array;
  /** The way from there to H1. */
  readonly onward: SeenLegs | UnseenLegs;
}

/** A secondary without a file: K2 to H1 is one step. */
export interface UnseenLegs {
  readonly isSeen: false;
  readonly step: InOrderStep;
}

/** A secondary with files. */
export interface SeenLegs extends SecondaryWriter {
  readonly isSeen: true;
  readonly out: InOrderStep;
  /** When the block arrived as measured. */
  readonly received: Float64Array;
  /** 1 where a server at either end was unresponsive while the block, or its acknowledgment, was on the network. */
  readonly pausedOut: Uint8Array;
  readonly pausedBack: Uint8Array;
  readonly ackBuild: InOrderStep;
  readonly ackSend: Float32Array;
  readonly back: InOrderStep;
  readonly processing: Float32Array;
}

/** Writes of a stream's blocks by the log writer of a secondary. */
export interface SecondaryWriter {
  readonly writer: LogWriter;
  /** Index into the columns of `writer`, -1 for a block whose write on the secondary is unknown. */
  readonly write: Int32Array;
}

/** Instants of one event at several blocks may differ by rounding; two acknowledgments are further apart, µs. */
const SAME_EVENT_US = 10;

const keyOf = ({ phase, database }: Stream, { slot }: StreamHop): string => `${phase}/${database}/${slot}`;

/** Steps of a stream on the way to one of its secondaries. */
export const hopLegsOf = perModelBy(
  keyOf,
  (model: CaptureModel, stream: Stream, hop: StreamHop): HopLegs => ({
    ...sendingOf(model, stream, hop),
    onward: model.replicas[hop.replica].hasCapture
      ? {
          isSeen: true,
          ...secondaryWriterOf(model, stream, hop),
          ...arrivingOf(model, stream, hop),
          ...acknowledgingOf(model, stream, hop),
        }
      : unseenLegs(stream, hop),
  }),
);

/** Computes the answer of `hopLegsOf`, a part at each step. */
export function* prepareHopLegs(model: CaptureModel, stream: Stream, hop: StreamHop): Generator<void> {
  const { hasCapture } = model.replicas[hop.replica];
  const seen = [secondaryWriterOf, arrivingOf, acknowledgingOf];
  for (const part of hasCapture ? [sendingOf, ...seen] : [sendingOf]) {
    part(model, stream, hop);
    yield;
  }
  hopLegsOf(model, stream, hop);
}

/** From the start of the flush to K2. */
const sendingOf = perModelBy(
  keyOf,
  (_model: CaptureModel, stream: Stream, hop: StreamHop): Omit<HopLegs, "onward"> => {
    const at = (name: HopAnchor): Float64Array => columnOf(stream, hop.table[name]);
    const flushStart = columnOf(stream, stream.blocks.localFlushStart);
    const sendStart = at("sendStart");
    const departed = withDefault(at("departed"), sendStart);
    const compression = columnOf(stream, hop.table.compression);
    return {
      sendStart: inOrderStep(flushStart, sendStart, departed),
      capture: withoutCompression(departed, sendStart, compression),
      compression: orZero(compression),
      handOver: durations(at("sendEnd"), departed),
    };
  },
);

/** The log writer of a secondary with files. */
export const secondaryWriterOf = perModelBy(
  keyOf,
  (_model: CaptureModel, stream: Stream, hop: StreamHop): SecondaryWriter => {
    const at = (name: HopAnchor): Float64Array => columnOf(stream, hop.table[name]);
    return knownWrites(at("received"), at("secondaryFlushStart"), at("secondaryFlushEnd"));
  },
);

type ArrivingLegs = Pick<SeenLegs, "out" | "received" | "pausedOut">;

/** From K2 to R0. */
const arrivingOf = perModelBy(keyOf, (model: CaptureModel, stream: Stream, hop: StreamHop): ArrivingLegs => {
  const sendEnd = columnOf(stream, hop.table.sendEnd);
  const received = columnOf(stream, hop.table.received);
  const pauses = pausesOfReplicas(model, [stream.primary, hop.replica]);
  return {
    out: inOrderStep(sendEnd, received, received),
    received,
    pausedOut: pausedDurations(pauses, sendEnd, received),
  };
});

type AcknowledgingLegs = Pick<SeenLegs, "ackBuild" | "ackSend" | "back" | "pausedBack" | "processing">;

/** From the end of the secondary's log write to H1. */
const acknowledgingOf = perModelBy(
  keyOf,
  (model: CaptureModel, stream: Stream, hop: StreamHop): AcknowledgingLegs => {
    const at = (name: HopAnchor): Float64Array => columnOf(stream, hop.table[name]);
    const processed = at("ackProcessed");
    const ackOf = acknowledgingPosition(at("ackBuilt"));
    const ofAck = (name: HopAnchor): Float64Array =>
      ackOf === null ? at(name) : gatherFloat64(at(name), ackOf);
    const [built, sent, back] = [ofAck("ackBuilt"), ofAck("ackSent"), ofAck("ackReceived")];
    const ownBuilt = ackOf === null ? built : ofLastBlocks(built, ackOf);
    const ackBuild = inOrderStep(at("secondaryFlushEnd"), ownBuilt, sent);
    carry(ackBuild.delay);
    return {
      ackBuild,
      ackSend: durations(sent, built),
      back: inOrderStep(sent, back, processed),
      pausedBack: pausedDurations(pausesOfReplicas(model, [stream.primary, hop.replica]), sent, back),
      processing: durations(processed, back),
    };
  },
);

/** From K2 to H1. */
function unseenLegs(stream: Stream, { table }: StreamHop): UnseenLegs {
  const processed = columnOf(stream, table.ackProcessed);
  return { isSeen: false, step: inOrderStep(columnOf(stream, table.sendEnd), processed, processed) };
}

/** The column itself where no value is missing. */
function withDefault(column: Float64Array, other: Float64Array): Float64Array {
  if (!column.includes(Number.NaN)) return column;
  const filled = column.slice();
  for (let i = 0; i < filled.length; i++) if (Number.isNaN(filled[i])) filled[i] = other[i];
  return filled;
}

function orZero(column: Float64Array): Float32Array {
  const filled = new Float32Array(column.length);
  for (let i = 0; i < filled.length; i++) filled[i] = column[i] || 0;
  return filled;
}

function durations(to: Float64Array, from: Float64Array): Float32Array {
  const us = new Float32Array(to.length);
  for (let i = 0; i < us.length; i++) us[i] = to[i] - from[i];
  return us;
}

function withoutCompression(to: Float64Array, from: Float64Array, compression: Float64Array): Float32Array {
  const us = new Float32Array(to.length);
  for (let i = 0; i < us.length; i++) us[i] = to[i] - from[i] - (compression[i] || 0);
  return us;
}

/** Fills missing values with the last value before them. */
function carry(column: Float32Array): void {
  for (let i = 1; i < column.length; i++) if (Number.isNaN(column[i])) column[i] = column[i - 1];
}

/**
 * Position of the block whose acknowledgment covers each block: the last of those with the same one. Null where each has one of its own.
 */
function acknowledgingPosition(built: Float64Array): Uint32Array | null {
  const position = new Uint32Array(built.length);
  let [last, shared] = [-1, 0];
  for (let i = built.length - 1; i >= 0; i--) {
    if (Number.isNaN(built[i])) {
      position[i] = i;
      continue;
    }
    if (last < 0 || Math.abs(built[i] - built[last]) > SAME_EVENT_US) last = i;
    else shared++;
    position[i] = last;
  }
  return shared > 0 ? position : null;
}

/** An acknowledgment of several blocks was built for the last of them. */
function ofLastBlocks(built: Float64Array, ackOf: Uint32Array): Float64Array {
  const own = built.slice();
  for (let i = 0; i < own.length; i++) if (ackOf[i] !== i) own[i] = Number.NaN;
  return own;
}

function knownWrites(received: Float64Array, start: Float64Array, end: Float64Array): SecondaryWriter {
  const write = new Int32Array(start.length).fill(-1);
  const known = new Uint32Array(start.length);
  let n = 0;
  for (let i = 0; i < start.length; i++) {
    if (Number.isNaN(received[i] + start[i] + end[i])) continue;
    write[i] = n;
    known[n++] = i;
  }
  const pick = (column: Float64Array): Float64Array => viewOrGather(column, known.subarray(0, n));
  return { writer: logWriterOf({ entered: pick(received), start: pick(start), end: pick(end) }), write };
}
