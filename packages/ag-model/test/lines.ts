/**
 * Computes the possible straight lines between bounds by trying every corner: slow, and without any code of the
 * product's hulls and searches.
 */
import type { ClockBounds } from "../src/replication/clocks/clock-bounds.ts";

/** A bound of a line y = a + b x: above it (`side` 1: y <= value) or below it (-1: y >= value). */
interface Bound {
  readonly x: number;
  readonly value: number;
  readonly side: 1 | -1;
}

interface Line {
  readonly a: number;
  readonly b: number;
}

/** Rounding of doubles, µs, far below any relevant difference. */
const EPSILON = 1e-5;

/**
 * Bounds of blocks [from, to), each loosened by the whole µs that counters count. `x` counts from `t0`, values from `base`:
 * doubles are exact to a fraction of a µs then.
 */
function boundsOf(bounds: ClockBounds, from: number, to: number, t0: number, base: number): Bound[] {
  const all: Bound[] = [];
  for (let k = from; k < to; k++) {
    const upper = bounds.received[k] - bounds.departed[k] - base + 1;
    const lower = bounds.ackDeparted[k] - bounds.ackReceived[k] - base - 1;
    all.push({ x: bounds.departed[k] - t0, value: upper, side: 1 });
    all.push({ x: bounds.ackReceived[k] - t0, value: lower, side: -1 });
  }
  return all;
}

const holds = ({ a, b }: Line, { x, value, side }: Bound): boolean => side * (a + b * x - value) <= EPSILON;

/**
 * Corners of the set of lines (a, b) that satisfy every bound with a slope of up to `limit` either way: a line there
 * touches two bounds, or one at the limit. Empty when no line satisfies them.
 */
function cornersOf(all: readonly Bound[], limit: number): Line[] {
  const candidates: Line[] = [];
  for (const [i, one] of all.entries()) {
    for (const b of [-limit, limit]) candidates.push({ a: one.value - b * one.x, b });
    for (const other of all.slice(i + 1)) {
      if (other.x === one.x) continue;
      const b = (other.value - one.value) / (other.x - one.x);
      if (Math.abs(b) <= limit) candidates.push({ a: one.value - b * one.x, b });
    }
  }
  return candidates.filter((line) => all.every((bound) => holds(line, bound)));
}

/** All lines that satisfy the bounds of a run of blocks. */
export interface FeasibleLines {
  readonly drift: readonly [least: number, most: number];
  /** Widest band of lines of one slope, µs. */
  readonly width: number;
  /** Least and most value of any of the lines at an instant of the primary's clock, µs. */
  readonly at: (primary: number) => readonly [least: number, most: number];
}

/** The lines that satisfy blocks [from, to) with a drift of up to `limit` either way; null without such a line. */
export function feasibleLines(
  bounds: ClockBounds,
  limit: number,
  from = 0,
  to = bounds.departed.length,
): FeasibleLines | null {
  const t0 = bounds.departed[from];
  const base = bounds.received[from] - t0;
  const all = boundsOf(bounds, from, to, t0, base);
  const corners = cornersOf(all, limit);
  if (corners.length === 0) return null;
  const slopes = corners.map(({ b }) => b);
  // The width of the band is a roof over the slope; its top is at a slope at which one of the bounds changes.
  const breaks = all.flatMap((one) => all.filter(({ x, side }) => side === one.side && x > one.x).map((other) => (other.value - one.value) / (other.x - one.x))); // prettier-ignore
  const widthAt = (b: number): number =>
    Math.min(...all.filter(({ side }) => side === 1).map(({ x, value }) => value - b * x)) -
    Math.max(...all.filter(({ side }) => side === -1).map(({ x, value }) => value - b * x));
  const tops = [...breaks.filter((b) => Math.abs(b) <= limit), -limit, limit].map(widthAt);
  return {
    drift: [Math.min(...slopes), Math.max(...slopes)],
    width: Math.max(...tops),
    at: (primary) => {
      const values = corners.map(({ a, b }) => a + b * (primary - t0) + base);
      return [Math.min(...values), Math.max(...values)];
    },
  };
}
