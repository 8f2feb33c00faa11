/** Times as files write them. A time without a zone is read as if it were UTC; its reader subtracts the file's offset. */

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?\s*(Z|[+-]\d\d:\d\d)?$/u;
const US = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?$/u;

/** Time as written, in µs since 1970. */
export interface WrittenTime {
  readonly us: number;
  /** The text names its offset from UTC, which is subtracted. */
  readonly hasZone: boolean;
}

/** Reads `2026-05-14T02:16:30.123` or `2026-05-14 02:16:30.1234567 +02:00`; null for another text. */
export function isoTime(text: string): WrittenTime | null {
  const found = ISO.exec(text.trim());
  if (found === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const us = utc([year, month, day, hour, minute, second], fraction);
  return us === null ? null : { us: us - zoneUs(zone), hasZone: zone !== undefined };
}

/** Reads `05/14/2026 02:16:30.123`, month first, as performance counters have it, in µs; null for another text. */
export function counterTime(text: string): number | null {
  const found = US.exec(text.trim());
  if (found === null) return null;
  const [, month, day, year, hour, minute, second, fraction] = found;
  return utc([year, month, day, hour, minute, second], fraction);
}

/** A date that does not exist, such as February 30, is no time. */
function utc(parts: readonly (string | undefined)[], fraction = ""): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  const exists =
    date.getUTCDate() === day && date.getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  return exists ? ms * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6)) : null;
}

function zoneUs(zone: string | undefined): number {
  if (zone === undefined || zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return (zone.startsWith("-") ? -minutes : minutes) * 60e6;
}
