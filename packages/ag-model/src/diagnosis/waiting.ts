/**
 * Time per block that belongs to one cause, waiting in its queue included: a block that waits for the running log write
 * waits for the disk, and a block that waits for the capture of the block before it waits for the cause of that capture
 * (docs/contribute/model/diagnosis.md 6.3). All µs, one per block row, NaN where an instant is missing.
 */
import { perModel, perModelBy, stageColumn } from "../columns/index.ts";
import {
  Gate,
  HOP_ANCHORS,
  MARKER_KINDS,
  Obtained,
  obtainedIn,
  type CaptureModel,
} from "../replication/shapes/tables.ts";
import { BusyTime } from "./busy-time.ts";
import type { Path } from "./paths.ts";

/** A value per block row. A loop of its own fills each column: a function called per row makes an object of each number. */
type Fill<Key extends readonly unknown[]> = (values: Float64Array, model: CaptureModel, ...key: Key) => void;

function filled<Key extends readonly unknown[]>(
  fill: Fill<Key>,
  model: CaptureModel,
  ...key: Key
): Float64Array {
  const values = new Float64Array(model.blocks.length);
  fill(values, model, ...key);
  return values;
}

/** A column that one verdict needs more than once, and that is not needed after it. */
const blockColumn = (fill: Fill<[]>) => perModel((model: CaptureModel) => filled(fill, model), "question");

/** The same for the way to one secondary. */
const pathColumn = (fill: Fill<[path: Path]>) =>
  perModelBy(
    ({ secondary }: Path) => secondary,
    (model: CaptureModel, path) => filled(fill, model, path),
    "question",
  );

/** Busy time of the thread of each block's database between two instants of the block. @param busy by database */
function fillBusy(
  values: Float64Array,
  { blocks: { database } }: CaptureModel,
  busy: readonly BusyTime[],
  from: Float64Array,
  to: Float64Array,
): void {
  for (let row = 0; row < values.length; row++) values[row] = busy[database[row]].between(from[row], to[row]);
}

/**
 * Busy time of each database: a log writer, and a capture thread, is one per database and replica. It is large and not
 * kept.
 */
function busyPerDatabase(
  { databases, blocks }: CaptureModel,
  starts: Float64Array,
  ends: Float64Array,
): readonly BusyTime[] {
  return databases.map((_, database) => {
    if (databases.length === 1) return new BusyTime(starts, ends);
    const isOwn = (_: number, row: number): boolean => blocks.database[row] === database;
    return new BusyTime(starts.filter(isOwn), ends.filter(isOwn));
  });
}

/** Log writes of the primary that ran while the block's commits waited for their own to begin. */
export const waitForLocalWrite = blockColumn((values, model) => {
  const { commitStart, localFlushStart, localFlushEnd, database } = model.blocks;
  const busy = busyPerDatabase(model, localFlushStart, localFlushEnd);
  for (let row = 0; row < values.length; row++) {
    const from = commitStart[row];
    const to = localFlushStart[row];
    values[row] = from <= to ? busy[database[row]].between(from, to) : Number.NaN;
  }
});

/** The rest of the commit queue: waiting to be grouped into a log block. */
export const grouping = blockColumn((values, model) => {
  const queue = stageColumn(model, 0, "commitQueue");
  const behind = waitForLocalWrite(model);
  for (let row = 0; row < values.length; row++) values[row] = Math.max(queue[row] - behind[row], 0);
});

/** The primary's log write with the wait for the ones before it. */
export const localWrite = blockColumn((values, model) => {
  const write = stageColumn(model, 0, "localFlush");
  const behind = waitForLocalWrite(model);
  for (let row = 0; row < values.length; row++) values[row] = write[row] + (behind[row] || 0);
});

