/** A night that no server has: the example of the page without watches. */
import type { StripPicture } from "../../charts/watch/paint-strip.ts";

const HOUR_MS = 3_600_000;
const COLUMNS = 480;
/** 23 November 2026, 22:00 UTC. */
const FROM = Date.UTC(2026, 10, 23, 22);
const HOURS = 8;
/** The minutes of slow log writes, from 02:41. */
const SLOW = { first: 281, last: 284, ms: 21 } as const;

export const EXAMPLE_TIMES = {
  from: FROM,
  to: FROM + HOURS * HOUR_MS,
  hours: HOURS,
  limitMs: 15,
  triggerHours: 4 + 41.4 / 60,
  labels: [0, 2, 4, 6].map((hours) => ({
    hours,
    label: new Date(FROM + hours * HOUR_MS).toISOString().slice(11, 16),
  })),
} as const;

/** A value from -1 to 1 that looks random and is always the same. */
const noise = (i: number): number => 2 * ((Math.abs(Math.sin(i * 12.9898)) * 43_758.5453) % 1) - 1;

const delays = Array.from({ length: COLUMNS }, (_, minute) =>
  minute >= SLOW.first && minute <= SLOW.last
    ? SLOW.ms
    : 2.7 + 0.4 * Math.sin(minute / 70) + 0.6 * noise(minute),
);

export const EXAMPLE: StripPicture = {
  polls: {
    from: FROM,
    width: HOUR_MS / 60,
    delay: delays,
    longest: delays.map((ms, minute) => ms * (1.15 + 0.25 * Math.abs(noise(minute + 1_000)))),
    usualLow: delays.map(() => 2.3),
    usualHigh: delays.map(() => 3.6),
    polled: delays.map(() => 1),
  },
  marks: [
    { id: "example", at: FROM + EXAMPLE_TIMES.triggerHours * HOUR_MS, kind: "recorded", place: "secondary" },
  ],
  limitMs: EXAMPLE_TIMES.limitMs,
  now: EXAMPLE_TIMES.to,
};
