/**
 * Clock of a secondary against the primary's (ag-domain section 4). theta(t) = a + b (t - t0) is the secondary's
 * counter minus the primary's; every block bounds it from above (a receive cannot precede its departure) and from
 * below (an acknowledgement cannot arrive before it left).
 */

import type { ClockWindow } from "./clock-windows.ts";

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

/** Counters of real machines stay far inside this; it keeps short captures from inventing drift (500 ppm). */
const DRIFT_LIMIT = 500e-6;
/** A counter that is plainly off, as a badly calibrated virtual machine's (1 %). */
const WIDE_DRIFT_LIMIT = 10_000e-6;
/** Windows by the usual limit from which one steeper line is the better account; a step alone makes two. */
const MANY_WINDOWS = 3;
/** A window of so few blocks is no clock. */
const MOST_STRAYS = 3;
/** Blocks with which the search for a window's end begins. */
const FIRST_STRIDE = 128;
const TERNARY_STEPS = 60;
/** Counters tell whole µs, so each bound may be off by one. */
const COUNTER_STEP_US = 1;

/**
 * Fits the clock in one window when a single straight line satisfies all bounds, else in the fewest windows that do: a
 * step or a change of drift ends one and begins the next. Blocks by which the bounds leave open whether it had happened
 * yet are a window of their own, as uncertain as both clocks around it leave them. Blocks must be in the order of their
 * departure. No window for no blocks.
 */
export function fitClock(given: ClockBounds): ClockWindow[] {
  const { bounds, ends } = withoutStrays(
    blocksWhere(given, (k) => roundTrip(given, k) >= -2 * COUNTER_STEP_US),
  );
  const n = bounds.departed.length;
  if (n === 0) return [];
  if (ends.length === 1) return [fitWindow(hullsOf(bounds, 0, n), n, DRIFT_LIMIT)];
  if (ends.length >= MANY_WINDOWS && isFeasible(hullsOf(bounds, 0, n), WIDE_DRIFT_LIMIT))
    return [fitWindow(hullsOf(bounds, 0, n), n, WIDE_DRIFT_LIMIT)];
  return fitPieces(bounds, piecesOf(ends, windowStarts(bounds)));
}

/** Network round trip of a block, free of the clocks; negative when its secondary's clock stepped while it was there. */
const roundTrip = ({ departed, received, ackDeparted, ackReceived }: ClockBounds, k: number): number =>
  ackReceived[k] - departed[k] - (ackDeparted[k] - received[k]);

function blocksWhere(bounds: ClockBounds, wanted: (k: number) => boolean): ClockBounds {
  const kept = bounds.departed.map((_, k) => k).filter(wanted);
  if (kept.length === bounds.departed.length) return bounds;
  const pick = (column: Float64Array): Float64Array => kept.map((k) => column[k]);
  return {
    departed: pick(bounds.departed),
    received: pick(bounds.received),
    ackDeparted: pick(bounds.ackDeparted),
    ackReceived: pick(bounds.ackReceived),
  };
}

/** Leaves out the few blocks that no window takes in: they contradict both clocks around them, so a join went wrong. */
function withoutStrays(bounds: ClockBounds): { bounds: ClockBounds; ends: number[] } {
  const ends = windowEnds(bounds);
  const isStray = new Uint8Array(bounds.departed.length);
  for (const [w, end] of ends.entries()) {
    const from = w === 0 ? 0 : ends[w - 1];
    if (end - from <= MOST_STRAYS && ends.length > 1) isStray.fill(1, from, end);
  }
  if (!isStray.includes(1) || !isStray.includes(0)) return { bounds, ends };
  const kept = blocksWhere(bounds, (k) => isStray[k] === 0);
  return { bounds: kept, ends: windowEnds(kept) };
}

/** Ends of the windows when each is as long as one line allows: the latest a change can have happened. */
function windowEnds(bounds: ClockBounds): number[] {
  const n = bounds.departed.length;
  const ends: number[] = [];
  for (let from = 0; from < n; from = ends.at(-1)!) {
    ends.push(from + longest(n - from, (length) => feasibleRange(bounds, from, from + length)));
  }
  return ends;
}

