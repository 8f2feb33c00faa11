/** The usual delay of each weekday and hour, UTC, from minutes of the last four weeks (docs/contribute/model/watches.md 8.3). */
import { percentile } from "../numbers/index.ts";
import type { UsualDelay, WatchMinute } from "./shapes.ts";
import { DAY_MS, HOUR_MS, WEEK_MS } from "./times.ts";

const HOURS_OF_WEEK = 168;
/** 1 January 1970 was a Thursday: hours from the Sunday before it. */
const HOURS_FROM_SUNDAY = 4 * 24;
const WEEKS = 4;
/** Fewer days with polls show no usual. */
export const LEAST_DAYS = 7;
/** Fewer minutes in an hour of a weekday are too few: the same hour of all days takes their place. */
const LEAST_MINUTES = 30;

/** By hour of the week, UTC, from Sunday 00:00: 168 cells; null where the hour of all days has too few minutes also. */
export interface Usual {
  readonly cells: readonly (UsualDelay | null)[];
}

/** @param to end of the four weeks, ms since 1970 @returns null where fewer than LEAST_DAYS days have polls */
export function usualOf(minutes: readonly WatchMinute[], to: number): Usual | null {
  const from = to - WEEKS * WEEK_MS;
  const days = new Set<number>();
  const ofWeek = Array.from({ length: HOURS_OF_WEEK }, (): number[] => []);
  for (const { at, polls, delayMs } of minutes) {
    if (at < from || at >= to || polls === 0) continue;
    days.add(Math.floor(at / DAY_MS));
    if (delayMs !== null) ofWeek[hourOfWeek(at)].push(delayMs);
  }
  if (days.size < LEAST_DAYS) return null;
  const cells = ofWeek.map(spreadOf);
  const ofDay = Array.from({ length: 24 }, (_, hour) => {
    const isNeeded = cells.some((cell, index) => cell === null && index % 24 === hour);
    return isNeeded ? spreadOf(ofWeek.filter((_, index) => index % 24 === hour).flat()) : null;
  });
  return { cells: cells.map((cell, index) => cell ?? ofDay[index % 24]) };
}

/** The usual at a time; null where it is unknown. */
export const usualAt = (usual: Usual | null, at: number): UsualDelay | null =>
  usual?.cells[hourOfWeek(at)] ?? null;

const hourOfWeek = (at: number): number => {
  const hour = (Math.floor(at / HOUR_MS) + HOURS_FROM_SUNDAY) % HOURS_OF_WEEK;
  return hour < 0 ? hour + HOURS_OF_WEEK : hour;
};

/** Null for too few values. */
function spreadOf(delays: readonly number[]): UsualDelay | null {
  if (delays.length < LEAST_MINUTES) return null;
  const sorted = Float64Array.from(delays).sort();
  return { low: percentile(sorted, 10), median: percentile(sorted, 50), high: percentile(sorted, 90) };
}
