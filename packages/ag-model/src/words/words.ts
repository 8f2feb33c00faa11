/**
 * Numbers as text (docs/contribute/design.md 7). Number and unit are joined by a no-break space, so that a sentence never
 * breaks between them; a screen may replace it by a thin space.
 */
import { filetimeText } from "xel-parser/format";
import { microsecondsToTicks } from "../replication/clocks/time.ts";

const SPACE = "\u00A0";
const NONE = "\u2013";

/** A figure and its unit separately, so that a screen can draw units in a quieter color; an en dash has no unit. */
export interface Figure {
  readonly value: string;
  readonly unit: string;
}

/** A figure as text, the unit after the given space. */
export const figureText = ({ value, unit }: Figure, space: string): string =>
  unit === "" ? value : `${value}${space}${unit}`;

const absent = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined || !Number.isFinite(value);

/** Three significant digits of a number from 1 up to 1,000; trailing zeros stay, so columns keep their precision. */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

/** A duration in µs: `608` `µs`, `8.02` `ms`, `1.24` `s`, `2 min 05` `s`; en dash for no value. */
export function durationFigure(us: number | null | undefined): Figure {
  if (absent(us)) return { value: NONE, unit: "" };
  const size = Math.abs(us);
  // The counters tick in whole µs, so a duration under 10 µs has one significant digit and at most one more.
  if (size < 999.5) return { value: size < 10 ? trimmed(us) : us.toFixed(0), unit: "µs" };
  if (size < 999_500) return { value: threeDigits(us / 1e3), unit: "ms" };
  if (size < 59_950_000) return { value: threeDigits(us / 1e6), unit: "s" };
  return minutes(us);
}

function minutes(us: number): Figure {
  const seconds = Math.round(Math.abs(us) / 1e6);
  const sign = us < 0 ? "\u2212" : "";
  if (seconds < 3600) {
    return {
      value: `${sign}${Math.floor(seconds / 60)}${SPACE}min${SPACE}${twoDigits(seconds % 60)}`,
      unit: "s",
    };
  }
  const whole = Math.round(seconds / 60);
  return { value: `${sign}${Math.floor(whole / 60)}${SPACE}h${SPACE}${twoDigits(whole % 60)}`, unit: "min" };
}

const trimmed = (us: number): string => String(Number(us.toFixed(1)));

/** A duration in µs for a sentence: `608 µs`, `8.02 ms`; en dash for no value. */
export const formatDuration = (us: number | null): string => figureText(durationFigure(us), SPACE);

/** A duration for a sentence, where two digits are enough: `150 ms`, `0.6 ms`, `24 ms`; never µs above 100 µs. */
export function formatRoughly(us: number): string {
  if (!Number.isFinite(us)) return NONE;
  if (Math.abs(us) < 100) return formatDuration(us);
  if (Math.abs(us) < 999_500) return `${roundTo(us / 1e3)}${SPACE}ms`;
  if (Math.abs(us) >= 9_950_000 && Math.abs(us) < 59_500_000) return `${roundTo(us / 1e6)}${SPACE}s`;
  return formatDuration(us);
}

function roundTo(ms: number): string {
  if (Math.abs(ms) >= 9.95) return ms.toFixed(0);
  return String(Number(ms.toFixed(1)));
}

/** A fraction 0..1 in percent: `71` `%`, or with decimals `36.6` `%`; en dash for no value. */
export function percentFigure(fraction: number | null | undefined, decimals = 0): Figure {
  return absent(fraction)
    ? { value: NONE, unit: "" }
    : { value: (fraction * 100).toFixed(decimals), unit: "%" };
}

/** A fraction 0..1 in percent for a sentence. */
export const formatPercent = (fraction: number | null, decimals = 0): string =>
  figureText(percentFigure(fraction, decimals), SPACE);

/**
 * A part 0..1 of a total, in whole percent: `71` `%`. A part below 1 is never `100`, and a part above 0 never `0`:
 * `99.7` `%`, `over 99.9` `%`, `under 0.1` `%`.
 */
export function partFigure(part: number | null | undefined): Figure {
  if (absent(part) || part === 0 || part === 1) return percentFigure(part);
  if (part > 0.9995 && part < 1) return { value: "over 99.9", unit: "%" };
  if (part > 0 && part < 0.0005) return { value: "under 0.1", unit: "%" };
  return percentFigure(part, part >= 0.995 || part < 0.005 ? 1 : 0);
}

/** The same for a sentence. */
export const formatPart = (part: number | null): string => figureText(partFigure(part), SPACE);

const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/**
 * The form of a sentence's part by a number, with the number in place of `#`: `plural(3, "# file")` is `3 files`. The only place that
 * chooses between one and many.
 * @param many without it, `one` with an s
 */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  (count === 1 ? one : many).replace("#", formatCount(count));

/** A whole number with thousands separators: `1,108`; en dash for no value. */
export const formatCount = (n: number | null | undefined): string => (absent(n) ? NONE : counts.format(n));

/** Bytes in powers of ten: `512` `B`, `5.4` `MB`; en dash for no value. */
export function sizeFigure(bytes: number | null | undefined): Figure {
  if (absent(bytes)) return { value: NONE, unit: "" };
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return { value: unit === 0 || value >= 99.5 ? value.toFixed(0) : value.toFixed(1), unit: units[unit] };
}

