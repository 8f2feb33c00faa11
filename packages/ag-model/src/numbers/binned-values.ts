/** A long column with the bin of each value: figures of its parts count bins, and read the few values near a rank. */
import type { BinFinder } from "./bin-finder.ts";
import { cellsOfRanks, valuesAtRanks } from "./near-ranks.ts";
import { countedValues, type Statistics } from "./statistics.ts";

export class BinnedValues {
  readonly values: Float64Array;
  /** Bins of the finder; the one after them is NaN's. */
  readonly #bins: Uint16Array;
  readonly #unknown: number;

  constructor(values: Float64Array, finder: BinFinder) {
    this.values = values;
    this.#unknown = finder.length;
    this.#bins = finder.bins(values, new Uint16Array(values.length), this.#unknown);
  }

  /**
   * Counts the values of the rows from `first` up to `end` in each bin; NaN is skipped.
   * @param counts to which they are added; a reused array saves memory
   */
  count(first: number, end: number, counts: Uint32Array = new Uint32Array(this.#unknown + 1)): Uint32Array {
    const bins = this.#bins;
    for (let row = first; row < end; row++) counts[bins[row]]++;
    counts[this.#unknown] = 0;
    return counts;
  }

  /**
   * Percentiles of the rows from `first` up to `end`, as `percentilesOf` returns them.
   * @param counts result of `count` for these rows
   * @param wanted ascending, 0 to 100
   */
  percentiles(first: number, end: number, counts: Uint32Array, wanted: readonly number[]): number[] {
    const known = sumOf(counts);
    if (known === 0) return wanted.map(() => Number.NaN);
    const ranks = wanted.map((p) => (p / 100) * (known - 1));
    const { isNear, kept, below } = cellsOfRanks({ counts, known }, ranks);
    return valuesAtRanks({ near: this.#valuesOf(isNear, kept, first, end), below }, ranks);
  }

  /** Statistics of all values, as `statisticsOf` returns them. @param counts result of `count` for all rows */
  statistics(counts: Uint32Array): Statistics {
    const [p50, p95, p99] = this.percentiles(0, this.values.length, counts, [50, 95, 99]);
    const { n, max, mean } = countedValues(this.values);
    return { n, p50, p95, p99, max, mean };
  }

  #valuesOf(isWanted: Uint8Array, length: number, first: number, end: number): Float64Array {
    const { values } = this;
    const bins = this.#bins;
    // Each value is written and the next one may replace it: a branch on wanted values would take longer than writing.
    const wanted = new Float64Array(length + 1);
    for (let row = first, next = 0; row < end; row++) {
      wanted[next] = values[row];
      next += isWanted[bins[row]];
    }
    return wanted.subarray(0, length);
  }
}

const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);
