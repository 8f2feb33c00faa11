/** Midnights of a zone on the axis of a strip. */
import { instantsAt, localIso, localTicks, msOf, ticksOf, type Zone } from "../../ui/zone.ts";
import { formatShortDay } from "../../ui/words.ts";

export interface DayTick {
  /** ms since 1970. */
  readonly at: number;
  /** `Tue 24 Nov` */
  readonly label: string;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const TICKS_PER_DAY = 864_000_000_000n;

/** The weekday and day of a time in a zone: `Tue 24 Nov`. @param at ms since 1970 */
export function dayText(zone: Zone, at: number): string {
  const day = localIso(zone, new Date(at).toISOString()).slice(0, 10);
  return `${WEEKDAYS[new Date(day).getUTCDay()]} ${formatShortDay(day)}`;
}

/** Midnight of a day by a zone's clock, ms since 1970. @param day ISO 8601 @param later days after it */
export function midnightOf(zone: Zone, day: string, later = 0): number {
  const [ticks = 0n] = instantsAt(zone, ticksOf(`${day}T00:00:00Z`) + BigInt(later) * TICKS_PER_DAY);
  return msOf(ticks);
}

/** Midnights from one time to another, where a day may have 23 or 25 hours. */
export function dayTicks(zone: Zone, from: number, to: number): DayTick[] {
  const first = localTicks(zone, ticksOf(new Date(from).toISOString())) / TICKS_PER_DAY;
  const days = Math.ceil((to - from) / 86_400_000) + 1;
  return Array.from({ length: days }, (_, i) => {
    const [ticks = 0n] = instantsAt(zone, (first + BigInt(i)) * TICKS_PER_DAY);
    const at = msOf(ticks);
    return { at, label: dayText(zone, at) };
  }).filter(({ at }) => at >= from && at <= to);
}
