/**
 * The clock that times are shown in: the only module that turns UTC into local time. Data are in UTC up to here
 * (docs/contribute/architecture.md).
 */
import { uiTexts as texts } from "../messages/ui.ts";

/** The clock of the times of a capture, or of a list; with `offset` axes count from the start of the capture, and clocks are UTC. */
export type Zone =
  | { readonly kind: "utc" | "offset" }
  /** `minutes` is the server clock's offset ahead of UTC; `name` is null where all servers agree. */
  | { readonly kind: "server"; readonly minutes: number; readonly name: string | null }
  /** `timeZone` is a name of IANA, such as Europe/Berlin. */
  | { readonly kind: "browser"; readonly timeZone: string };

export const UTC: Zone = { kind: "utc" };

/** The zone of this browser's clock. */
export function browserZone(): Zone {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { kind: "browser", timeZone };
}

const TICKS_PER_MINUTE = 600_000_000n;
/** Offsets of zones change at full quarters of an hour. */
const TICKS_PER_QUARTER = 15n * TICKS_PER_MINUTE;
const MS_PER_QUARTER = 900_000;
/** Milliseconds from 1601, where FILETIME counts from, to 1970. */
const MS_TO_1970 = 11_644_473_600_000;
/** Largest number of remembered quarters of an hour. */
const MOST_QUARTERS = 10_000;

const clocks = new Map<string, (quarter: number) => number>();

/** Offset of a zone ahead of UTC, minutes, by the quarter of an hour since 1601. */
function clockOf(timeZone: string): (quarter: number) => number {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const minutes = new Map<number, number>();
  const clock = (quarter: number): number => {
    const before = minutes.get(quarter);
    if (before !== undefined) return before;
    const parts = format.formatToParts(quarter * MS_PER_QUARTER - MS_TO_1970);
    const now = minutesOf(parts.find(({ type }) => type === "timeZoneName")?.value ?? "");
    if (minutes.size >= MOST_QUARTERS) minutes.clear();
    minutes.set(quarter, now);
    return now;
  };
  clocks.set(timeZone, clock);
  return clock;
}

const OFFSET = /(?:GMT|UTC)?\s*([+\u2212-])(\d{1,2})(?::?(\d{2}))?/u;

/** Minutes of an offset from UTC: `GMT+05:30`, `UTC-4`, `+02:00`; 0 for a text without one. */
export function minutesOf(text: string): number {
  const [, sign, hours, minutes = "0"] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === "+" ? 1 : -1) * (60 * Number(hours) + Number(minutes));
}

/** Minutes that a zone's clock is ahead of UTC. @param ticks FILETIME ticks of an instant, UTC */
export function minutesAt(zone: Zone | undefined, ticks: bigint): number {
  if (zone?.kind === "server") return zone.minutes;
  return zone?.kind === "browser" ? clockOf(zone.timeZone)(Number(ticks / TICKS_PER_QUARTER)) : 0;
}

/** FILETIME ticks that print as the zone's clock at this instant. @param ticks of the instant, UTC */
export const localTicks = (zone: Zone | undefined, ticks: bigint): bigint =>
  ticks + BigInt(minutesAt(zone, ticks)) * TICKS_PER_MINUTE;

/**
 * The instants at which a zone's clock shows a time, in order: two where the clock is set back; for a skipped time the
 * instant without the change.
 * @param local FILETIME ticks that print as that time
 */
export function instantsAt(zone: Zone | undefined, local: bigint): readonly bigint[] {
  // A zone is within a day of UTC, and its clock is moved once in that time at most.
  const before = local - BigInt(minutesAt(zone, local - TICKS_PER_DAY)) * TICKS_PER_MINUTE;
  const after = local - BigInt(minutesAt(zone, local + TICKS_PER_DAY)) * TICKS_PER_MINUTE;
  if (before === after) return [before];
  const shown = [before, after].filter((ticks) => localTicks(zone, ticks) === local);
  return shown.length === 0 ? [before] : shown.toSorted((a, b) => (a < b ? -1 : 1));
}

const TICKS_PER_DAY = 864_000_000_000n;

/** An offset from UTC: `UTC`, `UTC+2`, `UTC+5:30`, `UTC−4`. */
export function offsetName(minutes: number): string {
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const more = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "\u2212" : "+"}${hours}${more}`;
}

/** An instant by a zone's clock, as ISO 8601 without its zone: `2016-05-06T04:16:55`. @param iso UTC, ISO 8601 */
export function localIso(zone: Zone, iso: string): string {
  const minutes = minutesAtIso(zone, iso);
  if (minutes === 0) return iso.replace(/Z$/u, "");
  // Digits after the second stay unchanged: a Date has three.
  const seconds = new Date(Date.parse(iso) + minutes * 60_000).toISOString().slice(0, 19);
  return `${seconds}${iso.slice(19).replace(/Z$/u, "")}`;
}

/** Minutes that a zone's clock is ahead of UTC. @param iso UTC, ISO 8601 */
function minutesAtIso(zone: Zone, iso: string): number {
  const ticks = ticksOf(iso);
  return ticks === 0n ? 0 : minutesAt(zone, ticks);
}

/** FILETIME ticks of an instant, to the millisecond; 0 for an invalid text. @param iso UTC, ISO 8601 */
export function ticksOf(iso: string): bigint {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? 0n : BigInt(Math.floor(ms) + MS_TO_1970) * 10_000n;
}

/** An instant as ms since 1970. @param ticks FILETIME ticks, UTC */
export const msOf = (ticks: bigint): number => Number(ticks / 10_000n) - MS_TO_1970;

/** `UTC`, `UTC+2`: the clock of an instant. @param iso UTC, ISO 8601 */
export const zoneNameAt = (zone: Zone, iso: string): string => offsetName(minutesAtIso(zone, iso));

/** The clock of times of many days, for the head of a column. */
export const clockName = ({ kind }: Zone): string => (kind === "browser" ? texts.localTimePart : texts.utc);

/**
 * A time of day with its clock: `02:16 UTC`, from the 11th letter of an ISO 8601 text up to one after it.
 * @param iso UTC, ISO 8601
 */
export const instantText = (zone: Zone, iso: string, end = 16): string =>
  `${localIso(zone, iso).slice(11, end)} ${zoneNameAt(zone, iso)}`;

/** A day and a time of day with their clock: `2016-05-06 02:16 UTC`. @param iso UTC, ISO 8601 */
export const dayInstantText = (zone: Zone, iso: string, end = 16): string =>
  `${localIso(zone, iso).slice(0, 10)} ${instantText(zone, iso, end)}`;
