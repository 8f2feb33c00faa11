/**
 * Statistics of any run of rows of a long column, exactly and without passing over the run. Built once per column: rows are put
 * into buckets of nearly equal values (64 per power of two, so values of one bucket differ by at most 1.6 %), ascending within
 * each. How many rows of a run a bucket has is a difference of two binary searches; only the values of the bucket that holds
 * a percentile are looked at.
 */
import { largest, smallest } from "./extremes.ts";
import { allRows } from "./ascending-rows.ts";
import { placeRank } from "./selection.ts";
import type { Statistics } from "./statistics.ts";

/** Rows from `first` up to `end`, and some before them, ascending. */
export interface RowRun {
  readonly before: Uint32Array;
  readonly first: number;
  readonly end: number;
}

/** Number of rows of a run. */
export const rowsInRun = ({ before, first, end }: RowRun): number => before.length + end - first;

const SUM_TILE = 256;
const PERCENTILES = [50, 95, 99] as const;

export class RankedColumn {
  readonly #values: Float64Array;
  /** Rows with a value, grouped by bucket, ascending within each. */
  readonly #rows: Uint32Array;
  /** Numbers of the buckets that have rows, ascending, and the first place of each in `#rows`; one more for the end. */
  readonly #buckets: Int32Array;
  readonly #starts: Uint32Array;
  /** Sum of the values before each tile of rows. */
  readonly #sums: Float64Array;

  constructor(values: Float64Array) {
    this.#values = values;
    const bucketOfRow = new Int16Array(values.length);
    const counts = new Uint32Array(2 * LAST_BUCKET + 1);
    for (let row = 0; row < values.length; row++) {
      if (Number.isNaN(values[row])) continue;
      bucketOfRow[row] = bucketOf(values[row]);
      counts[bucketOfRow[row] + LAST_BUCKET]++;
    }
    this.#buckets = Int32Array.from(allRows(counts.length).filter((k) => counts[k] > 0)).map(
      (k) => k - LAST_BUCKET,
    );
    this.#starts = new Uint32Array(this.#buckets.length + 1);
    const next = new Uint32Array(counts.length);
    for (const [place, bucket] of this.#buckets.entries()) {
      next[bucket + LAST_BUCKET] = this.#starts[place];
      this.#starts[place + 1] = this.#starts[place] + counts[bucket + LAST_BUCKET];
    }
    this.#rows = new Uint32Array(this.#starts[this.#buckets.length]);
    for (let row = 0; row < values.length; row++)
      if (!Number.isNaN(values[row])) this.#rows[next[bucketOfRow[row] + LAST_BUCKET]++] = row;
    this.#sums = sumsBefore(values);
  }

  /** Count, percentiles, maximum and mean of the known values of a run, as `statisticsOf` gives them. */
  statistics(run: RowRun): Statistics {
    const known = run.before.filter((row) => !Number.isNaN(this.#values[row]));
    const counts = this.#countsIn(run, known);
    const n = counts.reduce((sum, count) => sum + count, 0);
    if (n === 0)
      return { n, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN, max: Number.NaN, mean: Number.NaN };
    const [p50, p95, p99] = PERCENTILES.map((p) => this.#percentile(run, known, counts, (p / 100) * (n - 1)));
    const last = counts.findLastIndex((count) => count > 0);
    let sum = this.#sumOver(run.first, run.end);
    for (const row of known) sum += this.#values[row];
    return { n, p50, p95, p99, max: largest(this.#valuesOf(run, known, last)), mean: sum / n };
  }

  /**
   * Rows of a run among which its `count` largest or smallest values are, ascending: whole buckets from that end on. Null where
   * fewer rows have a value.
   */
  extremeRows(run: RowRun, count: number, end: "largest" | "smallest"): Uint32Array | null {
    const known = run.before.filter((row) => !Number.isNaN(this.#values[row]));
    const counts = this.#countsIn(run, known);
    const last = counts.length - 1;
    const found: number[] = [];
    for (let k = 0; k <= last && found.length < count; k++) {
      const place = end === "largest" ? last - k : k;
      const to = this.#placeOf(place, run.end);
      for (let i = this.#placeOf(place, run.first); i < to; i++) found.push(this.#rows[i]);
      for (const row of known) if (this.#placeOfValue(this.#values[row]) === place) found.push(row);
    }
    return found.length < count ? null : Uint32Array.from(found).sort();
  }

  /** Rows of the run in each bucket. */
  #countsIn({ first, end }: RowRun, before: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.#buckets.length);
    for (let place = 0; place < counts.length; place++)
      counts[place] = this.#placeOf(place, end) - this.#placeOf(place, first);
    for (const row of before) counts[this.#placeOfValue(this.#values[row])]++;
    return counts;
  }

  /** First place in `#rows` of a bucket's rows at or after `row`. */
  #placeOf(place: number, row: number): number {
    const rows = this.#rows;
    let low = this.#starts[place];
    let high = this.#starts[place + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rows[middle] < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeOfValue(value: number): number {
    return this.#buckets.indexOf(bucketOf(value));
  }

  /** The values of one bucket in the run, in any order. */
  #valuesOf({ first, end }: RowRun, before: Uint32Array, place: number): Float64Array {
    const [from, to] = [this.#placeOf(place, first), this.#placeOf(place, end)];
    const own = before.filter((row) => this.#placeOfValue(this.#values[row]) === place);
    const values = new Float64Array(to - from + own.length);
    for (let i = from; i < to; i++) values[i - from] = this.#values[this.#rows[i]];
    for (const [k, row] of own.entries()) values[to - from + k] = this.#values[row];
    return values;
  }

  /** The value at a rank, by linear interpolation between the closest ones. */
  #percentile(run: RowRun, before: Uint32Array, counts: Uint32Array, rank: number): number {
    const below = Math.floor(rank);
    let place = 0;
    let passed = 0;
    while (passed + counts[place] <= below) passed += counts[place++];
    const values = this.#valuesOf(run, before, place);
    placeRank(values, below - passed);
    const here = values[below - passed];
    if (rank === below) return here;
    const isLast = below - passed + 1 === values.length;
    const above = isLast
      ? smallest(
          this.#valuesOf(
            run,
            before,
            counts.findIndex((count, k) => k > place && count > 0),
          ),
        )
      : smallest(values, below - passed + 1);
    return here + (above - here) * (rank - below);
  }

  #sumOver(first: number, end: number): number {
    const firstTile = Math.ceil(first / SUM_TILE);
    const lastTile = Math.floor(end / SUM_TILE);
    if (firstTile >= lastTile) return sumOf(this.#values, first, end);
    return (
      sumOf(this.#values, first, firstTile * SUM_TILE) +
      (this.#sums[lastTile] - this.#sums[firstTile]) +
      sumOf(this.#values, lastTile * SUM_TILE, end)
    );
  }
}

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

/** First bits of a double's mantissa that all values of a bucket share. */
const MANTISSA_BITS = 6;
const SHIFT = 20 - MANTISSA_BITS;
/** What is nearer to 0 than 1 is one bucket. */
const FIRST_BITS = 0x3ff00000 >>> SHIFT;
/** What is beyond 2^50, some 36 years in µs, is the last one. */
const LAST_BUCKET = 50 << MANTISSA_BITS;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** A number that never falls where the value grows: exponent and first bits of the mantissa (little endian). */
function bucketOf(value: number): number {
  double[0] = value;
  const bits = Math.min(LAST_BUCKET, Math.max(0, ((words[1] & 0x7fffffff) >>> SHIFT) - FIRST_BITS + 1));
  return value < 0 ? -bits : bits;
}
