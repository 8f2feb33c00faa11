/** Largest number of moves of one element past another per row with which rows count as nearly sorted. */
const MOVES_PER_ROW = 24;

/**
 * Puts rows in ascending order of their keys, in place; rows of equal keys keep their order. Made for rows that are
 * nearly sorted, as events are by any clock: each is moved past the few that it was overtaken by, which needs one
 * comparison for a row in place; other rows are merged run by run.
 * @param keys by row; rows without a key (NaN) are last
 */
export function sortRows(rows: Uint32Array, keys: Float64Array): Uint32Array {
  const known = keyedFirst(rows, keys);
  if (!insertNear(known, keys)) mergeRuns(known, keys);
  return rows;
}

/** Moves rows without a key to the end; returns the others. */
function keyedFirst(rows: Uint32Array, keys: Float64Array): Uint32Array {
  let known = 0;
  while (known < rows.length && !Number.isNaN(keys[rows[known]])) known++;
  if (known === rows.length) return rows;
  const without: number[] = [];
  for (let i = known; i < rows.length; i++) {
    const row = rows[i];
    if (Number.isNaN(keys[row])) without.push(row);
    else rows[known++] = row;
  }
  rows.set(without, known);
  return rows.subarray(0, known);
}

/** Insertion sort; false when it stopped because rows are far from their places. */
function insertNear(rows: Uint32Array, keys: Float64Array): boolean {
  let moves = MOVES_PER_ROW * rows.length;
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i];
    const key = keys[row];
    let at = i;
    while (at > 0 && keys[rows[at - 1]] > key) {
      rows[at] = rows[at - 1];
      at--;
    }
    rows[at] = row;
    moves -= i - at;
    if (moves < 0) return false;
  }
  return true;
}

/** Natural merge sort: neighboring ascending runs are merged until one is left. */
function mergeRuns(rows: Uint32Array, keys: Float64Array): void {
  let ends = runEnds(rows, keys);
  let from = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  while (ends.length > 1) {
    const merged: number[] = [];
    for (let run = 0, start = 0; run < ends.length; run += 2) {
      const middle = ends[run];
      const end = ends[run + 1] ?? middle;
      mergeTwo(keys, from, to, { start, middle, end });
      merged.push(end);
      start = end;
    }
    ends = merged;
    [from, to] = [to, from];
  }
  if (from !== rows) rows.set(from);
}

/** End of each ascending run. */
function runEnds(rows: Uint32Array, keys: Float64Array): number[] {
  const ends: number[] = [];
  for (let i = 1; i < rows.length; i++) if (keys[rows[i]] < keys[rows[i - 1]]) ends.push(i);
  ends.push(rows.length);
  return ends;
}

function mergeTwo(
  keys: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft = left < middle && (right >= end || keys[from[left]] <= keys[from[right]]);
    to[at] = takeLeft ? from[left++] : from[right++];
  }
}

/** The wanted rows, in their order: a loop, since `filter` of typed arrays takes five times as long. */
export function keepRows(rows: Uint32Array, isWanted: (row: number) => boolean): Uint32Array {
  const kept = new Uint32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (isWanted(rows[i])) kept[n++] = rows[i];
  return n === kept.length ? kept : kept.slice(0, n);
}

/** The rows from 0 to `length`. */
export function allRows(length: number): Uint32Array {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}
