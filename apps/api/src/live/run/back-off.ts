/** Pauses between attempts to connect: 1 s, doubling to 32 s, then a minute, each a little different so that replicas do not knock at once. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const JITTER = 0.2;

/** Pause before the attempt of that number, from 0, in ms. @param random 0..1 */
export function backOff(attempt: number, random: number = Math.random()): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(base * (1 + JITTER * (2 * random - 1)));
}
