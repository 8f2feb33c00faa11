/**
 * The one module that converts between FILETIME ticks (100 ns since 1601-01-01 UTC, as events are stamped) and
 * microseconds. Ticks as text and as milliseconds since 1970 are `xel-parser/format`'s.
 */
import { filetimeOfUnixMs } from "xel-parser/format";

/** Ticks of 100 ns in a microsecond. */
export const TICKS_PER_US = 10;

/** Microseconds as whole ticks, rounded to the nearest 100 ns. Throws RangeError for NaN or infinity. */
export function microsecondsToTicks(us: number): bigint {
  return BigInt(Math.round(us * TICKS_PER_US));
}

/** A difference of ticks in microseconds, which a double represents exactly. */
export function microsecondsOfTicks(ticks: number): number {
  const whole = Math.trunc(ticks / TICKS_PER_US);
  return whole + (ticks - TICKS_PER_US * whole) / TICKS_PER_US;
}

/** A difference of ticks as microseconds. */
export function ticksToMicroseconds(ticks: bigint): number {
  const whole = ticks / BigInt(TICKS_PER_US);
  return Number(whole) + Number(ticks - whole * BigInt(TICKS_PER_US)) / TICKS_PER_US;
}

/**
 * Instants of a capture as whole µs since 1970 (UTC).
 * @param origin FILETIME ticks @param instants µs from it @param missing value for NaN
 */
export function microsecondsSince1970(
  origin: bigint,
  instants: Float64Array,
  missing: bigint,
): BigInt64Array {
  const ticks = origin - filetimeOfUnixMs(0);
  const base = ticks / BigInt(TICKS_PER_US);
  const rest = Number(ticks % BigInt(TICKS_PER_US)) / TICKS_PER_US;
  const since = new BigInt64Array(instants.length);
  for (let i = 0; i < instants.length; i++)
    since[i] = Number.isNaN(instants[i]) ? missing : base + BigInt(Math.round(instants[i] + rest));
  return since;
}
