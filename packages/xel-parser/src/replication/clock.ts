/**
 * Clock of a secondary against the primary's (ag-domain section 4). theta(t) = a + b (t - t0) is the secondary's
 * counter minus the primary's; every block bounds it from above (a receive cannot precede its departure) and from
 * below (an acknowledgement cannot arrive before it left).
 */

/** Bounds of blocks: departures and arrivals of the same index are one block's. All µs. */
export interface ClockBounds {
  /** K1, primary's clock: the message's earliest departure. */
  readonly departed: Float64Array;
  /** R0, secondary's clock. */
  readonly received: Float64Array;
  /** A2, secondary's clock: the acknowledgement's earliest departure. */
  readonly ackDeparted: Float64Array;
  /** H0, primary's clock. */
  readonly ackReceived: Float64Array;
}

/** One straight piece of the clock. */
export interface ClockWindow {
  /** Primary's clock, µs. */
  readonly from: number;
  readonly to: number;
  readonly t0: number;
  /** theta at t0, µs. */
  readonly a: number;
  /** Drift, µs per µs. */
  readonly b: number;
  /** Width of the feasible band, µs; negative when no line satisfies every bound. */
  readonly width: number;
  /** Most a line that satisfies every bound can differ from this one inside the window, µs. */
  readonly hardBound: number;
  readonly driftFeasible: readonly [number, number];
  readonly blocks: number;
}

/** Counters of real machines stay far inside this; it keeps short captures from inventing drift (500 ppm). */
const DRIFT_LIMIT = 500e-6;
const SMALLEST_WINDOW = 100;
const TERNARY_STEPS = 60;

/**
 * Fits the clock, in one window when a single straight line satisfies all bounds, else in halves of halves down to
 * 100 blocks. Blocks must be in the order of their departure. No window for no blocks.
 */
export function fitClock(bounds: ClockBounds): ClockWindow[] {
  const n = bounds.departed.length;
  return n === 0 ? [] : fitRange(bounds, 0, n);
}

function fitRange(bounds: ClockBounds, from: number, to: number): ClockWindow[] {
  const window = fitWindow(bounds, from, to);
  if (window.width >= 0 || to - from < 2 * SMALLEST_WINDOW) return [window];
  const middle = (from + to) >> 1;
  return [...fitRange(bounds, from, middle), ...fitRange(bounds, middle, to)];
}

interface Lines {
  /** Offsets from the window's first departure, µs; upper bounds at xu, lower bounds at xl. */
  readonly xu: Float64Array;
  readonly upper: Float64Array;
  readonly xl: Float64Array;
  readonly lower: Float64Array;
}

function fitWindow(bounds: ClockBounds, from: number, to: number): ClockWindow {
  const t0 = bounds.departed[from];
  const base = bounds.received[from] - t0;
  const n = to - from;
  const lines: Lines = {
    xu: new Float64Array(n),
    upper: new Float64Array(n),
    xl: new Float64Array(n),
    lower: new Float64Array(n),
  };
  let end = t0;
  for (let i = 0; i < n; i++) {
    const { departed, received, ackDeparted, ackReceived } = bounds;
    const k = from + i;
    lines.xu[i] = departed[k] - t0;
    lines.upper[i] = received[k] - departed[k] - base;
    lines.xl[i] = ackReceived[k] - t0;
    lines.lower[i] = ackDeparted[k] - ackReceived[k] - base;
    end = Math.max(end, ackReceived[k]);
  }
  const width = (b: number): number => highest(lines, b) - lowest(lines, b);
  const b = n < 2 ? 0 : maximise(width);
  const a = (highest(lines, b) + lowest(lines, b)) / 2;
  const driftFeasible: [number, number] = [edge(width, b, -DRIFT_LIMIT), edge(width, b, DRIFT_LIMIT)];
  const hardBound = Math.max(
    deviation(lines, driftFeasible, a, b, 0),
    deviation(lines, driftFeasible, a, b, end - t0),
  );
  return { from: t0, to: end, t0, a: a + base, b, width: width(b), hardBound, driftFeasible, blocks: n };
}

/** Largest intercept that keeps a line of slope b under every upper bound. */
function highest({ xu, upper }: Lines, b: number): number {
  let least = Infinity;
  for (let i = 0; i < xu.length; i++) least = Math.min(least, upper[i] - b * xu[i]);
  return least;
}