/** Log writes of a secondary that ran while the block waited there for its own to begin. */
export const waitForSecondaryWrite = pathColumn((values, model, { secondary }) => {
  const { received, secondaryFlushStart, secondaryFlushEnd } = model.hops[secondary];
  const busy = busyPerDatabase(model, secondaryFlushStart, secondaryFlushEnd);
  fillBusy(values, model, busy, received, secondaryFlushStart);
});

/** A secondary's log write with the wait for the ones before it. */
export const secondaryWrite = pathColumn((values, model, path) => {
  const write = stageColumn(model, path.secondary, "secondaryFlush");
  const behind = waitForSecondaryWrite(model, path);
  for (let row = 0; row < values.length; row++) values[row] = write[row] + behind[row];
});

/** A secondary's work outside the log write: receive and append, building and sending the acknowledgment. */
export const secondaryWork = pathColumn((values, model, path) => {
  const { secondary } = path;
  const append = stageColumn(model, secondary, "secondaryAppend");
  const unpacked = stageColumn(model, secondary, "decompression");
  const built = stageColumn(model, secondary, "ackBuild");
  const sent = stageColumn(model, secondary, "ackSend");
  const behind = waitForSecondaryWrite(model, path);
  for (let row = 0; row < values.length; row++)
    values[row] = Math.max(append[row] - behind[row] - (unpacked[row] || 0), 0) + built[row] + sent[row];
});

/** Stops of sending, database and transport events of one stop taken together. */
export const flowControlStops = perModel((model: CaptureModel): BusyTime => {
  const stops = flowControlIntervals(model);
  return new BusyTime(
    Float64Array.from(stops, ({ from }) => from),
    Float64Array.from(stops, ({ to }) => to),
  );
});

/** Flow control that took time: [from, to] of each event, overlapping ones merged, in order. */
export function flowControlIntervals(
  model: CaptureModel,
): readonly { readonly from: number; readonly to: number }[] {
  const { kind, time, duration } = model.markers;
  const merged: { from: number; to: number }[] = [];
  const rows = Array.from(kind.keys())
    .filter((row) => FLOW_CONTROL.has(MARKER_KINDS[kind[row]]) && duration[row] > 0)
    .sort((a, b) => time[a] - time[b]);
  for (const row of rows) {
    const to = time[row] + duration[row];
    const last = merged.at(-1);
    if (last && time[row] <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from: time[row], to });
  }
  return merged;
}

const FLOW_CONTROL: ReadonlySet<string> = new Set(["databaseFlowControl", "transportFlowControl"]);

/** Part of the capture lag in which flow control had stopped sending. */
export const heldByFlowControl = pathColumn((values, model, { secondary }) => {
  const { pushedToLogPool } = model.blocks;
  const { sendStart } = model.hops[secondary];
  const stopped = flowControlStops(model);
  for (let row = 0; row < values.length; row++)
    values[row] = stopped.between(pushedToLogPool[row], sendStart[row]);
});

/** Part of the capture lag in which blocks before this one were compressed. */
const waitForCompression = pathColumn((values, model, { secondary }) => {
  const { pushedToLogPool } = model.blocks;
  const { sendStart, compression } = model.hops[secondary];
  const compressed = new Float64Array(sendStart.length);
  for (let row = 0; row < compressed.length; row++)
    compressed[row] = sendStart[row] + (compression[row] || 0);
  fillBusy(values, model, busyPerDatabase(model, sendStart, compressed), pushedToLogPool, sendStart);
});

/** Part of the capture lag in which blocks before this one were handed to transport, without their compression. */
const waitForSend = pathColumn((values, model, path) => {
  const { pushedToLogPool } = model.blocks;
  const { sendStart, sendEnd } = model.hops[path.secondary];
  const compressing = waitForCompression(model, path);
  fillBusy(values, model, busyPerDatabase(model, sendStart, sendEnd), pushedToLogPool, sendStart);
  for (let row = 0; row < values.length; row++) values[row] = Math.max(values[row] - compressing[row], 0);
});

