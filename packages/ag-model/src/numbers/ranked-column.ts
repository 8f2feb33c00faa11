/**
 * Speed: decision 89: 0.03 s at 4 M log blocks. Without it the simple way is byte codes of bins, 0.8 s.
 *
 * Statistics of any run of rows of a long column, exactly and without passing over the run. Built once per column: rows
 * are sorted by value and divided into 255 groups of equally many, and the number of rows of each group before a row is
 * counted for every 1,024th row. The number of rows of a run in a group is then a difference of two such counts,
 * corrected by the rows at the run's ends; only the rows of the group that contains a percentile are read one by one.
 */
import { rowsByValue } from "./rows-by-value.ts";
import { firstIndexWhere } from "./search.ts";
import { sortFirst } from "./selection.ts";
import type { RunFigures, Statistics } from "./statistics.ts";

/** Rows from `first` up to `end`, and some before them, ascending. */
export interface RowRun {
  readonly before: Uint32Array;
  readonly first: number;
  readonly end: number;
}

/** Any rows. */
export interface RowSet {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** 1 for each of them, of all rows. */
  readonly isIn: Uint8Array;
}

/** @param length of the column @param rows ascending */
export function rowSetOf(length: number, rows: Uint32Array): RowSet {
  const isIn = new Uint8Array(length);
  for (let i = 0; i < rows.length; i++) isIn[rows[i]] = 1;
  return { rows, isIn };
}

/** Number of rows of a run. */
export const rowsInRun = ({ before, first, end }: RowRun): number => before.length + end - first;

const SUM_TILE = 256;
const COUNT_TILE = 1_024;
const PERCENTILES = [50, 95, 99] as const;
const GROUPS = 255;
/** Group of a row without a value. */
const NO_GROUP = GROUPS;

/** Ranks that are computed once per column, possibly in another thread. */
export interface ColumnRanks {
  /** Rows with a value in ascending order of it, rows of equal value ascending. */
  readonly rows: Uint32Array;
  /** Group of each row, by its place in `rows`. */
  readonly group: Uint8Array;
  /** Rows of each group before each tile of rows: `GROUPS` counts per tile. */
  readonly counts: Uint32Array;
  /** Sum of the values before each tile of rows. */
  readonly sums: Float64Array;
}

/** @param values of any number of rows; NaN for a row without a value */
export function ranksOf(values: Float64Array): ColumnRanks {
  const rows = rowsByValue(values);
  const group = new Uint8Array(values.length).fill(NO_GROUP);
  const size = groupSize(rows.length);
  for (let g = 0, place = 0; place < rows.length; g++)
    for (const end = Math.min(rows.length, place + size); place < end; place++) group[rows[place]] = g;
  return { rows, group, counts: countsBefore(group), sums: sumsBefore(values) };
}

const groupSize = (known: number): number => Math.max(1, Math.ceil(known / GROUPS));

function countsBefore(group: Uint8Array): Uint32Array {
  const tiles = Math.floor(group.length / COUNT_TILE) + 1;
  const counts = new Uint32Array(tiles * GROUPS);
  const sofar = new Uint32Array(GROUPS + 1);
  for (let tile = 1; tile < tiles; tile++) {
    for (let row = (tile - 1) * COUNT_TILE; row < tile * COUNT_TILE; row++) sofar[group[row]]++;
    counts.set(sofar.subarray(0, GROUPS), tile * GROUPS);
  }
  return counts;
}

export class RankedColumn {
  readonly #values: Float64Array;
  readonly #ranks: ColumnRanks;

  /** @param ranks `ranksOf` these values */
  constructor(values: Float64Array, ranks: ColumnRanks = ranksOf(values)) {
    this.#values = values;
    this.#ranks = ranks;
  }

  /** Count, percentiles, maximum and mean of the known values of a run, as `statisticsOf` returns them. */
  statistics(run: RowRun): Statistics {
    return this.#figures(membership(run), this.#countsIn(run), () => this.#sumIn(run));
  }

