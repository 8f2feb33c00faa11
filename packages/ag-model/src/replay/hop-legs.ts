/** One stream's way to one secondary and back, taken apart into steps that can be played again. */
import { oncePerModel, pauseBehind, pausesOfReplicas, pickRows } from "../columns/index.ts";
import type { CaptureModel, HopAnchor } from "../replication/index.ts";
import { boundBefore, inOrderStep, type InOrderStep } from "./in-order.ts";
import { logWriterOf, type LogWriter } from "./log-writer.ts";
import type { Stream, StreamHop } from "./streams.ts";

/** Steps by position in `Stream.rows`, µs; NaN where an anchor is missing. */
export interface HopLegs {
  readonly sendStart: InOrderStep;
  /** K0 to K1 without the compression, the compression itself, and K1 to K2. */
  readonly capture: Float64Array;
  readonly compression: Float64Array;
  readonly handOver: Float64Array;
  readonly out: InOrderStep;
  /** 1 where a server at either end stood still while the block, or its acknowledgement, was on the network. */
  readonly pausedOut: Uint8Array;
  readonly pausedBack: Uint8Array;
  readonly writer: LogWriter;
  /** Index into the columns of `writer`, -1 for a block whose write on the secondary is not known. */
  readonly write: Int32Array;
  readonly ackBuild: InOrderStep;
  readonly ackSend: Float64Array;
  readonly back: InOrderStep;
  readonly processing: Float64Array;
  /** K2 to H1, for a secondary without a file. */
  readonly unseen: InOrderStep;
  readonly anchors: Readonly<Record<"received" | "ackProcessed", Float64Array>>;
}

/** Instants of one event at several blocks may differ by rounding; two acknowledgements lie further apart, µs. */
const SAME_EVENT_US = 10;

/** Steps of a stream towards one of its secondaries. */
export const hopLegsOf = (model: CaptureModel, stream: Stream, hop: StreamHop): HopLegs =>
  oncePerModel(model, `replay/legs/${stream.phase}/${stream.database}/${hop.slot}`, () =>
    legs(model, stream, hop),
  );

function legs(model: CaptureModel, stream: Stream, { table, replica }: StreamHop): HopLegs {
  const { rows, blocks } = stream;
  const pauses = pausesOfReplicas(model, [stream.primary, replica]);
  const paused = (from: Float64Array, to: Float64Array): Uint8Array =>
    Uint8Array.from(from, (instant, i) => (pauseBehind(pauses, instant, to[i]) === null ? 0 : 1));
  const at = (name: HopAnchor): Float64Array => pickRows(table[name], rows);
  const flushStart = pickRows(blocks.localFlushStart, rows);
  const [sendStart, sendEnd, received] = [at("sendStart"), at("sendEnd"), at("received")];
  const departed = withDefault(at("departed"), sendStart);
  const compression = pickRows(table.compression, rows).map((us) => us || 0);
  const flushEnd = at("secondaryFlushEnd");
  const ackOf = acknowledgingPosition(at("ackBuilt"));
  const ofAck = (name: HopAnchor): Float64Array => {
    const column = at(name);
    return column.map((_, i) => column[ackOf[i]]);
  };
  const [built, sent, back, processed] = [
    ofAck("ackBuilt"),
    ofAck("ackSent"),
    ofAck("ackReceived"),
    at("ackProcessed"),
  ];
  const { writer, write } = secondaryWriter(received, at("secondaryFlushStart"), flushEnd);
  // An acknowledgement of several blocks was built for the last of them.
  const ownBuilt = built.map((instant, i) => (ackOf[i] === i ? instant : Number.NaN));
  const ackBuild = inOrderStep(flushEnd, ownBuilt, boundBefore(sent));
  return {
    sendStart: inOrderStep(flushStart, sendStart, boundBefore(departed)),
    capture: departed.map((instant, i) => instant - sendStart[i] - compression[i]),
    compression,
    handOver: sendEnd.map((instant, i) => instant - departed[i]),
    out: inOrderStep(sendEnd, received, boundBefore(received)),
    pausedOut: paused(sendEnd, received),
    pausedBack: paused(sent, back),
    writer,
    write,
    ackBuild: { ...ackBuild, delay: carried(ackBuild.delay) },
    ackSend: sent.map((instant, i) => instant - built[i]),
    back: inOrderStep(sent, back, boundBefore(processed)),
    processing: processed.map((instant, i) => instant - back[i]),
    unseen: inOrderStep(sendEnd, processed, boundBefore(processed)),
    anchors: { received, ackProcessed: processed },
  };
}

const withDefault = (column: Float64Array, other: Float64Array): Float64Array =>
  column.map((value, i) => (Number.isNaN(value) ? other[i] : value));

/** Where a value is missing, the last one before it. */
function carried(column: Float64Array): Float64Array {
  let last = Number.NaN;
  return column.map((value) => (last = Number.isNaN(value) ? last : value));
}

/** Position of the block whose acknowledgement covers each block: the last of those with the same one. */
function acknowledgingPosition(built: Float64Array): Int32Array {
  const position = new Int32Array(built.length);
  let last = -1;
  for (let i = built.length - 1; i >= 0; i--) {
    if (Number.isNaN(built[i])) {
      position[i] = i;
      continue;
    }
    if (last < 0 || Math.abs(built[i] - built[last]) > SAME_EVENT_US) last = i;
    position[i] = last;
  }
  return position;
}

function secondaryWriter(
  received: Float64Array,
  start: Float64Array,
  end: Float64Array,
): { writer: LogWriter; write: Int32Array } {
  const write = new Int32Array(start.length).fill(-1);
  const known: number[] = [];
  for (let i = 0; i < start.length; i++) {
    if (Number.isNaN(received[i] + start[i] + end[i])) continue;
    write[i] = known.length;
    known.push(i);
  }
  const pick = (column: Float64Array): Float64Array => pickRows(column, known);
  return { writer: logWriterOf({ entered: pick(received), start: pick(start), end: pick(end) }), write };
}
