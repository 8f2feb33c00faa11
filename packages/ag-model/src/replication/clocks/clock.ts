/**
 * The clock of a secondary against the primary's (docs/contribute/model/clocks.md 5.3, 5.4).
 *
 * theta(t) is the secondary's counter minus the primary's at an instant t of the primary's. Each block bounds it twice: its
 * message cannot have been received before it departed, so theta <= received - departed; its acknowledgment cannot have
 * arrived before it left, so theta >= ackDeparted - ackReceived. Time on the way only loosens a bound, so that a slow network
 * widens the band between the bounds and never bends it, and no block has to be recognized as an outlier:
 *
 *     theta
 *       |   u                  u                 u   upper bounds: what the way out took makes them too high
 *       |       u     u            u    u
 *       |   -----------------------------------      a straight clock: a + b (t - t0)
 *       |     l            l     l          l
 *       |         l                   l              lower bounds: what the way back took makes them too low
 *       +--------------------------------------- t
 *
 * Counters of computers run straight for hours, so the clock is one line whenever one satisfies all bounds. When none does
 * (a virtual machine that moved, a counter that was set), the clock is cut into the fewest windows that have a line each. Taking as
 * many blocks as a line allows, again and again, needs no more windows than any other cut, because what fits a run of
 * blocks fits every part of it. But it puts each change at its latest: the first line is carried on for as long as the
 * bounds let it. Doing the same from the other end puts each change at its earliest. The change was somewhere between:
 *
 *     from the first block    |-------- window 1 --------->|----- window 2 ----->|
 *     from the last block     |<----- window 1 ----|<-------- window 2 ----------|
 *     pieces                  |---- line 1 --------|-open--|------- line 2 ------|
 *
 * An open piece has a line of its own, but its blocks may belong to either clock around it: its bound is the farther
 * of the two, carried on over the piece, and not more than the longest round trip in it, since its line satisfies its bounds.
 *
 * Two faults would cut a clock into many windows. A wrong join makes a block that contradicts both clocks around it:
 * windows of up to three blocks are regarded as wrong joins and skipped. A counter that is off by more than any crystal
 * starts a new window wherever the usual limit of the drift is reached: from three windows on, one line of a wide drift is
 * tried first.
 */
import { boundsWhere, roundTripOf, type ClockBounds } from "./clock-bounds.ts";
import { COUNTER_STEP_US, hullsOf, type Hulls } from "./clock-hulls.ts";
import { fitWindow, isFeasible, rangeAt } from "./clock-line.ts";
import type { ClockWindow } from "./clock-windows.ts";

/**
 * Counters of real machines stay far below this limit; it prevents a drift that only short captures seem to have (500
 * ppm).
 */
export const DRIFT_LIMIT = 500e-6;
/** Limit for a counter that is clearly wrong, such as a badly calibrated virtual machine's (1 %). */
const WIDE_DRIFT_LIMIT = 10_000e-6;
/**
 * Number of windows by the usual limit from which one steeper line is the better explanation; a step alone makes two.
 */
const MANY_WINDOWS = 3;
/** A window of at most this many blocks is no clock. */
const MOST_STRAYS = 3;
/** Blocks with which the search for a window's end begins. */
const FIRST_STRIDE = 128;

/**
 * Fits the clock in one window when a single straight line satisfies all bounds, else in the fewest windows that do: a
 * step or a change of drift ends one and begins the next. If the bounds of some blocks do not show whether the change
 * had happened yet, these blocks are a window of their own, with the uncertainty of both clocks around it. Blocks must
 * be in the order of their departure. No window for no blocks.
 */
export function fitClock(given: ClockBounds): ClockWindow[] {
  const possible = possibleBounds(given);
  return fitWhole(possible) ?? fitParts(withoutStrays(possible));
}

/** Excludes blocks with a negative round trip: a clock stepped while they were under way. */
export const possibleBounds = (bounds: ClockBounds): ClockBounds =>
  boundsWhere(bounds, (block) => roundTripOf(bounds, block) >= -2 * COUNTER_STEP_US);

