/** Instants of blocks while they are joined: a column per anchor, and how each instant was obtained (docs/contribute/model/joins.md 3.6). */
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  obtainedIn,
  recordOf,
  WRITE_PARTS,
  type HopAnchor,
  type LocalAnchor,
  type Obtained,
  type WriteParts,
} from "./tables.ts";

/** Instants by block row, µs of one server's counter; NaN until they are put. */
export interface Anchors<Name extends string> {
  /** First of the two bits of each name in `obtained`. */
  readonly bit: Readonly<Record<Name, number>>;
  readonly at: Readonly<Record<Name, Float64Array>>;
  /** As in the model's tables: two bits per name. */
  readonly obtained: Uint32Array;
}

export interface LocalAnchors extends Anchors<LocalAnchor>, WriteParts {}

export interface HopAnchors extends Anchors<HopAnchor>, WriteParts {
  /** Sum of processing_time, µs; NaN when there was no such event. */
  readonly compression: Float64Array;
  readonly decompression: Float64Array;
}

/** A column of `rows` unknown instants. */
export const unknownColumn = (rows: number): Float64Array => new Float64Array(rows).fill(Number.NaN);

function anchorsFor<Name extends string>(names: readonly Name[], rows: number): Anchors<Name> {
  return {
    bit: recordOf(names, (_, index) => 2 * index),
    at: recordOf(names, () => unknownColumn(rows)),
    obtained: new Uint32Array(rows),
  };
}

const writeParts = (rows: number): WriteParts => recordOf(WRITE_PARTS, () => unknownColumn(rows));

/** @param splitRows number of rows of the columns that split log writes; 0 where no server recorded file writes */
export const localAnchors = (rows: number, splitRows = rows): LocalAnchors => ({
  ...anchorsFor(LOCAL_ANCHORS, rows),
  ...writeParts(splitRows),
});

/** @param splitRows see `localAnchors` */
export const hopAnchors = (rows: number, splitRows = rows): HopAnchors => ({
  ...anchorsFor(HOP_ANCHORS, rows),
  ...writeParts(splitRows),
  compression: unknownColumn(rows),
  decompression: unknownColumn(rows),
});

/** One anchor's instants, and the two bits of `obtained` that are its own from bit `bit` on. */
export interface AnchorColumn {
  readonly at: Float64Array;
  readonly obtained: Uint32Array;
  readonly bit: number;
}

/**
 * A column for each anchor, for loops over rows: to look up a name for every row would take ten times as long as the
 * work on it.
 */
export const columnsOfAnchors = <Name extends string>(anchors: Anchors<Name>): Record<Name, AnchorColumn> =>
  recordOf(Object.keys(anchors.at) as Name[], (name) => ({
    at: anchors.at[name],
    obtained: anchors.obtained,
    bit: anchors.bit[name],
  }));

/** Sets an instant unless it is NaN or already known, and records how it was obtained. */
export function putInstant(
  { at, obtained, bit }: AnchorColumn,
  row: number,
  value: number,
  how: Obtained,
): void {
  if (Number.isNaN(value) || !Number.isNaN(at[row])) return;
  at[row] = value;
  obtained[row] |= how << bit;
}

/** How an instant was obtained. */
export function obtainedOf<Name extends string>(anchors: Anchors<Name>, name: Name, row: number): Obtained {
  return obtainedIn(anchors.obtained[row], anchors.bit[name] / 2);
}

/** Keeps the earlier of the values for a row; NaN means no value. */
export function keepEarlier(column: Float64Array, row: number, value: number): void {
  if (!(column[row] <= value) && !Number.isNaN(value)) column[row] = value;
}

/** Keeps the later of the values for a row; NaN means no value. */
export function keepLater(column: Float64Array, row: number, value: number): void {
  if (!(column[row] >= value) && !Number.isNaN(value)) column[row] = value;
}

/** Adds up the values for a row; NaN means no value. */
export function addTo(column: Float64Array, row: number, value: number): void {
  if (Number.isNaN(value)) return;
  column[row] = Number.isNaN(column[row]) ? value : column[row] + value;
}
