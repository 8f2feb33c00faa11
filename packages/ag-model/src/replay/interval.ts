/** Possible error of a prediction's percentiles: resamples of its periods of seconds, and the replay's own error. */
import {
  firstAtOrAfter,
  firstIndexWhere,
  GrowingColumn,
  percentile,
  seededUniform,
  type BinnedValues,
} from "../numbers/index.ts";
import { FINE_BINS, FINE_BINS_PER_OCTAVE } from "./latency-bins.ts";

/** Percentiles that have an interval. */
export const INTERVAL_PERCENTILES = [50, 95, 99] as const;

export type Interval = readonly [low: number, high: number];

/**
 * No interval is narrower than this. It is above the largest error of p50 and p95 that the bench measured over 150 worlds
 * simulated again with the change (3.8 %, `npm run bench -- what-if`, docs/contribute/waiting.md): real servers differ from simulated
 * ones in more than their seed.
 */
export const REPLAY_ERROR = 0.05;

const RESAMPLES = 300;
const SECOND_US = 1_000_000;
/** Longer captures are resampled in periods of several seconds. */
const MOST_STRETCHES = 2_048;
const SEED = 8_675_309;
const MOST_BIN = FINE_BINS.length - 1;
const COVERED = 0.95;

/**
 * For each of `INTERVAL_PERCENTILES` the values that 95 % of the resamples are between; at least `REPLAY_ERROR` wide to
 * both sides of `found`.
 * @param starts when each value began, µs
 * @param values with their bins (`binned`)
 * @param found the percentiles of the values; NaN for one without an interval
 */
export function percentileIntervals(
  starts: Float64Array,
  values: BinnedValues,
  found: readonly number[],
): Interval[] {
  const periods = new Periods(starts, values);
  const sampled = INTERVAL_PERCENTILES.map(() => new Float64Array(RESAMPLES).fill(Number.NaN));
  const uniform = seededUniform(SEED);
  const drawn = new Uint32Array(periods.length);
  const bins = INTERVAL_PERCENTILES.map(() => 0);
  for (let resample = 0; resample < RESAMPLES && periods.length > 0; resample++) {
    drawn.fill(0);
    for (let s = 0; s < drawn.length; s++) drawn[Math.floor(uniform() * drawn.length)]++;
    const total = periods.countUpTo(MOST_BIN, drawn);
    INTERVAL_PERCENTILES.forEach((p, i) => {
      const wanted = (p / 100) * total;
      // A resample's percentile is near that of the one before.
      bins[i] = firstReached(bins[i], MOST_BIN, (bin) => periods.countUpTo(bin, drawn) >= wanted);
      const below = periods.countUpTo(bins[i] - 1, drawn);
      const inside = (wanted - below) / (periods.countUpTo(bins[i], drawn) - below) - 0.5;
      sampled[i][resample] = 2 ** ((bins[i] + inside) / FINE_BINS_PER_OCTAVE);
    });
  }
  return sampled.map((values, i): Interval => {
    if (Number.isNaN(found[i])) return [Number.NaN, Number.NaN];
    values.sort();
    const tail = (100 * (1 - COVERED)) / 2;
    const low = Math.min(percentile(values, tail), found[i] * (1 - REPLAY_ERROR));
    return [Math.max(0, low), Math.max(percentile(values, 100 - tail), found[i] * (1 + REPLAY_ERROR))];
  });
}

/**
 * First bin from which a condition is true, searched in growing steps from a guess.
 * @param most a bin at which it is true
 */
function firstReached(guess: number, most: number, isReached: (bin: number) => boolean): number {
  let [low, high] = [-1, most];
  for (let step = 1, bin = guess; bin > low && bin < high; step *= 2) {
    if (isReached(bin)) {
      high = bin;
      bin -= step;
    } else {
      low = bin;
      bin += step;
    }
  }
  return low + 1 + firstIndexWhere(high - low - 1, (bin) => isReached(low + 1 + bin));
}

/** Values of each period with values, counted in logarithmic bins. */
class Periods {
  /** Entries of a period follow one another, one per bin that has values: its bin and their number. */
  readonly #first: number[] = [];
  readonly #bins = new GrowingColumn(Uint16Array);
  readonly #times = new GrowingColumn(Uint32Array);
  /**
   * By bin, the number of values of each period in it or below: computed when it is needed, which is only for bins near
   * percentiles.
   */
  readonly #upTo = new Map<number, Uint32Array>();

  /** @param starts ascending */
  constructor(starts: Float64Array, values: BinnedValues) {
    const counts = values.count(0, 0);
    const seconds = Math.ceil((starts[starts.length - 1] - starts[0]) / SECOND_US / MOST_STRETCHES);
    const periodUs = Math.max(1, seconds) * SECOND_US;
    for (let first = 0; first < starts.length;) {
      const until = (Math.floor(starts[first] / periodUs) + 1) * periodUs;
      const end = first + Math.max(1, firstAtOrAfter(starts.subarray(first), until));
      this.#add(values.count(first, end, counts));
      first = end;
    }
  }

  /** Adds a period unless it is empty. @param counts by bin among all edges; 0 afterwards */
  #add(counts: Uint32Array): void {
    const before = this.#bins.length;
    let last = -1;
    for (let each = 0; each < counts.length; each++) {
      if (counts[each] === 0) continue;
      const bin = FINE_BINS.of[each];
      if (bin !== last) {
        const at = this.#bins.more(1);
        this.#times.more(1);
        this.#bins.room[at] = bin;
      }
      this.#times.room[this.#times.length - 1] += counts[each];
      counts[each] = 0;
      last = bin;
    }
    if (this.#bins.length > before) this.#first.push(before);
  }

  get length(): number {
    return this.#first.length;
  }

  /** Number of values in a bin or below, each period as often as it was drawn. */
  countUpTo(bin: number, drawn: Uint32Array): number {
    if (bin < 0) return 0;
    const counts = this.#ofBin(bin);
    let sum = 0;
    for (let s = 0; s < drawn.length; s++) sum += drawn[s] * counts[s];
    return sum;
  }

  #ofBin(bin: number): Uint32Array {
    let counts = this.#upTo.get(bin);
    if (counts === undefined) this.#upTo.set(bin, (counts = this.#countsUpTo(bin)));
    return counts;
  }

  #countsUpTo(bin: number): Uint32Array {
    const [bins, times] = [this.#bins.values(), this.#times.values()];
    return Uint32Array.from(this.#first, (first, s) => {
      const end = this.#first[s + 1] ?? bins.length;
      let sum = 0;
      for (let i = first; i < end; i++) if (bins[i] <= bin) sum += times[i];
      return sum;
    });
  }
}
