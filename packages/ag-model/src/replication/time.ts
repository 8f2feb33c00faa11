/**
 * The one module that converts between FILETIME ticks, microseconds and ISO 8601.
 *
 * Ticks are 100 ns since 1601-01-01 UTC, as event timestamps are stored (xel-format 4.2).
 */

const TICKS_PER_MICROSECOND = 10n;
const TICKS_PER_SECOND = 10_000_000n;
const UNIX_EPOCH_TICKS = 116_444_736_000_000_000n;

/** Microseconds as whole ticks, rounded to the nearest 100 ns. Throws RangeError for NaN or infinity. */
export function microsecondsToTicks(us: number): bigint {
  return BigInt(Math.round(us * 10));
}

/** A difference of ticks as microseconds. */
export function ticksToMicroseconds(ticks: bigint): number {
  return Number(ticks / TICKS_PER_MICROSECOND) + Number(ticks % TICKS_PER_MICROSECOND) / 10;
}

/** UTC of FILETIME ticks as ISO 8601 with 7 decimals, e.g. 2016-05-06T03:31:57.2510000Z. */
export function ticksToIso(ticks: bigint): string {
  const unix = ticks - UNIX_EPOCH_TICKS;
  const fraction = ((unix % TICKS_PER_SECOND) + TICKS_PER_SECOND) % TICKS_PER_SECOND;
  const seconds = Number((unix - fraction) / TICKS_PER_SECOND);
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${whole}.${fraction.toString().padStart(7, "0")}Z`;
}

/** FILETIME ticks of an ISO 8601 instant in UTC, up to 7 decimals. Throws RangeError for text that is no instant. */
export function isoToTicks(iso: string): bigint {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z$/.exec(iso);
  if (!parts) throw new RangeError(`"${iso}" is not an instant in UTC such as 2016-05-06T03:31:57.2510000Z.`);
  const seconds = BigInt(Date.parse(`${parts[1]}Z`) / 1000);
  return seconds * TICKS_PER_SECOND + BigInt((parts[2] ?? "").padEnd(7, "0")) + UNIX_EPOCH_TICKS;
}
