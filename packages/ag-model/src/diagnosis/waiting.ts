/**
 * Time per block that belongs to one cause, waiting in its queue included: who waits behind the running log write waits
 * for the disk, who waits for the capture of the block before it waits for what that does (docs/model.md 6.3). All µs, one
 * per block row, NaN where an instant is missing.
 */
import { oncePerModel } from "../columns/index.ts";
import { Gate, MARKER_KINDS, type CaptureModel } from "../replication/tables.ts";
import { busyTimeOf, type BusyTime } from "./busy-time.ts";
import { isRowOf, keyOf, stageOf, type Path, type PrimaryRole } from "./paths.ts";

/** A value per block row of a path or a primary, computed once per model; NaN in any other row. */
function column(
  model: CaptureModel,
  role: PrimaryRole,
  key: string,
  compute: (row: number) => number,
): Float64Array {
  return oncePerModel(model, `diagnosis/${keyOf(role)}/${key}`, () => {
    const values = new Float64Array(model.blocks.length);
    for (let row = 0; row < values.length; row++)
      values[row] = isRowOf(model, role, row) ? compute(row) : Number.NaN;
    return values;
  });
}

/** Busy time of each database: a log writer, and a capture thread, is one per database and replica. */
function busyPerDatabase(
  model: CaptureModel,
  role: PrimaryRole,
  key: string,
  starts: Float64Array,
  ends: ArrayLike<number>,
): readonly BusyTime[] {
  return oncePerModel(model, `diagnosis/${keyOf(role)}/busy/${key}`, () =>
    model.databases.map((_, database) => {
      const rows = Array.from(starts.keys()).filter(
        (row) => model.blocks.database[row] === database && isRowOf(model, role, row),
      );
      return busyTimeOf(
        rows.map((row) => starts[row]),
        rows.map((row) => ends[row]),
      );
    }),
  );
}

/** Log writes of the primary that ran while the block's commits waited for their own to begin. */
export function waitForLocalWrite(model: CaptureModel, primary: PrimaryRole): Float64Array {
  const { commitStart, localFlushStart, localFlushEnd, database } = model.blocks;
  const busy = busyPerDatabase(model, primary, "localFlush", localFlushStart, localFlushEnd);
  return column(model, primary, "waitForLocalWrite", (row) => {
    const from = commitStart[row];
    const to = localFlushStart[row];
    return from > to || Number.isNaN(to - from) ? Number.NaN : busy[database[row]](from, to);
  });
}

/** The rest of the commit queue: waiting to be grouped into a log block. */
export function grouping(model: CaptureModel, primary: PrimaryRole): Float64Array {
  const queue = stageOf(model, primary, "commitQueue");
  const behind = waitForLocalWrite(model, primary);
  return column(model, primary, "grouping", (row) => Math.max(queue[row] - behind[row], 0));
}

/** The primary's log write with the wait for the ones before it. */
export function localWrite(model: CaptureModel, primary: PrimaryRole): Float64Array {
  const write = stageOf(model, primary, "localFlush");
  const behind = waitForLocalWrite(model, primary);
  return column(model, primary, "localWrite", (row) => write[row] + (behind[row] || 0));
}

/** Log writes of a secondary that ran while the block waited there for its own to begin. */
export function waitForSecondaryWrite(model: CaptureModel, path: Path): Float64Array {
  const { received, secondaryFlushStart, secondaryFlushEnd } = model.hops[path.secondary];
  const busy = busyPerDatabase(model, path, "flush", secondaryFlushStart, secondaryFlushEnd);
  return column(model, path, "waitForWrite", (row) =>
    busy[model.blocks.database[row]](received[row], secondaryFlushStart[row]),
  );
}

/** A secondary's log write with the wait for the ones before it. */
export function secondaryWrite(model: CaptureModel, path: Path): Float64Array {
  const write = stageOf(model, path, "secondaryFlush");
  const behind = waitForSecondaryWrite(model, path);
  return column(model, path, "write", (row) => write[row] + behind[row]);
}

