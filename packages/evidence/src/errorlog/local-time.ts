/** Local time of an ERRORLOG to UTC, also where summer time begins or ends inside the file. */
import { isOffset, type EvidenceEvent } from "../shapes.ts";

/** A night in which clocks are changed, between two entries of a file: whether they were, the next file shows. */
export interface ChangeNight {
  /** Line of the first entry after it. */
  readonly line: number;
  /** Line of a head after it, from which the offset is stated again; null without one. */
  readonly untilLine: number | null;
  /** Minutes that local time is ahead of UTC; of a file without an offset, compared with its beginning. */
  readonly offsetMinutes: number;
  readonly isAmerican: boolean;
}

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;
/** A clock that is set back for winter time goes back by an hour less the time since the entry before. */
const LEAST_BACK = 30 * MINUTE_US;
/** 1970-01-01 was a Thursday. */
const SUNDAY = 3;

/** Years of a file; a damaged one may seem to have more nights. */
export const MOST_NIGHTS = 100;

/** Converts the times of one file, in the order of its entries. */
export class LocalTime {
  nights: ChangeNight[] = [];
  #offset = 0;
  #isStated = false;
  #before = Number.NaN;

  /** A head inside the file, as the first lines of each ERRORLOG have it. @returns minutes from the offset before */
  takeAdjustment(minutes: number, line: number): number {
    const change = minutes - this.#offset;
    this.#offset = minutes;
    // Before the first head, no night can be compared with the next file.
    this.nights = this.#isStated
      ? this.nights.map((night) => ({ ...night, untilLine: night.untilLine ?? line }))
      : [];
    this.#isStated = true;
    return change;
  }

  /** Time in µs since 1970 (UTC); of the local clock as it was at the beginning, where no head came before. */
  utcOf(localUs: number, line: number): number {
    const before = this.#before;
    this.#before = localUs;
    const forward = localUs - before;
    if (forward <= -LEAST_BACK && forward >= -HOUR_US) this.#offset -= 60;
    else if (forward > 0 && this.nights.length < MOST_NIGHTS) {
      const isAmerican = changeBetween(before, localUs);
      if (isAmerican !== null && isOffset(this.#offset))
        this.nights.push({ line, untilLine: null, offsetMinutes: this.#offset, isAmerican });
    }
    return localUs - this.#offset * MINUTE_US;
  }
}

/** Offsets that place the events of a file on UTC, in minutes that local time is ahead of it. */
export interface Offsets {
  /** Offset of a file that doesn't state it; 0 for one that does, so that its times are UTC already. */
  readonly own: number;
  /** Offset of the file that SQL Server wrote after this one; null where it isn't known. */
  readonly next: number | null;
}

/** The events of a file in UTC: moved by the offsets, and from a night of change on where the next file shows it. */
export function inUtc(
  events: readonly EvidenceEvent[],
  nights: readonly ChangeNight[],
  { own, next }: Offsets,
): readonly EvidenceEvent[] {
  const changes: ChangeNight[] = [];
  for (const night of nights) {
    const earlier = changes.at(-1);
    const moved = earlier !== undefined && isIn(earlier, night.line) ? earlier.offsetMinutes : 0;
    const now = own + night.offsetMinutes + moved;
    if (next === null || Math.abs(next - now) !== 60 || isAmericanOffset(now) !== night.isAmerican) continue;
    changes.push({ ...night, offsetMinutes: moved + next - now });
  }
  if (own === 0 && changes.length === 0) return events;
  return events.map((event) => {
    const line = event.sources[0]!.place;
    const minutes = own + (changes.findLast((change) => isIn(change, line))?.offsetMinutes ?? 0);
    return movedEvent(event, -minutes * MINUTE_US);
  });
}

const isIn = ({ line, untilLine }: ChangeNight, at: number): boolean =>
  at >= line && (untilLine === null || at < untilLine);

/** An event with its times moved, in µs. */
export const movedEvent = (event: EvidenceEvent, us: number): EvidenceEvent => ({
  ...event,
  atUs: event.atUs + us,
  fromUs: event.fromUs === null ? null : event.fromUs + us,
});

/** Days of a month on which the Sunday of a change may be: [month from 1, first day, last day]. */
const AMERICAN_CHANGES = [
  [3, 8, 14],
  [11, 1, 7],
] as const;
const OTHER_CHANGES = [
  [3, 25, 31],
  [10, 25, 31],
  [4, 1, 7],
  [9, 24, 30],
  [10, 1, 7],
] as const;
const AMERICA_MINUTES = -120;
const isAmericanOffset = (minutes: number): boolean => minutes <= AMERICA_MINUTES;

/**
 * Whether a night when clocks are changed is between two entries, with none of them from 2:00 to 3:00: true for one of
 * America, false for another one, null for none.
 */
function changeBetween(before: number, after: number): boolean | null {
  const sunday = (Math.floor(after / DAY_US / 7 - SUNDAY / 7) * 7 + SUNDAY) * DAY_US;
  if (!(before < sunday + 2 * HOUR_US && after >= sunday + 3 * HOUR_US)) return null;
  const date = new Date(sunday / 1000);
  const isOneOf = (changes: readonly (readonly [month: number, first: number, last: number])[]): boolean =>
    changes.some(
      ([month, first, last]) =>
        date.getUTCMonth() + 1 === month && date.getUTCDate() >= first && date.getUTCDate() <= last,
    );
  if (isOneOf(AMERICAN_CHANGES)) return true;
  return isOneOf(OTHER_CHANGES) ? false : null;
}
