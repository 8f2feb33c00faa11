/**
 * Memory: decision 130: events stay packed, 7.5 bytes each. Without it the simple way is complete columns.
 *
 * All events of one server, single or not, put to blocks and moved to the capture's clock: some at a time, as they are kept packed.
 */
import type { RowsOfOwn } from "../join/blocks.ts";
import { eventRunsOf, type EventPlaces } from "../prepare/event-places.ts";
import type { Server } from "../prepare/server.ts";

/** Consecutive events in the order of publish time; a column has a value for each. */
export interface MovedRun {
  readonly length: number;
  /** Block row; -1 for an event of no block. */
  readonly row: Int32Array;
  /** When it fired, µs of the reference's counter; NaN where unknown. */
  readonly fire: Float64Array;
  /** Index into the server's files, and byte offset of the event record there. */
  readonly file: Float64Array;
  readonly offset: Float64Array;
}

/** All events of a server, for a pass in batches; each batch overwrites the one before it. */
export interface MovedEvents {
  /** How many there are. */
  readonly length: number;
  /** @param hasOffsets false for batches without offsets, which saves the time to unpack them */
  stretches(hasOffsets?: boolean): Iterable<MovedRun>;
}

/** The way from one server's counter to another's (docs/contribute/model/clocks.md 5), µs. */
export type CounterWay = (counter: number) => number;

/** Move of a server's instants, of events of some block rows, to the reference's counter. */
export interface FireMove {
  /**
   * Time added to the instants of each block, µs by row; NaN for one that was not moved. One array per primary, or one
   * for the only primary.
   */
  readonly shifts: readonly Float64Array[];
  /** Primary of each block; null where all have one. */
  readonly primaryOf: Uint8Array | null;
  /** For events that no block moves. */
  readonly otherwise: CounterWay;
}

/** All events of one server, as columns. */
export interface ServerEvents {
  readonly places: EventPlaces;
  /** Block row of each block of the server's own. */
  readonly rowOfOwn: Int32Array;
  /** Block row of each single event. */
  readonly rowOfSingle: Int32Array;
  /**
   * Single events without the instant at which they fired, ascending, and their instants by UTC, µs of the server's
   * counter.
   */
  readonly late: Uint32Array;
  readonly lateFire: Float64Array;
  /** Null where the server's counter is the reference's. */
  readonly move: FireMove | null;
}

/** @param rowOfSingle block row of each single event */
export const serverEvents = (
  { places, late, lateFire }: Server,
  { byStart }: RowsOfOwn,
  rowOfSingle: Int32Array,
  move: FireMove | null,
): ServerEvents => ({ places, rowOfOwn: byStart, rowOfSingle, late, lateFire, move });

/** The events of a server with their blocks, on the reference's clock. */
export const movedEvents = ({
  places,
  rowOfOwn,
  rowOfSingle,
  late,
  lateFire,
  move,
}: ServerEvents): MovedEvents => ({
  length: places.length,
  *stretches(hasOffsets = true) {
    const moveAll = moverOf(move);
    let room = new Int32Array();
    let nextLate = 0;
    for (const { length, block, fire, file, offset, isSingle, firstSingle } of eventRunsOf(
      places,
      hasOffsets,
    )) {
      if (room.length < length) room = new Int32Array(length);
      const row = room.subarray(0, length);
      for (let i = 0, single = firstSingle; i < length; i++) {
        if (isSingle[i] === 1) {
          row[i] = rowOfSingle[single];
          if (late[nextLate] === single) fire[i] = lateFire[nextLate++];
          single++;
        } else row[i] = block[i] < 0 ? -1 : rowOfOwn[block[i]];
      }
      moveAll(fire, row);
      yield { length, row, fire, file, offset };
    }
  },
});

/** Moves instants of events of these block rows in place. */
export function moverOf(move: FireMove | null): (fire: Float64Array, rows: Int32Array) => void {
  if (move === null) return () => {};
  const { shifts, primaryOf, otherwise } = move;
  if (primaryOf === null) {
    const [only] = shifts;
    return (fire, rows) => moveFires(fire, rows, only, otherwise);
  }
  return (fire, rows) => {
    for (let i = 0; i < fire.length; i++) {
      const row = rows[i];
      const shift = row < 0 ? Number.NaN : shifts[primaryOf[row]][row];
      fire[i] = Number.isNaN(shift) ? otherwise(fire[i]) : fire[i] + shift;
    }
  };
}

/** Moves each instant as the block of its row was moved, one of no block that was otherwise. */
function moveFires(fire: Float64Array, rows: Int32Array, shifts: Float64Array, otherwise: CounterWay): void {
  for (let i = 0; i < fire.length; i++) {
    const shift = rows[i] < 0 ? Number.NaN : shifts[rows[i]];
    if (Number.isNaN(shift)) fire[i] = otherwise(fire[i]);
    else fire[i] += shift;
  }
}

/** Figures over all events that are needed before the first event can be put in the order of their instants. */
export interface FireExtent {
  /** The earliest and the latest instant, µs of the reference's counter; NaN without a known one. */
  readonly first: number;
  readonly last: number;
  /** By batch: the earliest instant in it and after it, Infinity without one. */
  readonly earliestFrom: Float64Array;
  /** All known instants are whole numbers. */
  readonly areWhole: boolean;
}

/** @param onStretch called with all events in the same pass */
export function extentOf(events: MovedEvents, onRange?: (range: MovedRun) => void): FireExtent {
  const earliest: number[] = [];
  let latest = -Infinity;
  let areWhole = true;
  for (const range of events.stretches(false)) {
    onRange?.(range);
    const { first, last, isComplete } = extremesOf(range.fire);
    earliest.push(first);
    if (last > latest) latest = last;
    areWhole &&= isComplete;
  }
  const earliestFrom = Float64Array.from(earliest);
  for (let k = earliestFrom.length - 2; k >= 0; k--)
    earliestFrom[k] = Math.min(earliestFrom[k], earliestFrom[k + 1]);
  const isAny = latest > -Infinity;
  return {
    first: isAny ? earliestFrom[0] : Number.NaN,
    last: isAny ? latest : Number.NaN,
    earliestFrom,
    areWhole,
  };
}

/**
 * Least and greatest of the known instants, Infinity and -Infinity without one, and whether all of these are whole
 * numbers.
 */
function extremesOf(instants: Float64Array): { first: number; last: number; isComplete: boolean } {
  let [first, last, isComplete] = [Infinity, -Infinity, true];
  for (let i = 0; i < instants.length; i++) {
    const at = instants[i];
    if (at < first) first = at;
    if (at > last) last = at;
    if (at !== Math.floor(at) && at === at) isComplete = false;
  }
  return { first, last, isComplete };
}