  /** The same for any rows: one pass over them, without a sort. */
  statisticsAmong({ rows, isIn }: RowSet): Statistics {
    const { group } = this.#ranks;
    const counts = new Uint32Array(GROUPS + 1);
    for (let i = 0; i < rows.length; i++) counts[group[rows[i]]]++;
    return this.#figures(
      (row) => isIn[row] === 1,
      counts.subarray(0, GROUPS),
      () => sumAt(this.#values, rows),
    );
  }

  /**
   * Largest and middle value of runs of rows, as `figuresOfRuns` returns them for their values. Only those rows of a
   * run that share a group with its middle or its largest value are read: for the others a byte is counted.
   * @param runs place in `rows` of each run's first row, and the end of the last
   */
  figuresOfRuns(set: RowSet, runs: Float64Array): RunFigures {
    const length = Math.max(0, runs.length - 1);
    const [max, p50] = [new Float64Array(length), new Float64Array(length)];
    const counts = new Uint32Array(GROUPS + 1);
    const isNear = new Uint8Array(GROUPS + 1);
    let near = new Float64Array(0);
    for (let run = 0; run < length; run++) {
      const part = { set, first: runs[run], end: runs[run + 1] };
      const known = part.end - part.first;
      if (near.length <= known) near = new Float64Array(2 * known + 1);
      counts.fill(0);
      this.#countGroups(part, counts);
      const middle = (known - counts[NO_GROUP] - 1) / 2;
      const below = markNear(isNear, counts, middle);
      const n = this.#takeNear(part, isNear, near);
      sortFirst(near, n);
      max[run] = n > 0 ? near[n - 1] : Number.NaN;
      const here = near[Math.floor(middle) - below];
      p50[run] = n > 0 ? here + (near[Math.ceil(middle) - below] - here) * (middle % 1) : Number.NaN;
    }
    return { max, p50 };
  }