/** ± a duration: `±0.24` `ms`. Always at least ms, as the design writes it. */
export function uncertaintyFigure(us: number | null | undefined): Figure {
  if (absent(us)) return { value: NONE, unit: "" };
  if (us < 1e6) return { value: `±${trimZeros(us / 1e3)}`, unit: "ms" };
  return { value: `±${threeDigits(us / 1e6)}`, unit: "s" };
}

/** ± a duration for a sentence. */
export const formatUncertainty = (us: number | null): string => figureText(uncertaintyFigure(us), SPACE);

function trimZeros(ms: number): string {
  return ms < 9.995 ? ms.toFixed(2) : threeDigits(ms);
}

const TICKS_PER_DAY = 864_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;

/**
 * UTC time of day of an instant, `02:17:28.371`: the only function that prints a time of day. Rounded to the nearest
 * shown value, as SQL Server rounds when it converts a datetime2 to fewer decimals, so that one instant has the same
 * text in a sentence, in a table and on an axis; a time that rounds up to midnight is 00:00:00.
 * @param origin FILETIME ticks of time 0; 0 when `us` counts from midnight itself
 * @param us µs from there
 * @param decimals digits after the second, 0 to 7
 */
export function formatTimeOfDay(origin: bigint, us: number, decimals = 0): string {
  const unit = 10n ** BigInt(7 - decimals);
  const ticks = modulo(origin + microsecondsToTicks(us), TICKS_PER_DAY);
  const rounded = (((ticks + unit / 2n) / unit) * unit) % TICKS_PER_DAY;
  const seconds = Number(rounded / TICKS_PER_SECOND);
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((n) => twoDigits(Math.floor(n)));
  const fraction = (rounded % TICKS_PER_SECOND).toString().padStart(7, "0").slice(0, decimals);
  return parts.join(":") + (decimals === 0 ? "" : `.${fraction}`);
}

/**
 * Two instants as times that differ as shown, where they differ at all: with tenths, milliseconds or microseconds where
 * these are needed.
 * @param print an instant with this number of digits after the second
 * @param fewest digits that both have in any case
 */
export function formatBoth(
  print: (us: number, decimals: number) => string,
  from: number,
  to: number,
  fewest = 0,
): readonly [string, string] {
  const both = (decimals: number): readonly [string, string] => [print(from, decimals), print(to, decimals)];
  const finer = DECIMALS_OF_TWO.filter((decimals) => decimals > fewest).map(both);
  return [both(fewest), ...finer].find(([first, last]) => first !== last) ?? both(fewest);
}

const DECIMALS_OF_TWO = [1, 3, 6];

/** The times of day of two instants, `formatTimeOfDay`, that differ as shown. @param origin FILETIME ticks of time 0 */
export const formatTimesOfDay = (origin: bigint, from: number, to: number): readonly [string, string] =>
  formatBoth((us, decimals) => formatTimeOfDay(origin, us, decimals), from, to);

/**
 * UTC day and time of an instant, `7 May 00:00:12.371`; rounded as `formatTimeOfDay` does.
 * @param origin FILETIME ticks of time 0
 * @param us µs from there
 * @param decimals digits after the second, 0 to 7
 */
export function formatDayAndTime(origin: bigint, us: number, decimals = 0): string {
  const unit = 10n ** BigInt(7 - decimals);
  const rounded = ((origin + microsecondsToTicks(us) + unit / 2n) / unit) * unit;
  return `${formatDay(rounded)} ${formatTimeOfDay(rounded, 0, decimals)}`;
}

/** UTC of an instant as files have it, to 100 ns: `2016-05-06T02:18:03.6166725Z`. Parameters as of `formatDayAndTime`. */
export const formatInstant = (origin: bigint, us: number): string =>
  filetimeText(origin + microsecondsToTicks(us));

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The UTC day of an instant, FILETIME ticks: `6 May 2016`. */
export function formatDate(ticks: bigint): string {
  const { year, month, day } = dateOf(ticks);
  return `${day} ${month} ${year}`;
}

/** The UTC day of an instant as ISO 8601 writes it, FILETIME ticks: `2016-05-06`. */
export const formatIsoDay = (ticks: bigint): string => filetimeText(ticks).slice(0, 10);

/** The UTC day of an instant within its year, FILETIME ticks: `6 May`, `21 Nov`. */
export function formatDay(ticks: bigint): string {
  const { month, day } = dateOf(ticks);
  return `${day} ${month.slice(0, 3)}`;
}

/** A UTC day in a sentence, ISO 8601: `3 November`. */
export function formatLongDay(isoDay: string): string {
  const [, month, day] = isoDay.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ""}`;
}

/** A UTC day on an axis, ISO 8601: `3 Nov`. */
export const formatShortDay = (isoDay: string): string => formatLongDay(isoDay).replace(/(\w{3})\w*$/u, "$1");

function dateOf(ticks: bigint): { readonly year: string; readonly month: string; readonly day: number } {
  const [year = "", month = "", day = ""] = formatIsoDay(ticks).split("-");
  return { year, month: MONTHS[Number(month) - 1] ?? "", day: Number(day) };
}
