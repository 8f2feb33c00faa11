/**
 * Log blocks that are under way to a secondary when a capture begins or ends. A replica that lags receives blocks from
 * before the primary's first event, and has not received the last ones: none of their events was lost.
 */
import { isOnPrimary, isOnSecondary, perModel, phaseScope } from "../../columns/index.ts";
import { HOP_ANCHORS, type CaptureModel, type HopAnchor } from "../../replication/shapes/tables.ts";

/**
 * Row of the last block of a database that got as far as an anchor on its way to a secondary; -1 for none. Blocks are
 * sent, hardened and acknowledged in order, so that an instant after the anchor on the way is enough.
 */
export function lastRowAt(
  model: CaptureModel,
  secondary: number,
  database: number,
  anchor: HopAnchor,
): number {
  const { blocks, hops, replicas } = model;
  // A block with events of a lagging replica only is in the order of its arrival there, not of its log write.
  const isInOrder = (row: number): boolean => !replicas[0].hasCapture || isOnPrimary(model, row);
  let last = -1;
  for (const each of HOP_ANCHORS.slice(HOP_ANCHORS.indexOf(anchor))) {
    const column = hops[secondary][each];
    for (let row = blocks.length - 1; row > last; row--)
      if (blocks.database[row] === database && !Number.isNaN(column[row]) && isInOrder(row)) last = row;
  }
  return last;
}

/**
 * Marks the blocks that a secondary has not received yet, as far as its files show: those after the last one of their
 * database that it received.
 * @returns 1 per block row; null without such a block
 */
export const blocksNotArrived = perModel((model: CaptureModel, secondary: number): Uint8Array | null => {
  const last = model.databases.map((_, database) => lastRowAt(model, secondary, database, "received"));
  return marksOf(model, (row, database) => row > last[database]);
}, "question");

/**
 * Marks the blocks that a secondary received and the primary wrote before its first event of their database.
 * @returns 1 per block row; null without such a block
 */
export const blocksOfBefore = perModel((model: CaptureModel): Uint8Array | null => {
  const { blockId, length, database } = model.blocks;
  const first = model.databases.map((): bigint | null => null);
  for (let row = 0; row < length; row++) {
    const known = first[database[row]];
    if ((known === null || blockId[row] < known) && isOnPrimary(model, row))
      first[database[row]] = blockId[row];
  }
  const isReceived = (row: number): boolean =>
    model.hops.some((_, secondary) => isOnSecondary(model, secondary, row));
  return marksOf(model, (row, of) => first[of] !== null && blockId[row] < first[of] && isReceived(row));
}, "question");

function marksOf(
  { blocks }: CaptureModel,
  isMarked: (row: number, database: number) => boolean,
): Uint8Array | null {
  const marks = new Uint8Array(blocks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) {
    if (!isMarked(row, blocks.database[row])) continue;
    marks[row] = 1;
    count++;
  }
  return count === 0 ? null : marks;
}

/** A time in which blocks that were sent to a replica had not arrived there, up to the end of its files or of its primary's phase, µs. */
export interface UnderWay {
  /** Index into the model's replicas. */
  readonly replica: number;
  readonly from: number;
  readonly to: number;
}

/** Shorter than this the last blocks are under way whenever a capture ends, µs. */
const LEAST_UNDER_WAY_US = 500_000;

/** From the first block that has not arrived at each replica, in whichever phase; of all databases the earliest. In order of time. */
export const blocksUnderWay = perModel((model: CaptureModel): readonly UnderWay[] =>
  model.phases
    .flatMap((_, phase) => {
      const { model: own, replicas } =
        model.phases.length === 1
          ? { model, replicas: model.replicas.keys().toArray() }
          : phaseScope(model, phase);
      const end = phase === model.phases.length - 1 ? Infinity : own.phases[0].to;
      return own.hops.flatMap((_, secondary) => underWayTo(own, secondary, replicas[secondary + 1], end));
    })
    .sort((a, b) => a.from - b.from),
);

function underWayTo(model: CaptureModel, secondary: number, replica: number, end: number): UnderWay[] {
  const { hasCapture, to: last } = model.replicas[secondary + 1];
  const isMissing = hasCapture ? blocksNotArrived(model, secondary) : null;
  if (isMissing === null) return [];
  const { sendEnd } = model.hops[secondary];
  let from = Infinity;
  for (let row = 0; row < sendEnd.length; row++)
    if (isMissing[row] === 1 && sendEnd[row] < from) from = sendEnd[row];
  const to = Math.min(last, end);
  return to - from >= LEAST_UNDER_WAY_US ? [{ replica, from, to }] : [];
}
