/**
 * When a replica was away: nothing of a database was sent to it for seconds while log was written. Data movement was suspended, or it
 * could not be reached. No commit waits for it then, and what it is sent late says nothing of its way.
 */
import { oncePerModel } from "../columns/index.ts";
import { HOP_ANCHORS, type CaptureModel, type HopTable } from "../replication/tables.ts";
import type { Path } from "./paths.ts";
import { unsentBlocks } from "./unsent.ts";
import { flowControlIntervals } from "./waiting.ts";
import type { Window } from "./verdict.ts";

/** A shorter pause of sending is none, µs. */
const LEAST_US = 2_000_000;
/** Fewer blocks may have waited behind one that was large. */
const LEAST_BLOCKS = 20;
/** A pause of which flow control has this part is its. */
const FLOW_CONTROL_PART = 0.5;

/** A stretch in which nothing of a database was sent to a replica: from the first block that was not to when it was sent again, µs. */
export interface AwayStretch extends Window {
  /** Index into the model's databases. */
  readonly database: number;
  /** Nothing was sent before it in the capture. */
  readonly isFromBegin: boolean;
  /** Nothing was sent after it: it ends with the last block. */
  readonly isToEnd: boolean;
  /** Blocks that were written in it, ascending. */
  readonly rows: Uint32Array;
  /** Blocks behind them whose commits did not wait for it either: it was catching up. Ascending. */
  readonly behind: Uint32Array;
}

/** Stretches in which a replica was away, each database's by itself. */
export const awayStretches = (model: CaptureModel, path: Path): readonly AwayStretch[] =>
  oncePerModel(model, `diagnosis/${path.secondary}/away`, () =>
    model.databases
      .flatMap((_, database) => ofDatabase(model, path, database))
      .filter((stretch) => !isFlowControl(model, stretch)),
  );

function ofDatabase(model: CaptureModel, path: Path, database: number): AwayStretch[] {
  if (unsentBlocks(model, path.secondary) === null && !isAnyLate(model, path)) return [];
  const { localFlushStart: written, localFlushEnd, commitEnd } = model.blocks;
  const { ackProcessed, departed } = model.hops[path.secondary];
  // No commit ever waits for the acknowledgement of an asynchronous replica.
  const reached = path.isWaitedFor ? ackProcessed : departed;
  const own = writtenRows(model, database);
  const isUnsent = unsentBlocks(model, path.secondary);
  const sentAt = (i: number): number => (isUnsent?.[own[i]] === 1 ? Infinity : departed[own[i]]);
  const stretches: AwayStretch[] = [];
  let sentTo = -Infinity;
  let i = 0;
  while (i < own.length) {
    const from = Math.max(written[own[i]], sentTo);
    let end = i + 1;
    // Commits waited for the first ones until the replica was given up, so they had been sent, and were sent again.
    const isWaited = commitEnd[own[i]] - localFlushEnd[own[i]] >= LEAST_US;
    if (!isWaited && sentAt(i) - from >= LEAST_US) {
      const next = endOf(own, i, (k) => !(sentAt(k) < Infinity));
      const resumed = next < own.length ? sentAt(next) : Infinity;
      const isHeld = (k: number): boolean => written[own[k]] < resumed && !(sentAt(k) < resumed);
      end = endOf(own, end, (k) => sentAt(k) === Infinity || isHeld(k));
      const rows = own.slice(i, end);
      end = endOf(own, end, (k) => reached[own[k]] > commitEnd[own[k]]);
      const isToEnd = resumed === Infinity;
      const to = isToEnd ? written[rows[rows.length - 1]] : resumed;
      if (rows.length >= LEAST_BLOCKS && to - from >= LEAST_US) {
        const behind = own.slice(i + rows.length, end);
        stretches.push({ from, to, database, isFromBegin: sentTo === -Infinity, isToEnd, rows, behind });
      }
    }
    for (; i < end; i++) if (!isWaited && departed[own[i]] > sentTo) sentTo = departed[own[i]];
  }
  return stretches;
}

/** Whether any block waited long enough to be sent; it rarely did. */
function isAnyLate({ blocks: { localFlushStart }, hops }: CaptureModel, { secondary }: Path): boolean {
  const { departed } = hops[secondary];
  for (let row = 0; row < departed.length; row++)
    if (departed[row] - localFlushStart[row] >= LEAST_US) return true;
  return false;
}

/** The first place from one on for which a condition does not hold. */
function endOf(rows: Uint32Array, from: number, holds: (place: number) => boolean): number {
  let end = from;
  while (end < rows.length && holds(end)) end++;
  return end;
}

/** Rows of a database whose log write is known. */
function writtenRows({ blocks }: CaptureModel, database: number): Uint32Array {
  const rows = new Uint32Array(blocks.length);
  let n = 0;
  for (let row = 0; row < blocks.length; row++)
    if (blocks.database[row] === database && !Number.isNaN(blocks.localFlushStart[row])) rows[n++] = row;
  return rows.subarray(0, n);
}

function isFlowControl(model: CaptureModel, { from, to }: Window): boolean {
  const stopped = flowControlIntervals(model).reduce(
    (sum, stop) => sum + Math.max(0, Math.min(stop.to, to) - Math.max(stop.from, from)),
    0,
  );
  return stopped >= FLOW_CONTROL_PART * (to - from);
}

/** The model without the way of blocks to a replica while it was away, which no commit waited for; itself where none was. */
export function withoutAway(model: CaptureModel, paths: readonly Path[]): CaptureModel {
  const stretches = model.hops.map((_, slot) =>
    paths.filter(({ secondary }) => secondary === slot).flatMap((path) => awayStretches(model, path)),
  );
  if (stretches.every((own) => own.length === 0)) return model;
  return {
    ...model,
    hops: model.hops.map((hop, slot) =>
      stretches[slot].length === 0
        ? hop
        : withoutRows(
            hop,
            stretches[slot].flatMap(({ rows, behind }) => [rows, behind]),
          ),
    ),
  };
}

function withoutRows(hop: HopTable, pieces: readonly Uint32Array[]): HopTable {
  const unknown = <Column extends Float64Array | Uint32Array>(column: Column, value: number): Column => {
    const copy = column.slice() as Column;
    for (const rows of pieces) for (let i = 0; i < rows.length; i++) copy[rows[i]] = value;
    return copy;
  };
  const anchors = Object.fromEntries(HOP_ANCHORS.map((anchor) => [anchor, unknown(hop[anchor], Number.NaN)]));
  return {
    ...hop,
    ...anchors,
    compression: unknown(hop.compression, Number.NaN),
    decompression: unknown(hop.decompression, Number.NaN),
    obtained: unknown(hop.obtained, 0),
  };
}