/** Compression of a block, and of those before it that it waited for. */
export const compressionTime = pathColumn((values, model, path) => {
  const own = stageColumn(model, path.secondary, "compression");
  const behind = waitForCompression(model, path);
  for (let row = 0; row < values.length; row++) values[row] = own[row] + behind[row];
});

/** Time to pass a block to transport without its compression, and its wait for the blocks before it. */
export const sendTime = pathColumn((values, model, path) => {
  const whole = stageColumn(model, path.secondary, "send");
  const packed = stageColumn(model, path.secondary, "compression");
  const behind = waitForSend(model, path);
  for (let row = 0; row < values.length; row++)
    values[row] = Math.max(whole[row] - (packed[row] || 0), 0) + behind[row];
});

/**
 * Time that an acknowledgment on its way back waited for the primary to act on the ones before it; 0 where the clocks
 * are not aligned, since then it is not known when it was on its way.
 */
const waitForAckProcessing = pathColumn((values, model, { secondary }) => {
  const { ackSent, ackReceived, ackProcessed, uncertainty } = model.hops[secondary];
  const busy = busyPerDatabase(model, ackReceived, ackProcessed);
  fillBusy(values, model, busy, ackSent, ackReceived);
  for (let row = 0; row < values.length; row++) if (Number.isNaN(uncertainty[row])) values[row] = 0;
});

const SENT = HOP_ANCHORS.indexOf("ackSent");
const ARRIVED = HOP_ANCHORS.indexOf("ackReceived");

/**
 * The network round trip without the time that acknowledgments waited on the primary for each other. Unknown where a
 * block's own acknowledgment was sent and only the next one is known to have arrived: the time in between is not the
 * network's.
 */
export const roundTrip = pathColumn((values, model, path) => {
  const trip = stageColumn(model, path.secondary, "networkRoundTrip");
  const behind = waitForAckProcessing(model, path);
  const { obtained } = model.hops[path.secondary];
  for (let row = 0; row < values.length; row++) {
    const isAnothers =
      obtainedIn(obtained[row], SENT) === Obtained.measured &&
      obtainedIn(obtained[row], ARRIVED) === Obtained.derived;
    values[row] = isAnothers ? Number.NaN : trip[row] - behind[row];
  }
});

/**
 * Largest time between the processing of one acknowledgment and of the next one that waits for its turn, µs: counters
 * tick in whole µs.
 */
const NEXT_ACK_US = 10;

/**
 * From the end of a block's send to the arrival of its acknowledgment: the network and the secondary together, which
 * can't be separated without the secondary's events. An acknowledgment that arrived while the primary acted on one
 * after the other may have waited for its turn since the first of these, so that time is the primary's.
 */
export const networkAndSecondary = pathColumn((values, model, { secondary }) => {
  const { sendEnd, ackReceived, ackProcessed } = model.hops[secondary];
  const { database } = model.blocks;
  const turns = ackProcessed.map((end) => end + NEXT_ACK_US);
  const busy = busyPerDatabase(model, ackReceived, turns);
  for (let row = 0; row < values.length; row++) {
    const behind = busy[database[row]].runningAt(ackReceived[row]);
    values[row] = Math.max(ackReceived[row] - behind - sendEnd[row], 0);
  }
});

/** From an acknowledgment's arrival to the end of the commits that it released, with its wait for earlier ones. */
export const acknowledgment = perModelBy(
  (paths: readonly Path[]) => paths.map(({ secondary }) => secondary).join(" "),
  (model: CaptureModel, paths): Float64Array => {
    const values = stageColumn(model, 0, "commitWakeUp").slice();
    const { gate } = model.blocks;
    for (const path of paths) {
      const receive = stageColumn(model, path.secondary, "ackReceive");
      const behind = waitForAckProcessing(model, path);
      const own = Gate.ofSecondary(path.secondary);
      for (let row = 0; row < values.length; row++)
        if (gate[row] === own) values[row] += (receive[row] || 0) + (behind[row] || 0);
    }
    return values;
  },
  "question",
);
