/** Ticks and labels of time axes (1, 2, 5 steps; design section 7) and of logarithmic duration axes. */
import { formatTimeOfDay } from "@aglens/ag-model/words";

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;

export interface Tick {
  /** µs on the axis. */
  readonly at: number;
  readonly label: string;
}

export interface TimeAxis {
  readonly ticks: readonly Tick[];
  /** µs between two ticks. */
  readonly step: number;
  /** What the labels count from, for the left end: a UTC instant below 1 s in view, else null. */
  readonly base: string | null;
}

/** µs since UTC midnight of the capture's origin, from FILETIME ticks (100 ns). */
export function originInDay(originTicks: string): number {
  return Number((BigInt(originTicks) / 10n) % BigInt(DAY));
}

/** Smallest 1, 2 or 5 times a power of ten that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

const LONG_STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1440].map((minutes) => minutes * MINUTE);

/** Above 50 s a decimal step would not fall on whole minutes, so steps continue in minutes and hours. */
function timeStep(least: number): number {
  const step = niceStep(least);
  if (step <= 50 * SECOND) return step;
  return LONG_STEPS.find((s) => s >= least) ?? niceStep(least / DAY) * DAY;
}

/** Clock time of an instant, µs since midnight: `02:17:40`, with as many decimals as `step` (µs) needs. */
export const clockLabel = (inDay: number, step: number): string =>
  formatTimeOfDay(0n, inDay, step >= SECOND ? 0 : step >= 1000 ? 3 : 6);

const trimmed = (value: number): string => String(Number(value.toFixed(6)));

/** Offset from the capture's origin: `+40 s`, `0 s`, `+2 min`, `+1 min 30 s`. */
function offsetLabel(us: number, step: number): string {
  const sign = us > 0 ? "+" : us < 0 ? "−" : "";
  const size = Math.abs(us);
  if (size === 0) return "0 s";
  if (step < MINUTE && size < 10 * MINUTE) return `${sign}${trimmed(size / SECOND)} s`;
  const minutes = Math.floor(size / MINUTE);
  const seconds = Math.round((size - minutes * MINUTE) / SECOND);
  if (seconds === 0) return `${sign}${minutes} min`;
  return `${sign}${minutes} min ${seconds} s`;
}

/** Distance from a round instant: `+10 ms`, `+0.2 ms`; `+250 µs` where less than 1 ms is in view. */
function fineLabel(us: number, span: number): string {
  return span >= 1000 ? `+${trimmed(us / 1000)} ms` : `+${trimmed(us)} µs`;
}

function multiples(from: number, to: number, step: number, phase: number): number[] {
  const result: number[] = [];
  const first = Math.ceil((from + phase) / step - 1e-9);
  for (let k = first; k * step - phase <= to + step * 1e-9; k++) result.push(k * step - phase);
  return result;
}

/**
 * Time ticks of [from, to] (µs from the origin). Above 1 s in view they count from the origin or, with
 * `time` "utc", show the clock; below 1 s they count from a round UTC instant and lie on UTC multiples.
 * `originDay` is `originInDay`; `most` bounds the number of labels.
 */
export function timeAxis(
  from: number,
  to: number,
  originDay: number,
  time: "offset" | "utc" = "offset",
  most = 12,
): TimeAxis {
  const span = to - from;
  if (!(span > 0)) return { ticks: [], step: 0, base: null };
  const step = timeStep(span / Math.max(2, Math.min(12, most)));
  if (span < SECOND) return fineAxis(from, to, originDay, step);
  const phase = time === "utc" ? originDay : 0;
  const label = (at: number): string =>
    time === "utc" ? clockLabel(at + originDay, step) : offsetLabel(at, step);
  return {
    ticks: multiples(from, to, step, phase).map((at) => ({ at, label: label(at) })),
    step,
    base: null,
  };
}

function fineAxis(from: number, to: number, originDay: number, step: number): TimeAxis {
  const base = Math.floor((from + originDay) / step + 1e-9) * step - originDay;
  const ticks = multiples(from, to, step, originDay).map((at) => ({
    at,
    label: fineLabel(Math.round((at - base) * 1000) / 1000, to - from),
  }));
  return { ticks, step, base: `${clockLabel(base + originDay, step)} UTC` };
}

/** Over so few decades the powers of ten alone would leave the axis bare. */
const SHORT_AXIS = 30;

/**
 * Ticks of a logarithmic axis of durations: 1, 2, 5 per decade. Powers of ten and the top one carry a label; all of them
 * on an axis of one decade.
 */
export function durationTicks(low: number, high: number): Tick[] {
  const ticks: Tick[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const at = factor * power;
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9))
        ticks.push({ at, label: factor === 1 || high / low <= SHORT_AXIS ? durationLabel(at) : "" });
    }
  }
  const top = ticks.at(-1);
  if (top && top.label === "" && top.at >= 4 * 10 ** Math.floor(Math.log10(top.at))) {
    ticks[ticks.length - 1] = { at: top.at, label: durationLabel(top.at) };
  }
  return ticks;
}

/** A round duration: `500 µs`, `10 ms`, `1 s`. */
export function durationLabel(us: number): string {
  if (us < 1000) return `${trimmed(us)} µs`;
  if (us < SECOND) return `${trimmed(us / 1000)} ms`;
  return `${trimmed(us / SECOND)} s`;
}
