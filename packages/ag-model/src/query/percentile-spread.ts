/**
 * How far percentiles of a range could have differed by chance: a bootstrap over periods. Durations that follow each
 * other are alike, so that drawing single ones would underestimate the spread: complete periods are drawn (the block
 * bootstrap of Künsch 1989).
 */
import type { CaptureScope } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { FIRST_BIN, LOG_EDGES, NO_VALUE, OVER, UNDER } from "./distribution-bins.ts";
import { USUAL_DISTRIBUTIONS } from "./distribution-stages.ts";
import { durationsOf, rowsOfRange, type Durations, type TimeRange } from "./durations.ts";
import { scopeRows } from "./scope-rows.ts";

/** Number of times that the range is drawn again. */
export const DRAWS = 200;
/**
 * Periods of equal numbers of values: more of them where there are many values, and always enough values for a period
 * to be useful.
 */
const MOST_STRETCHES = 60;
const FEWEST_STRETCHES = 5;
const VALUES_PER_STRETCH = 10;
/** Fewer values have no interval. */
const LEAST_VALUES = 20;
const LEAST_P99 = 100;

interface SpreadOptions extends TimeRange {
  readonly secondary: number;
  readonly scope: CaptureScope;
}

/**
 * For each usual stage: percentiles of DRAWS drawn ranges as factors of the range's own percentile, in the order of the
 * draws, not by size; empty where too few values are known. The same range always has the same factors.
 */
export function percentileSpread(model: CaptureModel, { from, to, secondary, scope }: SpreadOptions) {
  const asked = rowsOfRange(model, { from, to }, scopeRows(model, scope));
  return {
    from,
    to,
    secondary,
    rows: USUAL_DISTRIBUTIONS.map((stage) => ({
      stage,
      ...spreadOf(durationsOf(model, stage, secondary, asked)),
    })),
  };
}

function spreadOf(durations: Durations) {
  const { stretches: periods, first, total } = eventRunsOf(durations);
  const factors = { p50: [] as number[], p95: [] as number[], p99: [] as number[] };
  if (periods.length === 0) return factors;
  const sum = new Uint32Array(periods[0].length);
  for (const period of periods) add(period, sum);
  const own = percentilesOf(sum, first);
  const dice = seeded();
  for (let draw = 0; draw < DRAWS; draw++) {
    sum.fill(0);
    for (let i = 0; i < periods.length; i++) add(periods[Math.floor(dice() * periods.length)], sum);
    const drawn = percentilesOf(sum, first);
    factors.p50.push(rounded(drawn.p50 / own.p50));
    factors.p95.push(rounded(drawn.p95 / own.p95));
    if (total >= LEAST_P99) factors.p99.push(rounded(drawn.p99 / own.p99));
  }
  return factors;
}

function add(counts: Uint32Array, to: Uint32Array): void {
  for (let bin = 0; bin < to.length; bin++) to[bin] += counts[bin];
}

/** Values of a range in periods of equal numbers, in the order of time. */
interface Periods {
  /** Numbers of values by bin, from the bin of code `first` to the last one that has a value. */
  readonly stretches: readonly Uint32Array[];
  readonly first: number;
  readonly total: number;
}

/** Empty where too few values are known. */
function eventRunsOf({ codes, run, rows, counts }: Durations): Periods {
  let total = 0;
  for (let code = 0; code < counts.length; code++) if (code !== NO_VALUE) total += counts[code];
  if (total < LEAST_VALUES) return { stretches: [], first: UNDER, total };
  const first = counts.findIndex((count, code) => count > 0 && code !== NO_VALUE);
  const bins = counts.findLastIndex((count) => count > 0) - first + 1;
  const wanted = Math.max(FEWEST_STRETCHES, Math.floor(total / VALUES_PER_STRETCH));
  const count = Math.min(MOST_STRETCHES, wanted);
  const periods = Array.from({ length: count }, () => new Uint32Array(bins));
  const endOf = (period: number): number => Math.floor(((period + 1) * total) / count);
  let period = 0;
  let end = endOf(period);
  let own = periods[period];
  let known = 0;
  const take = (code: number): void => {
    if (code === NO_VALUE) return;
    if (known++ === end) {
      own = periods[++period];
      end = endOf(period);
    }
    own[code - first]++;
  };
  for (const row of rows ?? run.before) take(codes[row]);
  if (rows === null) for (let row = run.first; row < run.end; row++) take(codes[row]);
  return { stretches: periods, first, total };
}

/** Percentiles from counts by bin, µs: within a bin values lie evenly on the logarithmic scale. @param first code of the first bin */
function percentilesOf(counts: Uint32Array, first: number): { p50: number; p95: number; p99: number } {
  let total = 0;
  for (const count of counts) total += count;
  const at = (share: number): number => {
    const rank = share * total;
    let passed = 0;
    let bin = 0;
    while (bin < counts.length - 1 && passed + counts[bin] < rank) passed += counts[bin++];
    const code = first + bin;
    if (code < FIRST_BIN) return LOG_EDGES[0];
    if (code >= OVER) return LOG_EDGES[LOG_EDGES.length - 1];
    const [low, high] = [LOG_EDGES[code - FIRST_BIN], LOG_EDGES[code - FIRST_BIN + 1]];
    return low * (high / low) ** ((rank - passed) / Math.max(1, counts[bin]));
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const rounded = (factor: number): number => Math.round(factor * 10_000) / 10_000;

/** Equally spread numbers from 0 to 1, the same ones each time (mulberry32). */
function seeded(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
