import { MAX_FILETIME } from "./constants.ts";
import { Damage } from "./errors.ts";

/** Clock of a package: FILETIME of tick 0 and ticks per second. */
export interface PackageClock {
  readonly start: bigint;
  readonly frequency: bigint;
}

/** FILETIME of 1970-01-01T00:00:00Z. */
const UNIX_EPOCH = 116_444_736_000_000_000n;
const TICKS_PER_MS = 10_000n;
const TICKS_PER_US = 10n;
const EXACT_FREQUENCY = 10_000_000n;
const SAFE_TICKS = 9_007_199_254_740_992n;

/**
 * FILETIME (UTC, 100 ns) of an event's ticks, with the reference reader's own double arithmetic (docs/reference/xel-format.md 6).
 * Throws Damage `bad-time` when the result is no FILETIME.
 */
export function filetimeOf(clock: PackageClock, ticks: bigint): bigint {
  const filetime = clock.start + elapsed(clock.frequency, ticks);
  if (filetime < 0n || filetime > MAX_FILETIME) {
    throw new Damage("bad-time", "its time is outside the years 1601 to 9999");
  }
  return filetime;
}

function elapsed(frequency: bigint, ticks: bigint): bigint {
  if (frequency === 0n) return ticks;
  if (frequency === EXACT_FREQUENCY && ticks <= SAFE_TICKS && ticks >= -SAFE_TICKS) return ticks;
  return BigInt(Math.trunc(Number(ticks) * (1e7 / Number(frequency))));
}

/** FILETIME of an instant in whole milliseconds since 1970 (UTC), as in `Date`; a fraction is rounded. */
export const filetimeOfUnixMs = (ms: number): bigint => BigInt(Math.round(ms)) * TICKS_PER_MS + UNIX_EPOCH;

/** FILETIME of an instant in whole microseconds since 1970 (UTC), as in databases. */
export const filetimeOfUnixUs = (us: bigint): bigint => us * TICKS_PER_US + UNIX_EPOCH;

/** Milliseconds since 1970 (UTC) of a FILETIME; 100 ns are 0.0001. */
export function unixMsOf(filetime: bigint): number {
  const ticks = filetime - UNIX_EPOCH;
  return Number(ticks / TICKS_PER_MS) + Number(ticks % TICKS_PER_MS) / Number(TICKS_PER_MS);
}

/** ISO 8601 UTC with 7 decimals and `Z`, of a FILETIME between the years 1601 and 9999. */
export function filetimeText(filetime: bigint): string {
  const milliseconds = Number((filetime - UNIX_EPOCH - (filetime % TICKS_PER_MS)) / TICKS_PER_MS);
  const seconds = new Date(milliseconds).toISOString().slice(0, 19);
  const fraction = (filetime % 10_000_000n).toString().padStart(7, "0");
  return `${seconds}.${fraction}Z`;
}
