/**
 * Numbers, units and times on screen (docs/contribute/design.md 7). The rules are the parser's (`xel-parser/words`), so
 * that a figure reads the same in a sentence and in a table; on screen a thin space is before the unit.
 */
import {
  durationFigure,
  formatBoth,
  formatCount,
  formatDay,
  formatDayAndTime,
  formatIsoDay,
  formatTimeOfDay,
  figureText,
  partFigure,
  percentFigure,
  sizeFigure,
  uncertaintyFigure,
  type Figure,
} from "@aglens/ag-model/words";
import { uiTexts as texts } from "../messages/ui.ts";
import { localTicks, minutesAt, offsetName, type Zone } from "./zone.ts";

export {
  durationFigure as formatDuration,
  formatCount,
  formatShortDay,
  percentFigure,
  sizeFigure as formatSize,
  type Figure,
} from "@aglens/ag-model/words";

const THIN = "\u2009";
const text = (figure: Figure): string => figureText(figure, THIN).replaceAll("\u00A0", THIN);

/** Words of the middle of a sentence, to begin one. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Text for a paragraph that wraps: a unit stays with its number. */
export const unbroken = (sentence: string): string => sentence.replaceAll(THIN, "\u00a0");

/** A duration in µs as text: `8.02 ms`. */
export const durationText = (us: number | null | undefined): string => text(durationFigure(us));

/** A share 0..1 as percent: without decimals in sentences (digits 0), one decimal in tables (digits 1). */
export const formatPercent = (share: number | null | undefined, digits = 0): string =>
  text(percentFigure(share, digits));

/** A part of a total as percent; `100` and `0` only for the total and for nothing: `71 %`, `99.7 %`. */
export const formatPart = (part: number | null | undefined): string => text(partFigure(part));

/** A size in bytes with powers of ten: `512 B`, `5.4 MB`. */
export const formatBytes = (bytes: number | null | undefined): string => text(sizeFigure(bytes));

/** Ratio of two figures, from 1 on: `2.1`, from ten on `12`, `2,514`. */
export const factorFigure = (times: number): string =>
  times < 9.95 ? times.toFixed(1) : formatCount(Math.round(times));

/** A clock uncertainty in µs: `±0.24 ms`. */
export const formatUncertainty = (us: number | null | undefined): string => text(uncertaintyFigure(us));

/**
 * A percentile rank 0..100: `p91`, above p99 with a decimal (`p99.4`), `max` for the largest; en dash for an unknown
 * rank.
 */
export function rankText(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "–";
  if (rank >= 100) return "max";
  return rank > 99 ? `p${(Math.floor(rank * 10) / 10).toFixed(1)}` : `p${Math.floor(rank)}`;
}

/** Data that the times of a capture are formatted by; every `Summary` has it. */
export interface CaptureTime {
  /** FILETIME ticks (100 ns) of the capture's origin. */
  readonly originTicks: string;
  /** From the first event to the last, µs. */
  readonly durationUs: number;
  /** The clock that its times are shown in; without one they are UTC, and axes have offsets. */
  readonly zone?: Zone;
}

/** Offsets in captures from this length on are written as a clock, µs. */
const CLOCK_OFFSETS_US = 600e6;

/** Whether offsets of a capture are hours, minutes and seconds; offsets of a shorter one are seconds. */
export const hasClockOffsets = ({ durationUs }: Pick<CaptureTime, "durationUs">): boolean =>
  durationUs >= CLOCK_OFFSETS_US;

/**
 * An offset from the capture's origin, in µs. The length of the capture decides the format of all of its offsets, so
 * that two of them never differ in their units: `+45.90 s` where it lasts less than ten minutes, otherwise
 * `+0:17:30.72` in hours, minutes and seconds. `stepUs` is the distance that must stay visible (an axis step); it
 * decides the decimals.
 */
export function formatOffset(capture: Pick<CaptureTime, "durationUs">, us: number, stepUs = 10_000): string {
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(stepUs / 1e6) - 1e-9)));
  const sign = us < 0 ? "−" : "+";
  const seconds = (Math.abs(us) / 1e6).toFixed(decimals);
  if (!hasClockOffsets(capture)) return `${sign}${seconds}${THIN}s`;
  const whole = Math.floor(Number(seconds));
  const fraction = decimals === 0 ? "" : seconds.slice(-decimals - 1);
  const parts = [(whole / 60) % 60, whole % 60].map((n) => String(Math.floor(n)).padStart(2, "0"));
  return `${sign}${Math.floor(whole / 3600)}:${parts.join(":")}${fraction}`;
}

const TICKS_PER_DAY = 864_000_000_000n;

const ticksAt = ({ originTicks }: CaptureTime, us: number): bigint =>
  BigInt(originTicks) + BigInt(Math.round(us * 10));

/** Whether a capture goes past midnight in its zone: its times then include their day. */
export function passesMidnight(capture: CaptureTime): boolean {
  const dayAt = (us: number): bigint => localTicks(capture.zone, ticksAt(capture, us)) / TICKS_PER_DAY;
  return dayAt(0) !== dayAt(capture.durationUs);
}

/** Whether the zone's clock changes during the capture: its times then include their offset from UTC. */
const movesClock = (capture: CaptureTime): boolean =>
  minutesAt(capture.zone, ticksAt(capture, 0)) !==
  minutesAt(capture.zone, ticksAt(capture, capture.durationUs));

