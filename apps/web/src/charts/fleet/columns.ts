/** Places of the columns of a fleet, and height of a duration in a lane, in px. */
import { scaleLog } from "d3-scale";

/** Columns in view: the first one, and the one after the last. */
export type ColumnRange = readonly [first: number, end: number];

export interface ColumnScale {
  readonly range: ColumnRange;
  /** Width of a column with the room around its bar. */
  readonly slot: number;
  /** Left edge of a column. */
  readonly left: (column: number) => number;
  readonly middle: (column: number) => number;
  /** Column at a place. */
  readonly at: (x: number) => number;
}

export function columnScale(width: number, range: ColumnRange): ColumnScale {
  const [first, end] = range;
  const slot = width / Math.max(1, end - first);
  const left = (column: number): number => (column - first) * slot;
  return {
    range,
    slot,
    left,
    middle: (column) => left(column) + slot / 2,
    at: (x) => Math.min(end - 1, Math.max(first, first + Math.floor(x / Math.max(slot, 1e-9)))),
  };
}

/** Range of durations of a lane's height, µs; shorter and longer ones are drawn at its edge. */
const LEAST_US = 300;
const MOST_US = 1_000_000;

/** Room at the top of a lane for the bracket of its change, px. */
export const CHANGE_ROOM = 18;

/** A lane's heights. */
export interface HeightScale {
  /** y of a duration, µs. */
  readonly y: (us: number) => number;
  readonly height: number;
}

export function heightScale(height: number, hasChange: boolean): HeightScale {
  const top = hasChange ? CHANGE_ROOM : 4;
  return { y: scaleLog([LEAST_US, MOST_US], [height - 1, top]).clamp(true), height };
}

/** Durations with a line and a label, µs. */
export const HEIGHT_TICKS: readonly number[] = [1_000, 10_000, 100_000];

/** Runs of columns in view that a side has no capture in, as first column and the one after the last. */
export function gapsOf(columns: readonly number[], [first, end]: ColumnRange): ColumnRange[] {
  const inView = columns.filter((column) => column >= first && column < end);
  const edges = [first - 1, ...inView, end];
  return edges
    .slice(1)
    .flatMap((column, i): ColumnRange[] => (column > edges[i] + 1 ? [[edges[i] + 1, column]] : []));
}

/** Columns with a label: steps of whole days or weeks, wide enough for their words. */
export function labelledColumns({ range: [first, end], slot }: ColumnScale, widest: number): number[] {
  const step = STEPS.find((columns) => columns * slot >= widest) ?? Math.ceil(widest / Math.max(slot, 1e-9));
  const columns: number[] = [];
  // Counted from the end, so that the newest capture's week stays a week.
  for (let column = end - 1; column >= first; column -= step) columns.push(column);
  return columns.toReversed();
}

const STEPS: readonly number[] = [1, 2, 7, 14, 28, 56];
