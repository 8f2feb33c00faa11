/** Logarithmic scales of durations: the one that all lanes and minimaps share, and the axis of a chart of latencies. */
import { scaleLog } from "d3-scale";

/**
 * Share of a lane's height for a duration, on a log scale from 0 (0.1 ms and less) to 1 (1 s and more); 0 for an
 * unknown one.
 * @param us duration, µs
 */
export const logHeight: (us: number) => number = scaleLog([100, 1_000_000], [0, 1]).clamp(true).unknown(0);

/** Leading digit of a positive number. */
const leadingDigit = (value: number): string => value.toExponential()[0];

/** The numbers 1, 2 and 5 times a power of ten from `low` to `high`, ascending. */
export function roundNumbers(low: number, high: number): number[] {
  // For such a small number of ticks the scale returns all multiples of each power of ten.
  const decades = Math.ceil(Math.log10(high / low)) + 1;
  return scaleLog()
    .domain([low, high])
    .ticks(decades)
    .filter((value) => "125".includes(leadingDigit(value)));
}

/**
 * Range of durations that contains all of `values`: outwards to round numbers, at least a decade; 5 ms to 1 s without
 * values, µs.
 */
export function durationDomain(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const value of values) {
    if (!(value > 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high === 0) return [5_000, 1_000_000];
  const top = roundNumbers(high, 10 * high)[0];
  const bottom = roundNumbers(low / 10, low).at(-1)!;
  return top / bottom >= 10 ? [bottom, top] : [top / 10, top];
}
