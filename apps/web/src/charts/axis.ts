/** Ticks and labels of time axes (1, 2, 5 steps; docs/contribute/design.md 7) and of logarithmic axes of durations. */
import { formatDay, formatIsoDay, formatTimeOfDay } from "@aglens/ag-model/words";
import { range, ticks, tickStep } from "d3-array";
import {
  type CaptureTime,
  clockAt,
  formatInstant,
  formatOffset,
  hasClockOffsets,
  localOrigin,
  passesMidnight,
  showsOffsets,
} from "../ui/words.ts";
import { roundNumbers } from "./duration-scale.ts";

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
const LONGEST_DECIMAL = 20 * SECOND;

export interface Tick {
  /** µs on the axis. */
  readonly at: number;
  readonly label: string;
}

export interface TimeAxis {
  readonly ticks: readonly Tick[];
  /** µs between two ticks. */
  readonly step: number;
  /** Time from which the labels count, for the left end, below 1 s in view; otherwise null. */
  readonly base: string | null;
}

/** µs since midnight of an origin, from FILETIME ticks (100 ns). */
export function originInDay(originTicks: string | bigint): number {
  return Number((BigInt(originTicks) / 10n) % BigInt(DAY));
}

/** Clock time of an instant, µs since midnight: `02:17:40`, with as many decimals as `step` (µs) needs. */
export const clockLabel = (inDay: number, step: number): string =>
  formatTimeOfDay(0n, inDay, step >= SECOND ? 0 : step >= 1000 ? 3 : 6);

const trimmed = (value: number): string => String(Number(value.toFixed(6)));

/**
 * Offset from the capture's origin: `+40 s`, in a long capture `+0:17:30`. A later label there that is in the same
 * minute as the one before skips hours and minutes: `:35`.
 */
function offsetLabel(capture: CaptureTime, us: number, step: number, isFirst: boolean): string {
  const isLong = hasClockOffsets(capture);
  if (us === 0) return isLong ? "0:00:00" : "0 s";
  if (!isLong) return `${us > 0 ? "+" : "−"}${trimmed(Math.abs(us) / SECOND)} s`;
  const whole = formatOffset(capture, us, Math.min(step, SECOND));
  const startsMinute = step >= MINUTE || Math.abs(us - Math.round(us / MINUTE) * MINUTE) < 1;
  return isFirst || startsMinute ? whole : whole.slice(whole.lastIndexOf(":"));
}

/** Clock time on an axis; the first instant of a day names the day where there are several. */
function timeLabel(capture: CaptureTime, us: number, step: number): string {
  const origin = localOrigin(capture, us);
  const inDay = us + originInDay(origin);
  const day = Math.round(inDay / DAY);
  if (passesMidnight(capture) && Math.abs(inDay - day * DAY) < 1) return dayLabel(capture, origin, us);
  return clockLabel(inDay, step);
}

/** `7 May`, with its year where that day may be one of several. @param origin ticks that print as the origin's local time */
function dayLabel({ durationUs }: CaptureTime, origin: bigint, us: number): string {
  const ticksAt = (at: number): bigint => origin + BigInt(Math.round(at * 10));
  const yearAt = (at: number): string => formatIsoDay(ticksAt(at)).slice(0, 4);
  const isOneYear = yearAt(0) === yearAt(durationUs);
  return isOneYear ? formatDay(ticksAt(us)) : `${formatDay(ticksAt(us))} ${yearAt(us)}`;
}

/** Distance from a round instant: `+10 ms`, `+0.2 ms`; `+250 µs` where less than 1 ms is in view. */
function fineLabel(us: number, span: number): string {
  return span >= 1000 ? `+${trimmed(us / 1000)} ms` : `+${trimmed(us)} µs`;
}

/**
 * Time ticks of [from, to] (µs from the origin). Above 1 s in view they show the clock of the capture's zone, or offsets from
 * the origin where these are chosen; below 1 s they count from a round time and are multiples of the clock's.
 * `most` bounds the number of labels.
 */
export function timeAxis(from: number, to: number, capture: CaptureTime, most = 12): TimeAxis {
  const span = to - from;
  if (!(span > 0)) return { ticks: [], step: 0, base: null };
  const labels = labelsWithin(most);
  if (span < SECOND) return fineAxis(from, to, capture, labels);
  if (showsOffsets(capture)) {
    const { step, instants } = timeTicks(from, to, labels);
    const label = (at: number, i: number): string => offsetLabel(capture, at, step, i === 0);
    return { ticks: instants.map((at, i) => ({ at, label: label(at, i) })), step, base: null };
  }
  const { ticks, step } = clockAxis(from, to, originInDay(localOrigin(capture, from)), labels);
  const label = (at: number, before: number | undefined): string => {
    const clock = clockAt(capture, at);
    const isMoved = before !== undefined && clockAt(capture, before) !== clock;
    return `${timeLabel(capture, at, step)}${isMoved ? ` ${clock}` : ""}`;
  };
  return { ticks: ticks.map(({ at }, i) => ({ at, label: label(at, ticks[i - 1]?.at) })), step, base: null };
}

