/**
 * Speed: a few times quicker than a selection in the complete column, which is the simple way without it.
 *
 * The few values of a long column that can have some ranks: values are counted by their first bits, and only those that
 * share them with a value of such a rank are read again. Two passes, where a selection that narrows the complete column
 * takes several times as long.
 */
import { smallest } from "./extremes.ts";
import { placeRank } from "./selection.ts";
import { ascendingHigh, halvesOf } from "./value-bits.ts";

/** Bits of a value's upper half below its cell, which is sign, exponent and four bits of the mantissa: 3 to 6 % wide. */
const BELOW_CELL = 16;
const CELLS = 1 << (32 - BELOW_CELL);
/** Cells of -Infinity and Infinity; those outside are NaN's. */
const FIRST_CELL = ascendingHigh(0xfff00000) >>> BELOW_CELL;
const LAST_CELL = ascendingHigh(0x7ff00000) >>> BELOW_CELL;

/** Number of values of a column in each cell. */
export interface CellCounts {
  readonly counts: Uint32Array;
  /** In all. */
  readonly known: number;
}

/** Counts the values of a column; NaN is skipped. */
export function cellCounts(values: Float64Array): CellCounts {
  const halves = halvesOf(values);
  const counts = new Uint32Array(CELLS);
  for (let i = 1; i < halves.length; i += 2) counts[ascendingHigh(halves[i]) >>> BELOW_CELL]++;
  let known = 0;
  for (let cell = FIRST_CELL; cell <= LAST_CELL; cell++) known += counts[cell];
  return { counts, known };
}

/** Values of a column near some ranks. */
export interface NearRanks {
  /** In the order of the column. */
  readonly near: Float64Array;
  /** By rank, number of smaller values that are not among them. */
  readonly below: readonly number[];
}

/**
 * All values of the column that can have one of these ranks or the next higher one.
 * @param ranks among the known values, from 0 for the smallest, ascending; one between two values stands for both
 */
export function nearRanks(values: Float64Array, cells: CellCounts, ranks: readonly number[]): NearRanks {
  const { isNear, kept, below } = cellsOfRanks(cells, ranks, FIRST_CELL);
  return { near: valuesOfCells(values, isNear, kept), below };
}

/** Cells that contain the values of some ranks. */
export interface CellsOfRanks {
  readonly isNear: Uint8Array;
  /** Values in them. */
  readonly kept: number;
  /** By rank, number of smaller values in other cells. */
  readonly below: readonly number[];
}

/** @param ranks as `nearRanks` takes them @param first cell that may contain values */
export function cellsOfRanks(
  { counts, known }: CellCounts,
  ranks: readonly number[],
  first = 0,
): CellsOfRanks {
  const isNear = new Uint8Array(counts.length);
  let [kept, left, cell, end] = [0, 0, first - 1, 0];
  const goTo = (rank: number): void => {
    while (end <= rank) {
      if (cell >= first && isNear[cell] === 0) left += counts[cell];
      end += counts[++cell];
    }
    if (isNear[cell] === 0) kept += counts[cell];
    isNear[cell] = 1;
  };
  const below = ranks.map((rank) => {
    goTo(Math.floor(rank));
    const smaller = left;
    goTo(Math.min(Math.ceil(rank), known - 1));
    return smaller;
  });
  return { isNear, kept, below };
}

/** The values of ranks, ascending, interpolated between the closest. @param near reordered */
export function valuesAtRanks({ near, below }: NearRanks, ranks: readonly number[]): number[] {
  let from = 0;
  return ranks.map((rank, i) => {
    const lower = Math.floor(rank);
    const place = lower - (below[i] ?? 0);
    placeRank(near, place, from);
    from = place;
    const here = near[place];
    return rank === lower ? here : here + (smallest(near, place + 1) - here) * (rank - lower);
  });
}

function valuesOfCells(values: Float64Array, isWanted: Uint8Array, length: number): Float64Array {
  const halves = halvesOf(values);
  // Each value is written and the next one may replace it: if few are wanted, a branch would take longer than writing.
  const wanted = new Float64Array(length + 1);
  for (let i = 0, next = 0; i < values.length; i++) {
    wanted[next] = values[i];
    next += isWanted[ascendingHigh(halves[2 * i + 1]) >>> BELOW_CELL];
  }
  return wanted.subarray(0, length);
}
