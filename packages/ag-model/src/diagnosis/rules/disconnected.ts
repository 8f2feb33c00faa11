/**
 * Finds when a replica was away: nothing of a database reached it for seconds while log was written. Data movement was
 * suspended, or it could not be reached. Commits wait for it until its session times out, and no longer; blocks that
 * are sent to it late do not measure its way.
 */
import { perModelBy } from "../../columns/index.ts";
import {
  HOP_ANCHORS,
  WRITE_PARTS,
  type CaptureModel,
  type HopTable,
} from "../../replication/shapes/tables.ts";
import type { Path } from "../paths.ts";
import { unsentBlocks } from "./unsent.ts";
import { flowControlIntervals } from "../waiting.ts";
import type { Window } from "../verdict.ts";

/** A shorter interruption of sending is no such period, µs. */
const LEAST_US = 2_000_000;
/** Fewer blocks may have waited for one large block. */
const LEAST_BLOCKS = 20;
/** If flow control covers this part of a pause, it caused the pause. */
const FLOW_CONTROL_PART = 0.5;

/**
 * A period in which nothing of a database reached a replica: from the first block that did not to when it was sent
 * again, µs.
 */
export interface DisconnectedPeriod extends Window {
  /** Index into the model's databases. */
  readonly database: number;
  /** No block was sent before it in the capture. */
  readonly isFromBegin: boolean;
  /** No block was sent after it: it ends with the last block. */
  readonly isToEnd: boolean;
  /** Blocks that were on the primary only, ascending. */
  readonly rows: Uint32Array;
}

/** Periods in which a replica was away, for each database separately. */
export const disconnectedPeriods = perModelBy(
  ({ secondary }: Path) => secondary,
  (model: CaptureModel, path): readonly DisconnectedPeriod[] =>
    model.databases
      .flatMap((_, database) => ofDatabase(model, path, database))
      .filter((period) => !isFlowControl(model, period)),
);

function ofDatabase(model: CaptureModel, path: Path, database: number): DisconnectedPeriod[] {
  if (unsentBlocks(model, path.secondary) === null && !isAnyLate(model, path)) return [];
  const { localFlushStart: written } = model.blocks;
  const { departed } = model.hops[path.secondary];
  const own = writtenRows(model, database);
  const isUnsent = unsentBlocks(model, path.secondary);
  const sentAt = (i: number): number => (isUnsent?.[own[i]] === 1 ? Infinity : departed[own[i]]);
  const periods: DisconnectedPeriod[] = [];
  let sentTo = -Infinity;
  let i = 0;
  while (i < own.length) {
    const from = Math.max(written[own[i]], sentTo);
    let end = i + 1;
    if (sentAt(i) - from >= LEAST_US) {
      const next = endOf(own, i, (k) => !(sentAt(k) < Infinity));
      const resumed = next < own.length ? sentAt(next) : Infinity;
      const isHeld = (k: number): boolean => written[own[k]] < resumed && !(sentAt(k) < resumed);
      end = endOf(own, end, (k) => sentAt(k) === Infinity || isHeld(k));
      const rows = own.slice(i, end);
      const isToEnd = resumed === Infinity;
      const to = isToEnd ? written[rows[rows.length - 1]] : resumed;
      if (rows.length >= LEAST_BLOCKS && to - from >= LEAST_US)
        periods.push({ from, to, database, isFromBegin: sentTo === -Infinity, isToEnd, rows });
    }
    for (; i < end; i++) if (departed[own[i]] > sentTo) sentTo = departed[own[i]];
  }
  return periods;
}

/** Whether any block waited long before it was sent; this is rare. */
function isAnyLate({ blocks: { localFlushStart }, hops }: CaptureModel, { secondary }: Path): boolean {
  const { departed } = hops[secondary];
  for (let row = 0; row < departed.length; row++)
    if (departed[row] - localFlushStart[row] >= LEAST_US) return true;
  return false;
}

/** The first place at or after `from` for which a condition is false. */
function endOf(rows: Uint32Array, from: number, holds: (place: number) => boolean): number {
  let end = from;
  while (end < rows.length && holds(end)) end++;
  return end;
}

/** Rows of a database with a known log write. */
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

/**
 * The model without the way of blocks to a replica that no commit waited for, because the replica was away; the same
 * model where no block is of that kind. The remaining way is the one while commits waited.
 */
export function withoutDisconnected(model: CaptureModel, paths: readonly Path[]): CaptureModel {
  const rows = model.hops.map((_, slot) =>
    paths.filter(({ secondary }) => secondary === slot).flatMap((path) => unawaited(model, path)),
  );
  if (rows.every((own) => own.length === 0)) return model;
  return {
    ...model,
    hops: model.hops.map((hop, slot) => (rows[slot].length === 0 ? hop : withoutRows(hop, rows[slot]))),
  };
}

/**
 * Blocks that a replica was sent when their commits had ended, and those after them until commits waited for it again.
 */
function unawaited(model: CaptureModel, path: Path): Uint32Array[] {
  if (!path.isWaitedFor) return disconnectedPeriods(model, path).map(({ rows }) => rows);
  const { blocks, hops, databases } = model;
  const { departed, ackProcessed } = hops[path.secondary];
  const isCatchingUp = new Uint8Array(databases.length);
  const found: number[] = [];
  for (let row = 0; row < blocks.length; row++) {
    const database = blocks.database[row];
    const ended = blocks.commitEnd[row];
    if (departed[row] > ended) isCatchingUp[database] = 1;
    else if (isCatchingUp[database] === 1 && ackProcessed[row] <= ended) isCatchingUp[database] = 0;
    if (isCatchingUp[database] === 1) found.push(row);
  }
  return found.length === 0 ? [] : [Uint32Array.from(found)];
}

function withoutRows(hop: HopTable, pieces: readonly Uint32Array[]): HopTable {
  const unknown = <Column extends Float64Array | Uint32Array>(column: Column, value: number): Column => {
    const copy = column.slice() as Column;
    for (const rows of pieces) for (let i = 0; i < rows.length; i++) copy[rows[i]] = value;
    return copy;
  };
  const anchors = Object.fromEntries(
    [...HOP_ANCHORS, ...WRITE_PARTS].map((column) => [column, unknown(hop[column], Number.NaN)]),
  );
  return {
    ...hop,
    ...anchors,
    compression: unknown(hop.compression, Number.NaN),
    decompression: unknown(hop.decompression, Number.NaN),
    obtained: unknown(hop.obtained, 0),
  };
}
