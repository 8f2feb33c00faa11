/** Finds the readable events next to each gap of a file: they show which time was lost. */
import { firstAtOrAfter, firstIndexWhere } from "../numbers/index.ts";

export interface GapPlace {
  /** Bytes from the file's beginning. */
  readonly offset: number;
  readonly bytes: number;
}

/** Rows of the events next to one gap; -1 without an event on that side. */
export interface GapNeighbors {
  readonly before: number;
  readonly after: number;
}

const NONE = -1;

/**
 * For each gap the row of the last event that begins before it, and of the first that begins at its end or after it.
 * Rows are in order of time, which is not that of the file: one pass over them finds the last and the first event of
 * every range between gaps, and a range without events takes over its neighbor's.
 * @param offsets where each row's event begins, bytes
 */
export function gapNeighbors(gaps: readonly GapPlace[], offsets: ArrayLike<number>): GapNeighbors[] {
  if (gaps.length === 0) return [];
  const begins = Float64Array.from(gaps, ({ offset }) => offset).sort();
  const ends = Float64Array.from(gaps, ({ offset, bytes }) => offset + bytes).sort();
  const last = new Int32Array(gaps.length + 1).fill(NONE);
  const first = new Int32Array(gaps.length + 1).fill(NONE);
  for (let row = 0; row < offsets.length; row++) {
    const place = offsets[row];
    const untilGap = countUpTo(begins, place);
    if (last[untilGap] === NONE || place > offsets[last[untilGap]]) last[untilGap] = row;
    const sinceGap = countUpTo(ends, place);
    if (first[sinceGap] === NONE || place < offsets[first[sinceGap]]) first[sinceGap] = row;
  }
  for (let gap = 1; gap <= gaps.length; gap++) if (last[gap] === NONE) last[gap] = last[gap - 1];
  for (let gap = gaps.length - 1; gap >= 0; gap--) if (first[gap] === NONE) first[gap] = first[gap + 1];
  return gaps.map(({ offset, bytes }) => ({
    before: last[firstAtOrAfter(begins, offset)],
    after: first[countUpTo(ends, offset + bytes)],
  }));
}

/** How many values of an ascending column are at most `value`. */
function countUpTo(ascending: Float64Array, value: number): number {
  return firstIndexWhere(ascending.length, (index) => ascending[index] > value);
}
