import { formatCount } from "../ui/words.ts";

/** Over less than this a rate would be made of a handful of blocks, and of where the stretch happens to begin. */
const LEAST_RATE_US = 1_000_000;

/** "100", "6.0" below ten; null over less than a second. @param us length of the stretch */
export function ratePerSecond(count: number, us: number): string | null {
  if (us < LEAST_RATE_US) return null;
  const perSecond = (count / us) * 1e6;
  return perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}
