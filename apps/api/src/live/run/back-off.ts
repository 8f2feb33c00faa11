/**
 * Pauses between attempts to connect: 1 s, then 2 s for some three minutes, so that a replica that restarts is read again within seconds;
 * then doubling to a minute. Each is a little different, so that replicas do not knock at once.
 */
const FIRST_MS = 1_000;
const SOON_MS = 2_000;
const SOON_ATTEMPTS = 90;
const LONGEST_MS = 60_000;
const JITTER = 0.2;

/** Pause before the attempt of that number, from 0, in ms. @param random 0..1 */
export function backOff(attempt: number, random: number = Math.random()): number {
  return Math.round(baseMs(attempt) * (1 + JITTER * (2 * random - 1)));
}

function baseMs(attempt: number): number {
  if (attempt === 0) return FIRST_MS;
  return Math.min(LONGEST_MS, SOON_MS * 2 ** Math.max(0, attempt - SOON_ATTEMPTS));
}
