/** All events of one server, single or not, put to blocks and moved to the capture's clock: some at a time, as they are kept packed. */
import { largest, smallest } from "../numbers/index.ts";
import { stretchesOf } from "./event-places.ts";
import type { RowsOfOwn } from "./blocks.ts";
import type { Server } from "./server.ts";

/** Events after each other, in the order of publish time; a column has a value for each. */
export interface MovedStretch {
  readonly length: number;
  /** Block row; -1 for an event of no block. */
  readonly row: Int32Array;
  /** When it fired, µs of the reference's counter; NaN where that is not known. */
  readonly fire: Float64Array;
  /** Index into the server's files, and byte offset of the event record there. */
  readonly file: Float64Array;
  readonly offset: Float64Array;
}

/** Whoever needs all events goes through them; what a stretch holds is overwritten by the next. */
export interface MovedEvents {
  /** How many there are. */
  readonly length: number;
  stretches(): Iterable<MovedStretch>;
}

/** Moves instants of a server's counter, of events of these block rows, to the reference's; in place. */
export type MoveFires = (fire: Float64Array, rows: Int32Array) => void;

/** @param ofSingle block row of each single event */
export const movedEvents = (
  server: Server,
  { byStart }: RowsOfOwn,
  ofSingle: Int32Array,
  move: MoveFires,
): MovedEvents => ({
  length: server.places.length,
  *stretches() {
    let room = new Int32Array();
    let late = 0;
    for (const { length, block, fire, file, offset, isSingle, firstSingle } of stretchesOf(server.places)) {
      if (room.length < length) room = new Int32Array(length);
      const row = room.subarray(0, length);
      for (let i = 0, single = firstSingle; i < length; i++) {
        if (isSingle[i] === 1) {
          row[i] = ofSingle[single];
          if (server.late[late] === single) fire[i] = server.lateFire[late++];
          single++;
        } else row[i] = block[i] < 0 ? -1 : byStart[block[i]];
      }
      move(fire, row);
      yield { length, row, fire, file, offset };
    }
  },
});

/** What has to be known of all events before the first can be put in the order of their instants. */
export interface FireExtent {
  /** The earliest and the latest instant, µs of the reference's counter; NaN where none is known. */
  readonly first: number;
  readonly last: number;
  /** By stretch: the earliest instant in it and behind it, Infinity for none. */
  readonly earliestFrom: Float64Array;
  /** All known instants are whole numbers. */
  readonly areWhole: boolean;
}

/** @param onStretch is shown all events in the same pass */
export function extentOf(events: MovedEvents, onStretch?: (stretch: MovedStretch) => void): FireExtent {
  const earliest: number[] = [];
  let latest = -Infinity;
  let areWhole = true;
  for (const stretch of events.stretches()) {
    const { fire } = stretch;
    onStretch?.(stretch);
    const first = smallest(fire);
    earliest.push(Number.isNaN(first) ? Infinity : first);
    const last = largest(fire);
    if (last > latest) latest = last;
    areWhole &&= areWholeNumbers(fire);
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

/** @returns whether all that are known are */
function areWholeNumbers(instants: Float64Array): boolean {
  for (let i = 0; i < instants.length; i++)
    if (instants[i] !== Math.floor(instants[i]) && !Number.isNaN(instants[i])) return false;
  return true;
}
