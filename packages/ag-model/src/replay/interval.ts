/** How far percentiles of a prediction can lie off: resamples of its one-second stretches, and the replay's own error. */
import { percentile, seededUniform } from "../numbers/index.ts";

/** Percentiles for which an interval is given. */
export const INTERVAL_PERCENTILES = [50, 95, 99] as const;

export type Interval = readonly [low: number, high: number];

/**
 * No interval is narrower than this. It is twice the largest error of p50 and p95 that the bench measured over 100 worlds
 * simulated again with the change (2.4 %, `npm run bench -- what-if`, docs/waiting.md): real servers differ from simulated
 * ones in more than their seed.
 */
export const REPLAY_ERROR = 0.05;

const RESAMPLES = 300;
const STRETCH_US = 1_000_000;
const SEED = 8_675_309;
/** Bins per doubling: 2 % wide, and interpolated within. */
const BINS_PER_OCTAVE = 32;
/** Values over 2^36 µs, some 19 hours, share the last bin. */
const MOST_OCTAVES = 36;
const COVERED = 0.95;

/**
 * For each of `INTERVAL_PERCENTILES`, between which values 95 % of the resamples lie; at least `REPLAY_ERROR` wide to
 * both sides of `found`.
 * @param starts when each value began, µs
 * @param values µs; NaN is left out
 * @param found the percentiles of the values
 */
export function percentileIntervals(
  starts: Float64Array,
  values: Float64Array,
  found: readonly number[],
): Interval[] {
  const { first, bins, times, totals, highest } = stretchesOf(starts, values);
  const sampled = INTERVAL_PERCENTILES.map(() => new Float64Array(RESAMPLES));
  const uniform = seededUniform(SEED);
  const counts = new Uint32Array(highest + 1);
  const drawn = new Uint32Array(totals.length);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    counts.fill(0);
    drawn.fill(0);
    for (let s = 0; s < drawn.length; s++) drawn[Math.floor(uniform() * drawn.length)]++;
    let total = 0;
    for (let s = 0; s < drawn.length; s++) {
      if (drawn[s] === 0) continue;
      total += drawn[s] * totals[s];
      for (let i = first[s]; i < first[s + 1]; i++) counts[bins[i]] += drawn[s] * times[i];
    }
    INTERVAL_PERCENTILES.forEach((p, i) => (sampled[i][resample] = binnedPercentile(counts, total, p)));
  }
  return sampled.map((values, i): Interval => {
    values.sort();
    const tail = (100 * (1 - COVERED)) / 2;
    const low = Math.min(percentile(values, tail), found[i] * (1 - REPLAY_ERROR));
    return [Math.max(0, low), Math.max(percentile(values, 100 - tail), found[i] * (1 + REPLAY_ERROR))];
  });
}

/** Values of each second with values, counted in logarithmic bins; a flat list, one entry per second and bin. */
interface Stretches {
  /** Index of each second's first entry, and the end of the list. */
  readonly first: Uint32Array;
  readonly bins: Uint32Array;
  readonly times: Uint32Array;
  /** Values of each second. */
  readonly totals: Uint32Array;
  readonly highest: number;
}

/** @param starts ascending, but for values that come out of order within a second */
function stretchesOf(starts: Float64Array, values: Float64Array): Stretches {
  const bins = new Uint32Array(values.length);
  const times = new Uint32Array(values.length);
  const first: number[] = [];
  const totals: number[] = [];
  const counts = new Uint32Array(BINS_PER_OCTAVE * MOST_OCTAVES + 1);
  let [length, second, highest] = [0, Number.NaN, 0];
  const finish = (): void => {
    for (let i = first[first.length - 1]; i < length; i++) {
      times[i] = counts[bins[i]];
      counts[bins[i]] = 0;
    }
  };
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const at = Math.floor(starts[i] / STRETCH_US);
    if (at !== second) {
      if (first.length > 0) finish();
      second = at;
      first.push(length);
      totals.push(0);
    }
    const bin = Math.round(BINS_PER_OCTAVE * Math.min(Math.log2(Math.max(values[i], 1)), MOST_OCTAVES));
    if (counts[bin]++ === 0) bins[length++] = bin;
    totals[totals.length - 1]++;
    if (bin > highest) highest = bin;
  }
  if (first.length > 0) finish();
  return {
    first: Uint32Array.from([...first, length]),
    bins,
    times,
    totals: Uint32Array.from(totals),
    highest,
  };
}

function binnedPercentile(counts: Uint32Array, total: number, p: number): number {
  const wanted = (p / 100) * total;
  let below = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    const n = counts[bin];
    if (n > 0 && below + n >= wanted) {
      const inside = (wanted - below) / n - 0.5;
      return 2 ** ((bin + inside) / BINS_PER_OCTAVE);
    }
    below += n;
  }
  return Number.NaN;
}
