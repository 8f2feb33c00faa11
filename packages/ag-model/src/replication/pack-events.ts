/** Puts the events of one replica in the order of their run (`event-runs.ts`) and packs them. */
import { allRows, gatherFloat64, packColumn, sortRows, type PackedColumn } from "../numbers/index.ts";
import { EventRun } from "./event-runs.ts";

/** Events of one replica in any order, a row for each. */
export interface PlacedEvents {
  readonly replica: number;
  /** How many files the replica has, and what to add to `file` for an index into `CaptureModel.files`. */
  readonly files: number;
  readonly fileBase: number;
  readonly file: Uint16Array;
  readonly offset: Float64Array;
  /** Number of each event's block; -1 for an event of none, which the run leaves out. */
  readonly block: Int32Array;
  /** Row of each block in the capture, by its number. */
  readonly rowOfBlock: Int32Array;
  /** When each fired, µs on the primary's clock, and what of these is the capture's origin. */
  readonly fire: Float64Array;
  readonly start: number;
}

export function packEvents(events: PlacedEvents): EventRun {
  const { replica, files, fileBase, file, offset, block, rowOfBlock } = events;
  const order = inFireOrder(events);
  const fire = firesOf(events, order);
  sortEqual(order, fire, events);
  const fraction = fractionsOf(events, order, fire);
  const { length } = order;
  return new EventRun({
    replica,
    file: packColumn(length, (values, from) => {
      if (files === 1) values.fill(fileBase);
      else for (let i = 0; i < values.length; i++) values[i] = fileBase + file[order[from + i]];
    }),
    offset: packColumn(length, (values, from) => {
      for (let i = 0; i < values.length; i++) values[i] = offset[order[from + i]];
    }),
    block: packColumn(length, (values, from) => {
      for (let i = 0; i < values.length; i++) values[i] = rowOfBlock[block[order[from + i]]];
    }),
    instant: packColumn(length, (values, from) => {
      for (let i = 0; i < values.length; i++) values[i] = fire[from + i];
      if (fraction.length === 0) return;
      for (let i = 0; i < values.length; i++) values[i] -= fraction[rowOfBlock[block[order[from + i]]]];
    }),
    fraction,
  });
}

/** Rows of the events of blocks by when they fired, of one instant as they come. */
function inFireOrder({ block, fire }: PlacedEvents): Uint32Array {
  const rows = new Uint32Array(block.length);
  let length = 0;
  for (let row = 0; row < block.length; row++) if (block[row] >= 0) rows[length++] = row;
  return sortRows(rows.subarray(0, length), fire);
}

/** Instants in that order, µs after the capture's origin. */
function firesOf({ fire, start }: PlacedEvents, order: Uint32Array): Float64Array {
  const fires = gatherFloat64(fire, order);
  for (let i = 0; i < fires.length; i++) fires[i] -= start;
  return fires;
}

/** Puts events of one instant in the order of their blocks. */
function sortEqual(order: Uint32Array, fires: Float64Array, { block, rowOfBlock }: PlacedEvents): void {
  for (let end = 1; end < order.length; end++) {
    if (fires[end] !== fires[end - 1]) continue;
    const from = end - 1;
    while (end < order.length && fires[end] === fires[from]) end++;
    order.subarray(from, end).sort((a, b) => rowOfBlock[block[a]] - rowOfBlock[block[b]] || a - b);
  }
}

/**
 * By block the part of a µs that all its events' instants have; 0 where they differ in it, and then they are packed as they are. Empty where
 * all instants are whole numbers, or not known.
 */
function fractionsOf(
  { block, rowOfBlock }: PlacedEvents,
  order: Uint32Array,
  fires: Float64Array,
): Float64Array {
  if (areWhole(fires)) return new Float64Array();
  const fractions = new Float64Array(rowOfBlock.length).fill(Number.NaN);
  const differ = new Uint8Array(rowOfBlock.length);
  for (let i = 0; i < fires.length; i++) {
    if (Number.isNaN(fires[i])) continue;
    const own = rowOfBlock[block[order[i]]];
    const fraction = fires[i] - Math.floor(fires[i]);
    if (Number.isNaN(fractions[own])) fractions[own] = fraction;
    else if (fractions[own] !== fraction) differ[own] = 1;
  }
  for (let own = 0; own < fractions.length; own++)
    if (differ[own] === 1 || Number.isNaN(fractions[own])) fractions[own] = 0;
  return fractions;
}

function areWhole(fires: Float64Array): boolean {
  for (let i = 0; i < fires.length; i++)
    if (fires[i] !== Math.floor(fires[i]) && !Number.isNaN(fires[i])) return false;
  return true;
}

/**
 * The events of some blocks as a run of a capture of these.
 * @param rows of the blocks, ascending
 * @param blocks of the capture
 * @param replica of the run in the capture of these blocks
 */
export function pickEvents(run: EventRun, rows: Uint32Array, blocks: number, replica: number): EventRun {
  const rowOf = new Int32Array(blocks).fill(-1);
  for (let k = 0; k < rows.length; k++) rowOf[rows[k]] = k;
  const { file, offset, block, instant, fraction } = run.parts;
  const kept = allRows(run.length).filter((row) => rowOf[block.at(row)] >= 0);
  const picked = (valueAt: (row: number) => number): PackedColumn =>
    packColumn(kept.length, (values, from) => {
      for (let i = 0; i < values.length; i++) values[i] = valueAt(kept[from + i]);
    });
  return new EventRun({
    replica,
    file: picked((row) => file.at(row)),
    offset: picked((row) => offset.at(row)),
    block: picked((row) => rowOf[block.at(row)]),
    instant: picked((row) => instant.at(row)),
    fraction: fraction.length === 0 ? fraction : gatherFloat64(fraction, rows),
  });
}
