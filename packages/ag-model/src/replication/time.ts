/**
 * The one module that converts between FILETIME ticks (100 ns since 1601-01-01 UTC, as events are stamped) and
 * microseconds. Ticks as text and as milliseconds since 1970 are `xel-parser/format`'s.
 */

const TICKS_PER_MICROSECOND = 10n;

/** Microseconds as whole ticks, rounded to the nearest 100 ns. Throws RangeError for NaN or infinity. */
export function microsecondsToTicks(us: number): bigint {
  return BigInt(Math.round(us * 10));
}

/** Ticks of a column as microseconds after `base`. Reads the two words of each (little endian): no bigint is made per row. */
export function ticksAsMicroseconds(ticks: BigInt64Array, base: bigint): Float64Array {
  const low = new Uint32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const high = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const baseHigh = Number(base >> 32n);
  const baseLow = Number(BigInt.asUintN(32, base));
  const microseconds = new Float64Array(ticks.length);
  for (let i = 0; i < microseconds.length; i++) {
    const difference = (high[2 * i + 1] - baseHigh) * 2 ** 32 + (low[2 * i] - baseLow);
    const whole = Math.trunc(difference / 10);
    microseconds[i] = whole + (difference - 10 * whole) / 10;
  }
  return microseconds;
}

/** A difference of ticks as microseconds. */
export function ticksToMicroseconds(ticks: bigint): number {
  return Number(ticks / TICKS_PER_MICROSECOND) + Number(ticks % TICKS_PER_MICROSECOND) / 10;
}