  /** Counts the rows of a part by group. */
  #countGroups({ set: { rows, isIn }, first, end }: Part, counts: Uint32Array): void {
    const { group } = this.#ranks;
    if (!isDense(rows, first, end)) {
      for (let i = first; i < end; i++) counts[group[rows[i]]]++;
      return;
    }
    const last = rows[end - 1];
    for (let row = rows[first]; row <= last; row++) counts[group[row]] += isIn[row];
  }

  /**
   * Writes the values of a part's rows in marked groups.
   * @param near longer than the part by at least one; the place after those values is overwritten too
   * @returns number of values
   */
  #takeNear({ set: { rows, isIn }, first, end }: Part, isNear: Uint8Array, near: Float64Array): number {
    const { group } = this.#ranks;
    const values = this.#values;
    let n = 0;
    if (!isDense(rows, first, end)) {
      for (let i = first; i < end; i++) if (isNear[group[rows[i]]] === 1) near[n++] = values[rows[i]];
      return n;
    }
    // Each value is written and the next one may replace it: a branch on near values would take longer than writing.
    const last = rows[end - 1];
    for (let row = rows[first]; row <= last; row++) {
      near[n] = values[row];
      n += isNear[group[row]] & isIn[row];
    }
    return n;
  }

  /**
   * @param isIn whether a row is selected @param counts of the selected rows in each group @param sum of their known
   * values
   */
  #figures(isIn: Membership, counts: Uint32Array, sum: () => number): Statistics {
    const n = total(counts);
    if (n === 0)
      return { n, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN, max: Number.NaN, mean: Number.NaN };
    const places = PERCENTILES.map((p) => (p / 100) * (n - 1));
    const ranks = places.flatMap((place) => [Math.floor(place), Math.ceil(place)]);
    const valueAt = this.#valuesAt(isIn, counts, [...ranks, n - 1]);
    const [p50, p95, p99] = places.map((place) => {
      const below = valueAt(Math.floor(place));
      return below + (valueAt(Math.ceil(place)) - below) * (place - Math.floor(place));
    });
    return { n, p50, p95, p99, max: valueAt(n - 1), mean: sum() / n };
  }

  #valuesAt(isIn: Membership, counts: Uint32Array, ranks: readonly number[]): (rank: number) => number {
    const ascending = ranks.toSorted((a, b) => a - b);
    const rows = this.#rowsAt(isIn, counts, ascending);
    return (rank) => this.#values[rows[ascending.indexOf(rank)]];
  }

  /**
   * Rows of a run that are first when it is sorted from its largest or its smallest value, ascending: `count` of them,
   * or all. Among rows of equal value the first ones, rows without a value after all others.
   */
  extremeRows(run: RowRun, count: number, end: "largest" | "smallest"): Uint32Array {
    const counts = this.#countsIn(run);
    const known = total(counts);
    if (count > known)
      return Uint32Array.from([
        ...this.#rowsAt(membership(run), counts, rangeOf(0, known)),
        ...this.#firstWithout(run, count - known),
      ]).sort();
    const ranks =
      end === "smallest" || count === 0 ? rangeOf(0, count) : this.#ranksOfLargest(run, counts, count, known);
    return this.#rowsAt(membership(run), counts, ranks).sort();
  }

  /** The middle one of all known values, as `medianOf` returns it. */
  get median(): number {
    const { rows } = this.#ranks;
    const middle = (rows.length - 1) / 2;
    if (middle < 0) return Number.NaN;
    const below = this.#values[rows[Math.floor(middle)]];
    return below + (this.#values[rows[Math.ceil(middle)]] - below) * (middle % 1);
  }

  /** Percent of all known values that are at or below one of them, over 0 to 100. */
  percentUpTo(value: number): number {
    return (this.#placeWhere((other) => other > value) / this.#ranks.rows.length) * 100;
  }

  /** How many known values of a run are under each limit. */
  countsBelow(run: RowRun, limits: Float64Array): Float64Array {
    const counts = this.#countsIn(run);
    return limits.map((limit) =>
      this.#rankAt(
        run,
        counts,
        this.#placeWhere((value) => value >= limit),
      ),
    );
  }

  #ranksOfLargest(run: RowRun, counts: Uint32Array, count: number, known: number): number[] {
    const [row] = this.#rowsAt(membership(run), counts, [known - count]);
    const least = this.#values[row];
    const atLeast = this.#rankAt(
      run,
      counts,
      this.#placeWhere((value) => value >= least),
    );
    const above = this.#rankAt(
      run,
      counts,
      this.#placeWhere((value) => value > least),
    );
    const equal = count - (known - above);
    return [...rangeOf(atLeast, atLeast + equal), ...rangeOf(above, known)];
  }

  #firstWithout({ before, first, end }: RowRun, count: number): number[] {
    const found: number[] = [];
    const { group } = this.#ranks;
    for (const row of before) if (group[row] === NO_GROUP && found.length < count) found.push(row);
    for (let row = first; row < end && found.length < count; row++)
      if (group[row] === NO_GROUP) found.push(row);
    return found;
  }

  /** Rows of the run in each group. */
  #countsIn({ before, first, end }: RowRun): Uint32Array {
    const counts = this.#countsBefore(end);
    const outside = this.#countsBefore(first);
    for (let g = 0; g < GROUPS; g++) counts[g] -= outside[g];
    for (const row of before) counts[this.#ranks.group[row]]++;
    return counts.subarray(0, GROUPS);
  }

  /** Rows before `end` in each group, and those in none. */
  #countsBefore(end: number): Uint32Array {
    const { counts, group } = this.#ranks;
    const tile = Math.floor(end / COUNT_TILE);
    const found = new Uint32Array(GROUPS + 1);
    found.set(counts.subarray(tile * GROUPS, (tile + 1) * GROUPS));
    for (let row = tile * COUNT_TILE; row < end; row++) found[group[row]]++;
    return found;
  }

  /**
   * Rows at some ranks among the known values of the selected rows. @param counts of these in each group @param ranks
   * ascending, 0 for the smallest
   */
  #rowsAt(isIn: Membership, counts: Uint32Array, ranks: readonly number[]): Uint32Array {
    const { rows } = this.#ranks;
    const size = groupSize(rows.length);
    const found = new Uint32Array(ranks.length);
    let group = 0;
    let beforeGroup = 0;
    // Number of selected rows before this place of the sorted rows; the last of them is the result.
    let passed = 0;
    let place = 0;
    for (let i = 0; i < ranks.length; i++) {
      if (ranks[i] >= beforeGroup + counts[group]) {
        while (ranks[i] >= beforeGroup + counts[group]) beforeGroup += counts[group++];
        passed = beforeGroup;
        place = group * size;
      }
      while (passed <= ranks[i]) if (isIn(rows[place++])) passed++;
      found[i] = rows[place - 1];
    }
    return found;
  }

  /** First place of the sorted rows from which all values are as wanted. */
  #placeWhere(isWanted: (value: number) => boolean): number {
    const { rows } = this.#ranks;
    return firstIndexWhere(rows.length, (place) => isWanted(this.#values[rows[place]]));
  }

  /** Number of rows of the run before a place of the sorted rows. @param counts `#countsIn` */
  #rankAt(run: RowRun, counts: Uint32Array, place: number): number {
    const { rows } = this.#ranks;
    const isIn = membership(run);
    const group = Math.floor(place / groupSize(rows.length));
    let rank = total(counts.subarray(0, group));
    for (let i = group * groupSize(rows.length); i < place; i++) if (isIn(rows[i])) rank++;
    return rank;
  }

  #sumIn({ before, first, end }: RowRun): number {
    let sum = this.#sumOver(first, end);
    for (const row of before) if (!Number.isNaN(this.#values[row])) sum += this.#values[row];
    return sum;
  }

  #sumOver(first: number, end: number): number {
    const { sums } = this.#ranks;
    const firstTile = Math.ceil(first / SUM_TILE);
    const lastTile = Math.floor(end / SUM_TILE);
    if (firstTile >= lastTile) return sumOf(this.#values, first, end);
    return (
      sumOf(this.#values, first, firstTile * SUM_TILE) +
      (sums[lastTile] - sums[firstTile]) +
      sumOf(this.#values, lastTile * SUM_TILE, end)
    );
  }
}

type Membership = (row: number) => boolean;

/** Whether a row is in a run. */
function membership({ before, first, end }: RowRun): Membership {
  const earliest = before[0] ?? first;
  return (row) => row >= earliest && row < end && (row >= first || before.includes(row));
}

/** Rows of a set from one place up to another. */
interface Part {
  readonly set: RowSet;
  readonly first: number;
  readonly end: number;
}

/**
 * Up to this many rows per selected one are passed over one after the other, which is faster than to jump from one
 * selected row to the next.
 */
const DENSE = 1.6;

const isDense = (rows: Uint32Array, first: number, end: number): boolean =>
  first < end && rows[end - 1] - rows[first] < DENSE * (end - first);

/**
 * Marks the groups of the middle rows of a run, and of its largest value. @param middle rank, halfway between two for
 * an even number of rows, negative for none
 * @returns number of its rows in groups before the first marked one
 */
function markNear(isNear: Uint8Array, counts: Uint32Array, middle: number): number {
  isNear.fill(0);
  let [group, before, below] = [0, 0, 0];
  if (middle < 0) return below;
  const goTo = (rank: number): void => {
    while (rank >= before + counts[group]) before += counts[group++];
    isNear[group] = 1;
  };
  goTo(Math.floor(middle));
  below = before;
  goTo(Math.ceil(middle));
  for (group = GROUPS - 1; counts[group] === 0;) group--;
  isNear[group] = 1;
  return below;
}

const total = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

const rangeOf = (from: number, end: number): number[] =>
  Array.from({ length: end - from }, (_, i) => from + i);

function sumsBefore(values: Float64Array): Float64Array {
  const sums = new Float64Array(Math.floor(values.length / SUM_TILE) + 1);
  for (let tile = 1; tile < sums.length; tile++)
    sums[tile] = sums[tile - 1] + sumOf(values, (tile - 1) * SUM_TILE, tile * SUM_TILE);
  return sums;
}

/** Sum of the known values. */
function sumOf(values: Float64Array, from: number, end: number): number {
  let sum = 0;
  for (let row = from; row < end; row++) if (!Number.isNaN(values[row])) sum += values[row];
  return sum;
}

/** Sum of the known values at some rows. */
function sumAt(values: Float64Array, rows: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) if (!Number.isNaN(values[rows[i]])) sum += values[rows[i]];
  return sum;
}
