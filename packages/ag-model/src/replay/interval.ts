/** How far percentiles of a prediction can lie off: resamples of its one-second stretches, and the replay's own error. */
import { percentile } from "../numbers/index.ts";
import { seededUniform } from "./seeded.ts";

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
/** Bins per doubling: 1 % wide. */
const BINS_PER_OCTAVE = 64;
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
  const stretches = stretchesOf(starts, values);
  const sampled = INTERVAL_PERCENTILES.map(() => new Float64Array(RESAMPLES));
  const uniform = seededUniform(SEED);
  const highest = Math.max(0, ...stretches.map(({ bins }) => bins.at(-1) ?? 0));
  const counts = new Uint32Array(highest + 1);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    counts.fill(0);
    let total = 0;
    for (let s = 0; s < stretches.length; s++) {
      const { bins, counts: of, n } = stretches[Math.floor(uniform() * stretches.length)];
      for (let i = 0; i < bins.length; i++) counts[bins[i]] += of[i];
      total += n;
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

/** Values of one second, counted in logarithmic bins; bins ascend. */
interface Stretch {
  readonly bins: number[];
  readonly counts: number[];
  readonly n: number;
}

function stretchesOf(starts: Float64Array, values: Float64Array): Stretch[] {
  const bySecond = new Map<number, number[]>();
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const second = Math.floor(starts[i] / STRETCH_US);
    const bin = Math.max(0, Math.round(BINS_PER_OCTAVE * Math.log2(Math.max(values[i], 1))));
    const bins = bySecond.get(second);
    if (bins) bins.push(bin);
    else bySecond.set(second, [bin]);
  }
  return Array.from(bySecond.values(), (all) => {
    const counted = new Map<number, number>();
    for (const bin of all.sort((a, b) => a - b)) counted.set(bin, (counted.get(bin) ?? 0) + 1);
    return { bins: [...counted.keys()], counts: [...counted.values()], n: all.length };
  });
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