/** A secondary's work beside the log write: receive and append, building and sending the acknowledgement. */
export function secondaryWork(model: CaptureModel, path: Path): Float64Array {
  const append = stageOf(model, path, "secondaryAppend");
  const unpacked = stageOf(model, path, "decompression");
  const built = stageOf(model, path, "ackBuild");
  const sent = stageOf(model, path, "ackSend");
  const behind = waitForSecondaryWrite(model, path);
  return column(
    model,
    path,
    "work",
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
export function heldByFlowControl(model: CaptureModel, path: Path): Float64Array {
  const { pushedToLogPool } = model.blocks;
  const { sendStart } = model.hops[path.secondary];
  const stopped = flowControlStops(model);
  return column(model, path, "heldByFlowControl", (row) => stopped(pushedToLogPool[row], sendStart[row]));
}

/** Part of the capture lag in which blocks before this one were captured, split by what that was. */
interface CaptureWait {
  readonly compression: Float64Array;
  readonly send: Float64Array;
}

function captureWait(model: CaptureModel, path: Path): CaptureWait {
  return oncePerModel(model, `diagnosis/${keyOf(path)}/captureWait`, () => {
    const { database, pushedToLogPool } = model.blocks;
    const { sendStart, sendEnd, compression } = model.hops[path.secondary];
    const compressed = sendStart.map((start, row) => start + (compression[row] || 0));
    const compressing = busyPerDatabase(model, path, "compressing", sendStart, compressed);
    const sending = busyPerDatabase(model, path, "sending", sendStart, sendEnd);
    const whole = column(model, path, "captureBusy", (row) =>
      sending[database[row]](pushedToLogPool[row], sendStart[row]),
    );
    const part = column(model, path, "compressionBusy", (row) =>
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
  const own = stageOf(model, path, "compression");
  const { compression } = captureWait(model, path);
  return column(model, path, "compressionTime", (row) => own[row] + compression[row]);
}

/** Handing a block to transport without its compression, and what it waited for the blocks before it. */
export function sendTime(model: CaptureModel, path: Path): Float64Array {
  const whole = stageOf(model, path, "send");
  const packed = stageOf(model, path, "compression");
  const { send } = captureWait(model, path);
  return column(model, path, "sendTime", (row) => Math.max(whole[row] - (packed[row] || 0), 0) + send[row]);
}

/** What an acknowledgement on its way back waited for the primary to act on the ones before it. */
function waitForAckProcessing(model: CaptureModel, path: Path): Float64Array {
  const { ackSent, ackReceived, ackProcessed } = model.hops[path.secondary];
  const busy = busyPerDatabase(model, path, "acks", ackReceived, ackProcessed);
  return column(model, path, "waitForAckProcessing", (row) =>
    busy[model.blocks.database[row]](ackSent[row], ackReceived[row]),
  );
}

/** The network round trip without what acknowledgements waited on the primary for each other. */
export function roundTrip(model: CaptureModel, path: Path): Float64Array {
  const trip = stageOf(model, path, "networkRoundTrip");
  const behind = waitForAckProcessing(model, path);
  return column(model, path, "roundTrip", (row) => trip[row] - behind[row]);
}

/** From an acknowledgement's arrival to the end of the commits that it released, with its wait behind earlier ones. */
export function acknowledgement(
  model: CaptureModel,
  primary: PrimaryRole,
  paths: readonly Path[],
): Float64Array {
  const wakeUp = stageOf(model, primary, "commitWakeUp");
  const byHop = new Map(
    paths.map((path) => [
      path.secondary,
      {
        receive: stageOf(model, path, "ackReceive"),
        behind: waitForAckProcessing(model, path),
      },
    ]),
  );
  return column(model, primary, "acknowledgement", (row) => {
    const hop = byHop.get(Gate.secondaryOf(model.blocks.gate[row]));
    return wakeUp[row] + (hop ? (hop.receive[row] || 0) + (hop.behind[row] || 0) : 0);
  });
}
