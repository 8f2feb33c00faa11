/** Log writes of one server by block, the same on a primary and on a secondary (docs/contribute/model/joins.md 3.1). */
import {
  columnsOfAnchors,
  keepEarlier,
  keepLater,
  putInstant,
  unknownColumn,
  type Anchors,
} from "../shapes/anchor-columns.ts";
import { startsVlf, type BlockRows } from "./blocks.ts";
import { instantsOf } from "../prepare/own-instants.ts";
import type { Server } from "../prepare/server.ts";
import type { FileWrites } from "../prepare/file-writes.ts";
import { Obtained, type WriteParts } from "../shapes/tables.ts";

/** Delay of log_flush_start after log_block_pushed_to_logpool, µs. */
const LOGPOOL_TO_FLUSH_US = 9;
/**
 * Assumed: log_flush_complete rounds its duration to the nearest millisecond. The duration in the reference captures is
 * ours (docs/evidence.md 3).
 */
const DURATION_ROUNDING_US = 500;

/** The counter has whole µs, publish times have more digits. */
const COUNTER_ROUNDING_US = 2;

/** The block's own log write, µs. The first block of a VLF has two pairs of events: the last pair is the block's own. */
export interface Flushes {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** As log_flush_complete reports it, rounded to milliseconds. */
  readonly duration: Float64Array;
  readonly logPool: Float64Array;
  /** Parts of it by its file writes; without rows where the server has no events of them. */
  readonly queue: Float64Array;
  readonly completion: Float64Array;
  /** Whether a block is the first of a VLF. */
  readonly isFirst: (row: number) => boolean;
}

/** Whether a server recorded file writes, which split its log writes. Few captures have these events. */
export const hasFileWrites = ({ prepared }: Pick<Server, "prepared">): boolean =>
  prepared.fileWrites.block.length > 0;

/** The flushes of one server by block row. @param rowOf block row of each own block; -1 for none */
export function flushesOf(server: Server, rowOf: Int32Array, rows: BlockRows): Flushes {
  const { instants, prepared } = server;
  const splitRows = hasFileWrites(server) ? rows.length : 0;
  const flushes = {
    start: unknownColumn(rows.length),
    end: unknownColumn(rows.length),
    duration: unknownColumn(rows.length),
    logPool: unknownColumn(rows.length),
    queue: unknownColumn(splitRows),
    completion: unknownColumn(splitRows),
    isFirst: (row: number) => startsVlf(rows, row),
  };
  for (const shown of instantsOf(instants, ["flushStart", "flushEnd", "flushDuration", "logPool"]))
    for (let k = 0; k < shown.length; k++) {
      const row = rowOf[shown.from + k];
      if (row < 0) continue;
      keepLater(flushes.start, row, shown.flushStart[k]);
      keepEarlier(flushes.logPool, row, shown.logPool[k]);
      const end = shown.flushEnd[k];
      if (Number.isNaN(end) || flushes.end[row] >= end) continue;
      flushes.end[row] = end;
      flushes.duration[row] = shown.flushDuration[k];
    }
  dropUnfinished(flushes);
  putParts(flushes, prepared.fileWrites, rowOf);
  return flushes;
}

/**
 * A completion before the last start belongs to the VLF header: the block's own is not in the capture. If the distance
 * of a start from the completion is not the reported duration, the start is the header's: the block's own was lost.
 */
function dropUnfinished({ start, end, duration }: Flushes): void {
  for (let row = 0; row < start.length; row++) {
    if (end[row] < start[row]) end[row] = duration[row] = Number.NaN;
    const byEvents = end[row] - start[row];
    if (byEvents - duration[row] > 2 * DURATION_ROUNDING_US) start[row] = Number.NaN;
  }
}

/** Parts that are longer than the log write are of another one: the block's own events were lost. */
function putParts({ start, end, queue, completion }: Flushes, writes: FileWrites, rowOf: Int32Array): void {
  for (let i = 0; i < writes.block.length; i++) {
    const row = rowOf[writes.block[i]];
    if (row < 0) continue;
    const us = end[row] - start[row];
    const isWithin = writes.queue[i] + writes.completion[i] <= us + COUNTER_ROUNDING_US;
    queue[row] = isWithin ? Math.min(writes.queue[i], us) : Number.NaN;
    completion[row] = isWithin ? Math.min(writes.completion[i], us - queue[row]) : Number.NaN;
  }
}

/**
 * Puts start and end of the flush with their fallbacks under these anchor names. An estimated start is not before the
 * instants that caused the write (`causes`).
 */
export function putFlush<Name extends string>(
  anchors: Anchors<Name> & WriteParts,
  flushes: Flushes,
  from: Name,
  to: Name,
  causes: readonly Name[],
): void {
  const columns = columnsOfAnchors(anchors);
  const [toStart, toEnd] = [columns[from], columns[to]];
  const causing = causes.map((name) => anchors.at[name]);
  for (let row = 0; row < flushes.start.length; row++) {
    putInstant(toStart, row, flushes.start[row], Obtained.measured);
    putInstant(toEnd, row, flushes.end[row], Obtained.measured);
    const caused = latestAt(causing, row);
    const start = Math.max(estimatedStart(flushes, row), caused);
    putInstant(toStart, row, start > flushes.end[row] ? flushes.end[row] : start, Obtained.fallback);
  }
  for (let row = 0; row < flushes.queue.length; row++) {
    keepLater(anchors.writeQueue, row, flushes.queue[row]);
    keepLater(anchors.writeCompletion, row, flushes.completion[row]);
  }
}

/** The latest known instant of a row; -Infinity without one. */
function latestAt(columns: readonly Float64Array[], row: number): number {
  let latest = -Infinity;
  for (const column of columns) if (column[row] > latest) latest = column[row];
  return latest;
}

/**
 * Start of a flush whose log_flush_start was lost. The log pool is nearer to it (a few µs), but is also before the VLF
 * header's write: it counts only as far as the rounded duration allows. Where that is lost too, nothing shows how long
 * the header's write took, and the start of a VLF's first block is unknown.
 */
function estimatedStart({ end, duration, logPool, isFirst }: Flushes, row: number): number {
  const byPool = logPool[row] + LOGPOOL_TO_FLUSH_US;
  const byDuration = end[row] - duration[row];
  if (Number.isNaN(byDuration)) return isFirst(row) ? Number.NaN : byPool;
  if (Number.isNaN(byPool)) return byDuration;
  return Math.min(Math.max(byPool, byDuration - DURATION_ROUNDING_US), byDuration + DURATION_ROUNDING_US);
}