/** The capture with its origin as the zone's clock shows it at an instant, for printers of UTC. */
export function localOrigin({ originTicks, zone }: CaptureTime, us: number): bigint {
  const origin = BigInt(originTicks);
  const ticks = origin + BigInt(Math.round(us * 10));
  return origin + localTicks(zone, ticks) - ticks;
}

/** Clock of an instant: `UTC`, `UTC+2`. */
export const clockAt = (capture: CaptureTime, us: number): string =>
  offsetName(minutesAt(capture.zone, ticksAt(capture, us)));

/**
 * Time in the capture's zone, for a time in µs after its origin: `02:17:42.371`, or `7 May 00:00:12.371` where the
 * capture passes midnight, with the offset from UTC where the clock changes meanwhile. `digits` are those after the
 * second, up to 7.
 */
export function formatTime(capture: CaptureTime, us: number, digits = 3): string {
  const print = passesMidnight(capture) ? formatDayAndTime : formatTimeOfDay;
  const time = print(localOrigin(capture, us), us, digits);
  return movesClock(capture) ? `${time} ${clockAt(capture, us)}` : time;
}

/** `formatTime` of two times, which differ as shown. @param fewest digits after the second that both have in any case */
export const formatTimes = (
  capture: CaptureTime,
  from: number,
  to: number,
  fewest = 0,
): readonly [string, string] => formatBoth((us, digits) => formatTime(capture, us, digits), from, to, fewest);

/** The clock of a capture's times, for the head of a column: `UTC`, `UTC+2`; `Local time` where each time has its own. */
export const zoneName = (capture: CaptureTime): string =>
  movesClock(capture) ? texts.localTime : clockAt(capture, 0);

/** Whether times with a choice are offsets from the start of the capture. */
export const showsOffsets = ({ zone }: CaptureTime): boolean => zone === undefined || zone.kind === "offset";

const withClock = (capture: CaptureTime, times: string): string =>
  movesClock(capture) ? times : `${times} ${clockAt(capture, 0)}`;

/** A time with its clock: `02:17:42.371 UTC`. */
export const formatInstant = (capture: CaptureTime, us: number, digits = 3): string =>
  withClock(capture, formatTime(capture, us, digits));

/** A range with its clock: `02:17:28 to 02:18:04 UTC`. @param fewest digits after the second that both have in any case */
export const formatRange = (capture: CaptureTime, from: number, to: number, fewest = 0): string =>
  withClock(capture, formatTimes(capture, from, to, fewest).join(" to "));

/** The same time in UTC, for a tip: `02:17:42.371 UTC`; undefined where it is shown in UTC. */
export function utcTip(capture: CaptureTime, us: number, digits = 3): string | undefined {
  const { originTicks, durationUs } = capture;
  return isLocal(capture) ? formatInstant({ originTicks, durationUs }, us, digits) : undefined;
}

/** Whether times are shown in another zone than UTC. */
export const isLocal = ({ zone }: CaptureTime): boolean =>
  zone?.kind === "server" || zone?.kind === "browser";

/** A day as people sort it, by the capture's zone: `2016-05-06`. */
export const formatDate = (capture: CaptureTime, us: number): string =>
  formatIsoDay(localTicks(capture.zone, ticksAt(capture, us)));

/** A day and a time to 100 ns, as spreadsheets read them: `2016-05-06 04:18:03.6166725`. */
export function formatDayTime(capture: CaptureTime, us: number): string {
  const time = `${formatDate(capture, us)} ${formatTimeOfDay(localOrigin(capture, us), us, 7)}`;
  return movesClock(capture) ? `${time} ${clockAt(capture, us)}` : time;
}

const SENTENCE_TIME =
  /(?<![\d:+])(?:(?<day>\d{1,2} [A-Z][a-z]{2}) )?(?<clock>\d{2}:\d{2}:\d{2})(?:\.(?<digits>\d+))?(?![\d:])/gu;
const DAY_US = 86_400e6;

/** A sentence of the model, whose times are UTC, with times of the capture's zone. */
export function timesInZone(capture: CaptureTime, sentence: string): string {
  if (!isLocal(capture)) return sentence;
  const originDay = Number((BigInt(capture.originTicks) / 10n) % BigInt(DAY_US));
  const days = Array.from({ length: Math.ceil(capture.durationUs / DAY_US) + 1 }, (_, n) => n * DAY_US);
  const inZone = (text: string, { groups = {}, index, 0: found }: RegExpMatchArray): string => {
    const { day, clock = "", digits = "" } = groups;
    const [hours = 0, minutes = 0, seconds = 0] = `${clock}.${digits}`.split(":").map(Number);
    const first = (hours * 3600 + minutes * 60 + seconds) * 1e6 - originDay;
    // Text is rounded: a time just before the origin is the origin's.
    const from = first < -1e6 ? first + DAY_US : first;
    const isDay = (us: number): boolean =>
      day === undefined || formatDay(ticksAt(capture, from + us)) === day;
    const time = formatTime(capture, from + (days.find(isDay) ?? 0), digits.length);
    return text.slice(0, index) + time + text.slice((index ?? 0) + found.length);
  };
  return Array.from(sentence.matchAll(SENTENCE_TIME)).reduceRight(inZone, sentence);
}