/**
 * Ticks of [from, to] (µs from an origin) that show the clock.
 * @param originDay µs since midnight at the origin
 * @param most bounds the number of labels
 */
export function clockAxis(
  from: number,
  to: number,
  originDay: number,
  most: number,
): Pick<TimeAxis, "ticks" | "step"> {
  const { step, instants } = timeTicks(from + originDay, to + originDay, labelsWithin(most));
  return {
    ticks: instants.map((inDay) => ({ at: inDay - originDay, label: clockLabel(inDay, step) })),
    step,
  };
}

const labelsWithin = (most: number): number => Math.max(2, Math.min(12, Math.floor(most)));

/** Between two labels, px. */
const LABEL_GAP_PX = 6;

/** Labels in their order without those that would touch the one before; `from` and `to` are the edges of each, px. */
export function apart<T extends { readonly from: number; readonly to: number }>(labels: readonly T[]): T[] {
  let end = Number.NEGATIVE_INFINITY;
  return labels.filter(({ from, to }) => {
    if (from < end + LABEL_GAP_PX) return false;
    end = to;
    return true;
  });
}

/** µs between two ticks, and where they are, ascending. */
interface TimeTicks {
  readonly step: number;
  readonly instants: readonly number[];
}

/**
 * Ticks 1, 2 or 5 times a power of ten of a unit apart: the finest step that leaves room for `most` labels. D3 returns
 * about the requested number, at times half as many again: then a smaller number is requested.
 */
function decimalTicks(from: number, to: number, most: number, unit = 1): TimeTicks {
  const [first, last] = [from / unit, to / unit];
  let count = most;
  while (count > 1 && tickStep(first, last, count) < (last - first) / most) count--;
  return {
    step: unit * tickStep(first, last, count),
    instants: ticks(first, last, count).map((at) => unit * at),
  };
}

/** Steps on full minutes and hours; decimal steps beyond 20 s would not be on them. */
const CALENDAR_STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((n) => n * MINUTE);

function timeTicks(from: number, to: number, most: number): TimeTicks {
  const decimal = decimalTicks(from, to, most);
  const least = (to - from) / most;
  // For two labels D3 returns a finer step where no tick of the requested step is in view.
  if (decimal.step <= LONGEST_DECIMAL && (decimal.step >= least || least < LONGEST_DECIMAL)) return decimal;
  const step = CALENDAR_STEPS.find((each) => each >= least);
  if (step === undefined) return decimalTicks(from, to, most, DAY);
  return { step, instants: range(Math.ceil(from / step), Math.floor(to / step) + 1).map((n) => n * step) };
}

/** Ticks that count from a round time of the clock at or before the left end. */
function fineAxis(from: number, to: number, capture: CaptureTime, most: number): TimeAxis {
  const originDay = originInDay(localOrigin(capture, from));
  const { step, instants } = decimalTicks(from + originDay, to + originDay, most);
  // A tick at the left end is its own base, whatever the rounding of the division.
  const base = Math.floor((from + originDay) / step + 1e-9) * step;
  const label = (at: number): string => fineLabel(Math.round((at - base) * 1000) / 1000, to - from);
  return {
    ticks: instants.map((at) => ({ at: at - originDay, label: label(at) })),
    step,
    base: formatInstant(capture, base - originDay, step >= 1000 ? 3 : 6),
  };
}

/** On an axis of so few decades the powers of ten alone would be too few labels. */
const SHORT_AXIS = 30;

/**
 * Ticks of a logarithmic axis of durations: 1, 2, 5 per decade. Powers of ten and the top one have a label; on an axis
 * of one decade all ticks have one.
 */
export function durationTicks(low: number, high: number): Tick[] {
  const isShort = high / low <= SHORT_AXIS;
  const values = roundNumbers(low, high);
  const top = values.at(-1);
  // Labels at a power of ten and at twice its value would touch.
  const hasRoom = (at: number): boolean => at >= 4 * decadeOf(at);
  const hasLabel = (at: number): boolean => isShort || at === decadeOf(at) || (at === top && hasRoom(at));
  return values.map((at) => ({ at, label: hasLabel(at) ? durationLabel(at) : "" }));
}

const decadeOf = (value: number): number => 10 ** Math.floor(Math.log10(value));

/** A round duration: `500 µs`, `10 ms`, `1 s`. */
export function durationLabel(us: number): string {
  if (us < 1000) return `${trimmed(us)} µs`;
  if (us < SECOND) return `${trimmed(us / 1000)} ms`;
  return `${trimmed(us / SECOND)} s`;
}
