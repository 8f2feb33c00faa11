/** Instants of blocks while they are joined: a column per anchor, and how each instant was obtained (docs/model.md 3.6). */
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  obtainedIn,
  recordOf,
  type HopAnchor,
  type LocalAnchor,
  type Obtained,
} from "./tables.ts";

/** Instants by block row, µs of one server's counter; NaN until they are put. */
export interface Anchors<Name extends string> {
  /** First of the two bits of each name in `obtained`. */
  readonly bit: Readonly<Record<Name, number>>;
  readonly at: Readonly<Record<Name, Float64Array>>;
  /** As in the model's tables: two bits per name. */
  readonly obtained: Uint32Array;
}

export type LocalAnchors = Anchors<LocalAnchor>;

export interface HopAnchors extends Anchors<HopAnchor> {
  /** Sum of processing_time, µs; NaN when there was no such event. */
  readonly compression: Float64Array;
  readonly decompression: Float64Array;
}

/** A column of `rows` instants that are not known yet. */
export const unknownColumn = (rows: number): Float64Array => new Float64Array(rows).fill(Number.NaN);

function anchorsFor<Name extends string>(names: readonly Name[], rows: number): Anchors<Name> {
  return {
    bit: recordOf(names, (_, index) => 2 * index),
    at: recordOf(names, () => unknownColumn(rows)),
    obtained: new Uint32Array(rows),
  };
}

export const localAnchors = (rows: number): LocalAnchors => anchorsFor(LOCAL_ANCHORS, rows);

export const hopAnchors = (rows: number): HopAnchors => ({
  ...anchorsFor(HOP_ANCHORS, rows),
  compression: unknownColumn(rows),
  decompression: unknownColumn(rows),
});

/** Sets an instant unless it is NaN or already known, and records how it was obtained. */
export function putInstant<Name extends string>(
  anchors: Anchors<Name>,
  name: Name,
  row: number,
  value: number,
  how: Obtained,
): void {
  const column = anchors.at[name];
  if (Number.isNaN(value) || !Number.isNaN(column[row])) return;
  column[row] = value;
  anchors.obtained[row] |= how << anchors.bit[name];
}

/** How an instant was obtained. */
export function obtainedOf<Name extends string>(anchors: Anchors<Name>, name: Name, row: number): Obtained {
  return obtainedIn(anchors.obtained[row], anchors.bit[name] / 2);
}

/** Keeps the earlier of the values given for a row; NaN is none. */
export function keepEarlier(column: Float64Array, row: number, value: number): void {
  if (!(column[row] <= value) && !Number.isNaN(value)) column[row] = value;
}

/** Keeps the later of the values given for a row; NaN is none. */
export function keepLater(column: Float64Array, row: number, value: number): void {
  if (!(column[row] >= value) && !Number.isNaN(value)) column[row] = value;
}

/** Adds up the values given for a row; NaN is none. */
export function addTo(column: Float64Array, row: number, value: number): void {
  if (Number.isNaN(value)) return;
  column[row] = Number.isNaN(column[row]) ? value : column[row] + value;
}
