/**
 * Numbers, units and times on screen (docs/design.md 7). The rules are the parser's (`xel-parser/words`), so that a
 * figure reads the same in a sentence and in a table; on screen a thin space stands before the unit.
 */
import {
  durationFigure,
  formatBoth,
  formatCount,
  formatDayAndTime,
  formatTimeOfDay,
  figureText,
  partFigure,
  percentFigure,
  sizeFigure,
  uncertaintyFigure,
  type Figure,
} from "@aglens/ag-model/words";

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

/** Text for a paragraph that wraps: a unit never parts from its number. */
export const unbroken = (sentence: string): string => sentence.replaceAll(THIN, "\u00a0");

/** A duration in µs as text: `8.02 ms`. */
export const durationText = (us: number | null | undefined): string => text(durationFigure(us));

/** A share 0..1 as percent: whole in sentences (digits 0), one decimal in tables (digits 1). */
export const formatPercent = (share: number | null | undefined, digits = 0): string =>
  text(percentFigure(share, digits));

/** A part of a whole as percent, `100` and `0` of all and nothing alone: `71 %`, `99.7 %`. */
export const formatPart = (part: number | null | undefined): string => text(partFigure(part));

/** A size in bytes with powers of ten: `512 B`, `5.4 MB`. */
export const formatBytes = (bytes: number | null | undefined): string => text(sizeFigure(bytes));

/** How many times one figure goes into another, from 1 on: `2.1`, from ten on `12`, `2,514`. */
export const factorFigure = (times: number): string =>
  times < 9.95 ? times.toFixed(1) : formatCount(Math.round(times));

/** A clock uncertainty in µs: `±0.24 ms`. */
export const formatUncertainty = (us: number | null | undefined): string => text(uncertaintyFigure(us));

/** A percentile rank 0..100: `p91`, above p99 with a decimal (`p99.4`), `max` for the largest; en dash for none. */
export function rankText(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "–";
  if (rank >= 100) return "max";
  return rank > 99 ? `p${(Math.floor(rank * 10) / 10).toFixed(1)}` : `p${Math.floor(rank)}`;
}

/** What the times of a capture are written by; every `Summary` has it. */
export interface CaptureTime {
  /** FILETIME ticks (100 ns) of the capture's origin. */
  readonly originTicks: string;
  /** From the first event to the last, µs. */
  readonly durationUs: number;
}

/** Offsets in captures from this length on are written as a clock, µs. */
const CLOCK_OFFSETS_US = 600e6;

/** Whether offsets of a capture are hours, minutes and seconds; those of a shorter one are seconds. */
export const hasClockOffsets = ({ durationUs }: Pick<CaptureTime, "durationUs">): boolean =>
  durationUs >= CLOCK_OFFSETS_US;

/**
 * An offset from the capture's origin, in µs. The length of the capture decides how all of its offsets are written, so
 * that two of them never differ in their units: `+45.90 s` where it lasts less than ten minutes, else `+0:17:30.72` in hours,
 * minutes and seconds.
 * `stepUs` is the distance that must stay visible (an axis step); it decides the decimals.
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

/** Whether a capture lasts from one UTC day into another: its times then carry their day. */
export function passesMidnight({ originTicks, durationUs }: CaptureTime): boolean {
  const first = BigInt(originTicks);
  const last = first + BigInt(Math.round(durationUs * 10));
  return first / TICKS_PER_DAY !== last / TICKS_PER_DAY;
}

/**
 * UTC time of a time in µs after the capture's origin: `02:17:42.371`, or `7 May 00:00:12.371` where the capture passes
 * midnight. `digits` are those after the second, up to 7.
 */
export function formatUtc(capture: CaptureTime, us: number, digits = 3): string {
  const print = passesMidnight(capture) ? formatDayAndTime : formatTimeOfDay;
  return print(BigInt(capture.originTicks), us, digits);
}

/** `formatUtc` of two times, which differ as shown. @param fewest digits after the second that both have in any case */
export const formatUtcs = (
  capture: CaptureTime,
  from: number,
  to: number,
  fewest = 0,
): readonly [string, string] => formatBoth((us, digits) => formatUtc(capture, us, digits), from, to, fewest);