/** Starts of as many windows, each as long as one line allows from the end: the earliest a change can have happened. */
function windowStarts(bounds: ClockBounds): number[] {
  const starts: number[] = [];
  for (let to = bounds.departed.length; to > 0; to = starts.at(-1)!) {
    starts.push(to - longest(to, (length) => feasibleRange(bounds, to - length, to)));
  }
  return starts.toReversed();
}

/** Largest length up to `most` that fits, at least 1; what fits does so at every smaller length too. */
function longest(most: number, fits: (length: number) => boolean): number {
  let good = 1;
  let bad = Math.min(FIRST_STRIDE, most);
  while (fits(bad)) {
    if (bad === most) return most;
    good = bad;
    bad = Math.min(2 * bad, most);
  }
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

const feasibleRange = (bounds: ClockBounds, from: number, to: number): boolean =>
  isFeasible(hullsOf(bounds, from, to), DRIFT_LIMIT);

/** Blocks [from, to) of one window; `open` where a change happened somewhere inside. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
}

/** Cuts the blocks where changes are certain to have or not to have happened. */
function piecesOf(ends: readonly number[], starts: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const [k, end] of ends.entries()) {
    const earliest = starts[k + 1] ?? end;
    // Without a stretch between two changes that is free of both, nothing tells them apart.
    const cut = earliest > from && earliest < end ? earliest : end;
    pieces.push({ from, to: cut, open: false });
    if (cut < end) pieces.push({ from: cut, to: end, open: true });
    from = end;
  }
  return pieces;
}

function fitPieces(bounds: ClockBounds, pieces: readonly Piece[]): ClockWindow[] {
  const hulls = pieces.map(({ from, to }) => hullsOf(bounds, from, to));
  const windows = pieces.map(({ from, to }, i) => fitWindow(hulls[i], to - from, DRIFT_LIMIT));
  return windows.map((window, i) => {
    if (!pieces[i].open) return window;
    const around = [i - 1, i + 1].map((k) => furthest(window, windows[k], hulls[k]));
    return { ...window, hardBound: Math.min(Math.max(...around), longestRoundTrip(bounds, pieces[i])) };
  });
}

/** No block's one-way time is off by more than its round trip, whatever its clock did, since the line satisfies its bounds. */
function longestRoundTrip(bounds: ClockBounds, { from, to }: Piece): number {
  let longest = 0;
  for (let k = from; k < to; k++) longest = Math.max(longest, roundTrip(bounds, k));
  return longest;
}

/** Most that the clock of a neighbouring window, carried on over this one, differs from this one's line, µs. */
function furthest(window: ClockWindow, { driftFeasible }: ClockWindow, hulls: Hulls): number {
  return Math.max(
    ...[window.from, window.to].map((t) => {
      const here = window.a + window.b * (t - window.t0) - hulls.base;
      const [least, most] = rangeAt(hulls, driftFeasible, t - hulls.t0);
      return Math.max(most - here, here - least);
    }),
  );
}

/** The bounds of a range of blocks: only corners of their hulls can touch a line. */
interface Hulls {
  /** First departure; offsets of the corners count from it, values from `base`. All µs. */
  readonly t0: number;
  readonly base: number;
  readonly end: number;
  readonly xu: readonly number[];
  readonly upper: readonly number[];
  readonly xl: readonly number[];
  readonly lower: readonly number[];
}

