import { MAX_FILETIME } from "./constants.ts";
import { Damage } from "./errors.ts";

/** Clock of a package: FILETIME of tick 0 and ticks per second. */
export interface PackageClock {
  readonly start: bigint;
  readonly frequency: bigint;
}

const UNIX_EPOCH_MILLISECONDS = 11_644_473_600_000n;
const EXACT_FREQUENCY = 10_000_000n;
const SAFE_TICKS = 9_007_199_254_740_992n;

/**
 * FILETIME (UTC, 100 ns) of an event's ticks, with the reference reader's own double arithmetic (xel-format 6).
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

/** ISO 8601 UTC with 7 decimals and `Z`, of a FILETIME between the years 1601 and 9999. */
export function filetimeText(filetime: bigint): string {
  const milliseconds = Number(filetime / 10_000n - UNIX_EPOCH_MILLISECONDS);
  const seconds = new Date(milliseconds).toISOString().slice(0, 19);
  const fraction = (filetime % 10_000_000n).toString().padStart(7, "0");
  return `${seconds}.${fraction}Z`;
}
