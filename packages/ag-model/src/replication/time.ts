/**
 * The one module that converts between FILETIME ticks (100 ns since 1601-01-01 UTC, as events are stamped) and
 * microseconds. Ticks as text and as milliseconds since 1970 are `xel-parser/format`'s.
 */
import { ticksAfter } from "../events/index.ts";

const TICKS_PER_MICROSECOND = 10n;

/** Microseconds as whole ticks, rounded to the nearest 100 ns. Throws RangeError for NaN or infinity. */
export function microsecondsToTicks(us: number): bigint {
  return BigInt(Math.round(us * 10));
}

/** Ticks of a column as microseconds after `base`. */
export function ticksAsMicroseconds(ticks: BigInt64Array, base: bigint): Float64Array {
  const microseconds = ticksAfter(ticks, base);
  for (let i = 0; i < microseconds.length; i++) {
    const difference = microseconds[i];
    const whole = Math.trunc(difference / 10);
    microseconds[i] = whole + (difference - 10 * whole) / 10;
  }
  return microseconds;
}

/** A difference of ticks as microseconds. */
export function ticksToMicroseconds(ticks: bigint): number {
  return Number(ticks / TICKS_PER_MICROSECOND) + Number(ticks % TICKS_PER_MICROSECOND) / 10;
}
