/**
 * The run's time between two pictures, so that the lanes move smoothly although only one picture arrives per second.
 */

/**
 * A picture that differs by this much from the expected time moves the view at once; smaller differences are corrected
 * gradually.
 */
const JUMP_US = 3e6;
const CATCH_UP = 0.15;

export interface NowClock {
  /** Reports that the run's time is `now` (µs) in a new picture; `at` is the page's own clock in ms. */
  report(now: number, at: number): void;
  /** The run's time at `at`, µs; never decreases between two jumps. */
  read(at: number): number;
}

/** Follows the primary's time: small differences of arrival are smoothed, so that the lanes do not jitter. */
export function nowClock(): NowClock {
  let offset = Number.NaN;
  let last = Number.NEGATIVE_INFINITY;
  return {
    report(now, at) {
      const reported = now - at * 1000;
      if (Number.isNaN(offset) || Math.abs(reported - offset) > JUMP_US) {
        offset = reported;
        last = Number.NEGATIVE_INFINITY;
      } else offset += (reported - offset) * CATCH_UP;
    },
    read(at) {
      last = Math.max(last, at * 1000 + offset);
      return last;
    },
  };
}