function hullsOf(bounds: ClockBounds, from: number, to: number): Hulls {
  const { departed, received, ackDeparted, ackReceived } = bounds;
  const t0 = departed[from];
  const base = received[from] - t0;
  const [xu, upper]: [number[], number[]] = [[], []];
  const [xl, lower]: [number[], number[]] = [[], []];
  let end = t0;
  for (let k = from; k < to; k++)
    addCorner(xu, upper, departed[k] - t0, received[k] - departed[k] - base + COUNTER_STEP_US, 1);
  for (const k of byArrival(ackReceived, from, to)) {
    addCorner(xl, lower, ackReceived[k] - t0, ackDeparted[k] - ackReceived[k] - base - COUNTER_STEP_US, -1);
    end = Math.max(end, ackReceived[k]);
  }
  return { t0, base, end, xu, upper, xl, lower };
}

/**
 * Blocks [from, to) in the order their acknowledgements arrived. These overtake each other seldom and by little, where
 * sorting by insertion is nearly one pass.
 */
function byArrival(ackReceived: Float64Array, from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from);
  for (let k = from; k < to; k++) {
    let at = k - from;
    for (; at > 0 && ackReceived[rows[at - 1]] > ackReceived[k]; at--) rows[at] = rows[at - 1];
    rows[at] = k;
  }
  return rows;
}

/** Adds a point to the hull that lines from below (side 1) or from above (side -1) touch; x must not descend. */
function addCorner(xs: number[], ys: number[], x: number, y: number, side: 1 | -1): void {
  for (let n = xs.length; n > 0; n = xs.length) {
    const last = n - 1;
    const isHidden =
      x === xs[last]
        ? side * (y - ys[last]) <= 0
        : n > 1 &&
          side * ((ys[last] - ys[n - 2]) * (x - xs[last]) - (y - ys[last]) * (xs[last] - xs[n - 2])) >= 0;
    if (!isHidden) break;
    xs.pop();
    ys.pop();
  }
  if (xs.at(-1) === x) return;
  xs.push(x);
  ys.push(y);
}

const widthAt = (hulls: Hulls, b: number): number => highest(hulls, b) - lowest(hulls, b);

const widest = (hulls: Hulls, limit: number): number => maximise((b) => widthAt(hulls, b), -limit, limit);

const isFeasible = (hulls: Hulls, limit: number): boolean => widthAt(hulls, widest(hulls, limit)) >= 0;

function fitWindow(hulls: Hulls, blocks: number, limit: number): ClockWindow {
  const { t0, base, end } = hulls;
  const b = blocks < 2 ? 0 : widest(hulls, limit);
  const a = (highest(hulls, b) + lowest(hulls, b)) / 2;
  const width = (drift: number): number => widthAt(hulls, drift);
  const driftFeasible: [number, number] = [edge(width, b, -limit), edge(width, b, limit)];
  const hardBound = Math.max(
    ...[0, end - t0].map((x) => {
      const [least, most] = rangeAt(hulls, driftFeasible, x);
      return Math.max(most - (a + b * x), a + b * x - least);
    }),
  );
  const reported = width(b) - 2 * COUNTER_STEP_US;
  return { from: t0, to: end, t0, a: a + base, b, width: reported, hardBound, driftFeasible, blocks };
}

/** Largest intercept that keeps a line of slope b under every upper bound. */
function highest({ xu, upper }: Hulls, b: number): number {
  let least = Infinity;
  for (let i = 0; i < xu.length; i++) least = Math.min(least, upper[i] - b * xu[i]);
  return least;
}

/** Smallest intercept that keeps a line of slope b over every lower bound. */
function lowest({ xl, lower }: Hulls, b: number): number {
  let most = -Infinity;
  for (let i = 0; i < xl.length; i++) most = Math.max(most, lower[i] - b * xl[i]);
  return most;
}

/** Where a concave function of the drift is largest, by ternary search. */
function maximise(f: (b: number) => number, low: number, high: number): number {
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

/** Least and most that lines which satisfy every bound reach at offset x. Both are concave in the drift. */
function rangeAt(hulls: Hulls, [low, high]: readonly [number, number], x: number): [number, number] {
  const above = (d: number): number => highest(hulls, d) + d * x;
  const below = (d: number): number => -(lowest(hulls, d) + d * x);
  return [-below(maximise(below, low, high)), above(maximise(above, low, high))];
}
