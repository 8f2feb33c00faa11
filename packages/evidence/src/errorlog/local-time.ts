/** Local time of an ERRORLOG to UTC, also where summer time begins or ends inside the file. */

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;
/** A clock that is set back for winter time goes back by an hour less the time since the entry before. */
const LEAST_BACK = 30 * MINUTE_US;
/** 1970-01-01 was a Thursday. */
const SUNDAY = 3;

/** Converts the times of one file, in the order of its entries. */
export class LocalTime {
  #offset: number | null;
  /** Offset of the file that SQL Server wrote after this one; null where it isn't known. */
  readonly #next: number | null;
  #before = Number.NaN;

  /** Both in minutes that local time is ahead of UTC; null where it isn't known. */
  constructor(offset: number | null, next: number | null = null) {
    this.#offset = offset;
    this.#next = next;
  }

  /** A head inside the file, as the first lines of each ERRORLOG have it. */
  takeAdjustment(minutes: number): void {
    this.#offset = minutes;
  }

  /** Time in µs since 1970 (UTC); null where the offset isn't known. */
  utcOf(localUs: number): number | null {
    const before = this.#before;
    this.#before = localUs;
    if (this.#offset === null) return null;
    const forward = localUs - before;
    if (forward <= -LEAST_BACK && forward >= -HOUR_US) this.#offset -= 60;
    else if (
      this.#next !== null &&
      Math.abs(this.#next - this.#offset) === 60 &&
      passesChange(before, localUs, this.#offset)
    )
      this.#offset = this.#next;
    return localUs - this.#offset * MINUTE_US;
  }
}

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

/** Whether a night when clocks are changed is between two entries, with none of them from 2:00 to 3:00. */
function passesChange(before: number, after: number, offset: number): boolean {
  const sunday = (Math.floor(after / DAY_US / 7 - SUNDAY / 7) * 7 + SUNDAY) * DAY_US;
  if (!(before < sunday + 2 * HOUR_US && after >= sunday + 3 * HOUR_US)) return false;
  const date = new Date(sunday / 1000);
  const changes = offset <= AMERICA_MINUTES ? AMERICAN_CHANGES : OTHER_CHANGES;
  return changes.some(
    ([month, first, last]) =>
      date.getUTCMonth() + 1 === month && date.getUTCDate() >= first && date.getUTCDate() <= last,
  );
}