/** Smallest intercept that keeps a line of slope b over every lower bound. */
function lowest({ xl, lower }: Lines, b: number): number {
  let most = -Infinity;
  for (let i = 0; i < xl.length; i++) most = Math.max(most, lower[i] - b * xl[i]);
  return most;
}

/** Where a concave function of the drift is largest, by ternary search. */
function maximise(f: (b: number) => number, low = -DRIFT_LIMIT, high = DRIFT_LIMIT): number {
  for (let i = 0; i < TERNARY_STEPS; i++) {
    const third = (high - low) / 3;
    if (f(low + third) < f(high - third)) low += third;
    else high -= third;
  }
  return (low + high) / 2;
}

/** Furthest drift towards `limit` that still leaves a feasible band. */
function edge(width: (b: number) => number, best: number, limit: number): number {
  if (width(best) < 0) return best;
  if (width(limit) >= 0) return limit;
  let inside = best;
  let outside = limit;
  for (let i = 0; i < 50; i++) {
    const middle = (inside + outside) / 2;
    if (width(middle) >= 0) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** Most that a feasible line can differ from a + b x at offset x. Both sides are concave in the drift. */
function deviation(
  lines: Lines,
  [low, high]: readonly [number, number],
  a: number,
  b: number,
  x: number,
): number {
  const above = (d: number): number => highest(lines, d) + d * x;
  const below = (d: number): number => -(lowest(lines, d) + d * x);
  const most = above(maximise(above, low, high));
  const least = -below(maximise(below, low, high));
  return Math.max(most - (a + b * x), a + b * x - least);
}

/** An instant of the secondary's counter on the primary's clock, µs. */
export function toPrimaryClock(windows: readonly ClockWindow[], secondary: number): number {
  let chosen = windows[0];
  for (const w of windows) if (secondary >= w.from + w.a + w.b * (w.from - w.t0)) chosen = w;
  return (secondary - chosen.a + chosen.b * chosen.t0) / (1 + chosen.b);
}

/** theta at an instant of the primary's clock, µs. */
export function thetaAt(windows: readonly ClockWindow[], primary: number): number {
  let chosen = windows[0];
  for (const w of windows) if (primary >= w.from) chosen = w;
  return chosen.a + chosen.b * (primary - chosen.t0);
}

/** UTC minus a server's counter over time: running median per two seconds of publish minus fire, µs. */
export interface UtcMap {
  /** Counter, µs, ascending. */
  readonly at: Float64Array;
  /** UTC minus counter, µs relative to `baseTicks`. */
  readonly ahead: Float64Array;
}

const UTC_BIN_US = 2_000_000;

/**
 * Builds a server's UTC map from publish times (µs after some fixed instant) and fire times (µs of the counter). Times
 * that are NaN are left out. Used for labels and for events without start_timestamp only (ag-domain 4.2).
 */
export function utcMap(publish: Float64Array, fire: Float64Array): UtcMap {
  const bins = new Map<number, number[]>();
  for (let i = 0; i < fire.length; i++) {
    if (Number.isNaN(fire[i])) continue;
    const bin = Math.floor(fire[i] / UTC_BIN_US);
    const values = bins.get(bin);
    if (values) values.push(publish[i] - fire[i]);
    else bins.set(bin, [publish[i] - fire[i]]);
  }
  const keys = [...bins.keys()].sort((x, y) => x - y);
  return {
    at: Float64Array.from(keys, (k) => (k + 0.5) * UTC_BIN_US),
    ahead: Float64Array.from(keys, (k) => median(bins.get(k)!)),
  };
}

function median(values: number[]): number {
  const sorted = values.sort((x, y) => x - y);
  return sorted[sorted.length >> 1];
}

/** UTC minus counter at an instant of the counter, µs; NaN for an empty map. */
export function aheadAt({ at, ahead }: UtcMap, counter: number): number {
  if (at.length === 0) return Number.NaN;
  const upper = at.findIndex((x) => x >= counter);
  if (upper === 0) return ahead[0];
  if (upper < 0) return ahead[at.length - 1];
  const part = (counter - at[upper - 1]) / (at[upper] - at[upper - 1]);
  return ahead[upper - 1] + part * (ahead[upper] - ahead[upper - 1]);
}