/**
 * One window where a line satisfies all bounds, which is nearly always true and needs one pass over the blocks; else
 * null.
 */
function fitWhole(bounds: ClockBounds): ClockWindow[] | null {
  const n = bounds.departed.length;
  if (n === 0) return [];
  const hulls = hullsOf(bounds, 0, n);
  return isFeasible(hulls, DRIFT_LIMIT) ? [fitWindow(hulls, n, DRIFT_LIMIT)] : null;
}

function fitParts({ bounds, ends }: { bounds: ClockBounds; ends: number[] }): ClockWindow[] {
  const n = bounds.departed.length;
  if (ends.length === 1) return [fitWindow(hullsOf(bounds, 0, n), n, DRIFT_LIMIT)];
  if (ends.length >= MANY_WINDOWS && isFeasible(hullsOf(bounds, 0, n), WIDE_DRIFT_LIMIT))
    return [fitWindow(hullsOf(bounds, 0, n), n, WIDE_DRIFT_LIMIT)];
  return fitPieces(bounds, piecesOf(ends, windowStarts(bounds)));
}

/** Skips the few blocks that fit in no window: they contradict both clocks around them, so their join is wrong. */
function withoutStrays(bounds: ClockBounds): { bounds: ClockBounds; ends: number[] } {
  const ends = windowEnds(bounds);
  const isStray = new Uint8Array(bounds.departed.length);
  for (const [w, end] of ends.entries()) {
    const from = w === 0 ? 0 : ends[w - 1];
    if (end - from <= MOST_STRAYS) isStray.fill(1, from, end);
  }
  if (!isStray.includes(1) || !isStray.includes(0)) return { bounds, ends };
  const kept = boundsWhere(bounds, (k) => isStray[k] === 0);
  return { bounds: kept, ends: windowEnds(kept) };
}

/** Ends of the windows when each is as long as one line allows: the latest time of each change. */
function windowEnds(bounds: ClockBounds): number[] {
  const n = bounds.departed.length;
  const ends: number[] = [];
  for (let from = 0; from < n; from = ends.at(-1)!) {
    ends.push(from + longestThat(n - from, (length) => feasibleRange(bounds, from, from + length)));
  }
  return ends;
}

/** Starts of as many windows, each as long as one line allows from the end: the earliest time of each change. */
function windowStarts(bounds: ClockBounds): number[] {
  const starts: number[] = [];
  for (let to = bounds.departed.length; to > 0; to = starts.at(-1)!) {
    starts.push(to - longestThat(to, (length) => feasibleRange(bounds, to - length, to)));
  }
  return starts.toReversed();
}

/** Largest length up to `most` that fits, at least 1; every smaller length has to fit, too. */
function longestThat(most: number, fits: (length: number) => boolean): number {
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

/** Cuts the blocks into pieces with and without a possible change. */
function piecesOf(ends: readonly number[], starts: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const [k, end] of ends.entries()) {
    const earliest = starts[k + 1] ?? end;
    // The earliest start is after the window before, or else one window fewer would be enough; doubles may round the
    // difference away.
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
    const hardBound = Math.min(Math.max(...around), longestRoundTrip(bounds, pieces[i]));
    return { ...window, hardBound, errors: window.errors.map((error) => Math.max(error, hardBound)) };
  });
}

/**
 * No block's one-way time is off by more than its round trip, however its clock ran, since the line satisfies its
 * bounds.
 */
function longestRoundTrip(bounds: ClockBounds, { from, to }: Piece): number {
  let longest = 0;
  for (let k = from; k < to; k++) longest = Math.max(longest, roundTripOf(bounds, k));
  return longest;
}

/** Most that the clock of a neighboring window, carried on over this one, differs from this one's line, µs. */
function furthest(window: ClockWindow, { driftFeasible }: ClockWindow, hulls: Hulls): number {
  return Math.max(
    ...[window.from, window.to].map((t) => {
      const here = window.a + window.b * (t - window.t0) - hulls.base;
      const [least, most] = rangeAt(hulls, driftFeasible, t - hulls.t0);
      return Math.max(most - here, here - least);
    }),
  );
}
