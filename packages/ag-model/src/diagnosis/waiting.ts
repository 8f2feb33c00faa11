/**
 * Time per block that belongs to one cause, waiting in its queue included: who waits behind the running log write waits
 * for the disk, who waits for the capture of the block before it waits for what that does (docs/model.md 6.3). All µs, one
 * per block row, NaN where an instant is missing.
 */
import { oncePerModel, stageColumn } from "../columns/index.ts";
import { Gate, MARKER_KINDS, type CaptureModel } from "../replication/tables.ts";
import { busyTimeOf, type BusyTime } from "./busy-time.ts";
import type { Path } from "./paths.ts";

/** A value per block row, computed once per model. */
function column(model: CaptureModel, key: string, compute: (row: number) => number): Float64Array {
  return oncePerModel(model, `diagnosis/${key}`, () => {
    const values = new Float64Array(model.blocks.length);
    for (let row = 0; row < values.length; row++) values[row] = compute(row);
    return values;
  });
}

/** Busy time of each database: a log writer, and a capture thread, is one per database and replica. */
function busyPerDatabase(
  model: CaptureModel,
  key: string,
  starts: Float64Array,
  ends: Float64Array,
): readonly BusyTime[] {
  return oncePerModel(model, `diagnosis/busy/${key}`, () =>
    model.databases.map((_, database) => {
      if (model.databases.length === 1) return busyTimeOf(starts, ends);
      const isOwn = (_: number, row: number): boolean => model.blocks.database[row] === database;
      return busyTimeOf(starts.filter(isOwn), ends.filter(isOwn));
    }),
  );
}

/** Log writes of the primary that ran while the block's commits waited for their own to begin. */
export function waitForLocalWrite(model: CaptureModel): Float64Array {
  const { commitStart, localFlushStart, localFlushEnd, database } = model.blocks;
  const busy = busyPerDatabase(model, "localFlush", localFlushStart, localFlushEnd);
  return column(model, "waitForLocalWrite", (row) => {
    const from = commitStart[row];
    const to = localFlushStart[row];
    return from <= to ? busy[database[row]](from, to) : Number.NaN;
  });
}

/** The rest of the commit queue: waiting to be grouped into a log block. */
export function grouping(model: CaptureModel): Float64Array {
  const queue = stageColumn(model, 0, "commitQueue");
  const behind = waitForLocalWrite(model);
  return column(model, "grouping", (row) => Math.max(queue[row] - behind[row], 0));
}

/** The primary's log write with the wait for the ones before it. */
export function localWrite(model: CaptureModel): Float64Array {
  const write = stageColumn(model, 0, "localFlush");
  const behind = waitForLocalWrite(model);
  return column(model, "localWrite", (row) => write[row] + (behind[row] || 0));
}

/** Log writes of a secondary that ran while the block waited there for its own to begin. */
export function waitForSecondaryWrite(model: CaptureModel, { secondary }: Path): Float64Array {
  const { received, secondaryFlushStart, secondaryFlushEnd } = model.hops[secondary];
  const busy = busyPerDatabase(model, `${secondary}/flush`, secondaryFlushStart, secondaryFlushEnd);
  return column(model, `${secondary}/waitForWrite`, (row) =>
    busy[model.blocks.database[row]](received[row], secondaryFlushStart[row]),
  );
}

/** A secondary's log write with the wait for the ones before it. */
export function secondaryWrite(model: CaptureModel, path: Path): Float64Array {
  const write = stageColumn(model, path.secondary, "secondaryFlush");
  const behind = waitForSecondaryWrite(model, path);
  return column(model, `${path.secondary}/write`, (row) => write[row] + behind[row]);
}

/** A secondary's work beside the log write: receive and append, building and sending the acknowledgement. */
export function secondaryWork(model: CaptureModel, path: Path): Float64Array {
  const { secondary } = path;
  const append = stageColumn(model, secondary, "secondaryAppend");
  const unpacked = stageColumn(model, secondary, "decompression");
  const built = stageColumn(model, secondary, "ackBuild");
  const sent = stageColumn(model, secondary, "ackSend");
  const behind = waitForSecondaryWrite(model, path);
  return column(
    model,
    `${secondary}/work`,
    (row) => Math.max(append[row] - behind[row] - (unpacked[row] || 0), 0) + built[row] + sent[row],
  );
}

/** Stops of sending, database and transport events of one stop taken together. */
export const flowControlStops = (model: CaptureModel): BusyTime =>
  oncePerModel(model, "diagnosis/flowControl", () => {
    const stops = flowControlIntervals(model);
    return busyTimeOf(
      stops.map(({ from }) => from),
      stops.map(({ to }) => to),
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
export function heldByFlowControl(model: CaptureModel, { secondary }: Path): Float64Array {
  const { pushedToLogPool } = model.blocks;
  const { sendStart } = model.hops[secondary];
  const stopped = flowControlStops(model);
  return column(model, `${secondary}/heldByFlowControl`, (row) =>
    stopped(pushedToLogPool[row], sendStart[row]),
  );
}

/** Part of the capture lag in which blocks before this one were captured, split by what that was. */
interface CaptureWait {
  readonly compression: Float64Array;
  readonly send: Float64Array;
}

function captureWait(model: CaptureModel, path: Path): CaptureWait {
  const { secondary } = path;
  return oncePerModel(model, `diagnosis/${secondary}/captureWait`, () => {
    const { database, pushedToLogPool } = model.blocks;
    const { sendStart, sendEnd, compression } = model.hops[secondary];
    const compressed = sendStart.map((start, row) => start + (compression[row] || 0));
    const compressing = busyPerDatabase(model, `${secondary}/compressing`, sendStart, compressed);
    const sending = busyPerDatabase(model, `${secondary}/sending`, sendStart, sendEnd);
    const whole = column(model, `${secondary}/captureBusy`, (row) =>
      sending[database[row]](pushedToLogPool[row], sendStart[row]),
    );
    const part = column(model, `${secondary}/compressionBusy`, (row) =>
      compressing[database[row]](pushedToLogPool[row], sendStart[row]),
    );
    return {
      compression: part,
      send: whole.map((us, row) => Math.max(us - part[row], 0)),
    };
  });
}

/** Compression of a block, and of those before it that it waited for. */
export function compressionTime(model: CaptureModel, path: Path): Float64Array {
  const own = stageColumn(model, path.secondary, "compression");
  const { compression } = captureWait(model, path);
  return column(model, `${path.secondary}/compressionTime`, (row) => own[row] + compression[row]);
}

/** Handing a block to transport without its compression, and what it waited for the blocks before it. */
export function sendTime(model: CaptureModel, path: Path): Float64Array {
  const whole = stageColumn(model, path.secondary, "send");
  const packed = stageColumn(model, path.secondary, "compression");
  const { send } = captureWait(model, path);
  return column(
    model,
    `${path.secondary}/sendTime`,
    (row) => Math.max(whole[row] - (packed[row] || 0), 0) + send[row],
  );
}

/** What an acknowledgement on its way back waited for the primary to act on the ones before it. */
function waitForAckProcessing(model: CaptureModel, { secondary }: Path): Float64Array {
  const { ackSent, ackReceived, ackProcessed } = model.hops[secondary];
  const busy = busyPerDatabase(model, `${secondary}/acks`, ackReceived, ackProcessed);
  return column(model, `${secondary}/waitForAckProcessing`, (row) =>
    busy[model.blocks.database[row]](ackSent[row], ackReceived[row]),
  );
}

/** The network round trip without what acknowledgements waited on the primary for each other. */
export function roundTrip(model: CaptureModel, path: Path): Float64Array {
  const trip = stageColumn(model, path.secondary, "networkRoundTrip");
  const behind = waitForAckProcessing(model, path);
  return column(model, `${path.secondary}/roundTrip`, (row) => trip[row] - behind[row]);
}

/** From an acknowledgement's arrival to the end of the commits that it released, with its wait behind earlier ones. */
export function acknowledgement(model: CaptureModel, paths: readonly Path[]): Float64Array {
  const wakeUp = stageColumn(model, 0, "commitWakeUp");
  const byHop = new Map(
    paths.map((path) => [
      path.secondary,
      {
        receive: stageColumn(model, path.secondary, "ackReceive"),
        behind: waitForAckProcessing(model, path),
      },
    ]),
  );
  return column(model, "acknowledgement", (row) => {
    const hop = byHop.get(Gate.secondaryOf(model.blocks.gate[row]));
    return wakeUp[row] + (hop ? (hop.receive[row] || 0) + (hop.behind[row] || 0) : 0);
  });
}
