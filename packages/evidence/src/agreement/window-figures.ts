/** Figures of samples in a window of time, with their uncertainty. */
import type { EvidenceSeries } from "../shapes.ts";

/** A figure and the half width of its uncertainty. */
export interface Figure {
  readonly value: number;
  readonly plusMinus: number;
}

/** A window of time in µs since 1970. */
export interface Window {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Mean of weighted values with its standard error; null for fewer than two values, of which nothing is known. */
export function weightedMean(values: readonly number[], weights: readonly number[]): Figure | null {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (values.length < 2 || !(total > 0)) return null;
  const value = values.reduce((sum, one, at) => sum + one * (weights[at] ?? 0), 0) / total;
  const squares = values.reduce((sum, one, at) => sum + (one - value) ** 2 * (weights[at] ?? 0), 0) / total;
  const plusMinus = Math.sqrt(squares / (values.length - 1));
  // Damaged samples may be of any size.
  return Number.isFinite(plusMinus) ? { value, plusMinus } : null;
}

/** Values of samples in the window by their time. */
export function samplesIn(
  { atUs, values }: EvidenceSeries,
  { fromUs, untilUs }: Window,
): Map<number, number> {
  const found = new Map<number, number>();
  for (const [at, us] of atUs.entries()) {
    const value = values[at] ?? Number.NaN;
    if (us > fromUs && us <= untilUs && !Number.isNaN(value)) found.set(us, value);
  }
  return found;
}

/** A delta between two snapshots. */
interface Interval extends Window {
  readonly delta: number;
}

/** Deltas whose interval overlaps the window; a delta without a value is skipped. */
export function intervalsIn({ atUs, values }: EvidenceSeries, window: Window): Interval[] {
  const found: Interval[] = [];
  for (let at = 1; at < atUs.length; at++) {
    const [fromUs = 0, untilUs = 0] = [atUs[at - 1], atUs[at]];
    const delta = values[at] ?? Number.NaN;
    if (untilUs > window.fromUs && fromUs < window.untilUs && !Number.isNaN(delta))
      found.push({ fromUs, untilUs, delta });
  }
  return found;
}

/**
 * The series that says most about the window: several files of a server may have the same metric, one after the other or
 * of the same time. Undefined where none is about the window.
 */
export function mostIn(
  series: readonly EvidenceSeries[],
  lengthIn: (one: EvidenceSeries) => number,
): EvidenceSeries | undefined {
  const longest = series
    .map((one) => ({ one, length: lengthIn(one) }))
    .toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined || longest.length <= 0 ? undefined : longest.one;
}

/** Length of the intervals that overlap the window, as far as they are in it, in µs. */
export const coveredUs = (series: EvidenceSeries, window: Window): number =>
  intervalsIn(series, window).reduce(
    (sum, { fromUs, untilUs }) => sum + Math.min(untilUs, window.untilUs) - Math.max(fromUs, window.fromUs),
    0,
  );

/**
 * Whether two figures are the same up to a factor: with the uncertainty of both, the larger one is at most `factor`
 * times the smaller one.
 */
export function isWithin(a: Figure, b: Figure, factor: number): boolean {
  const reaches = (low: Figure, high: Figure): boolean =>
    (low.value + low.plusMinus) * factor >= Math.max(0, high.value - high.plusMinus);
  return reaches(a, b) && reaches(b, a);
}

/** Whether two names are of one server: host in any case without its domain; instances only where both have one. */
export function isSameServer(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  const [hostA = "", instanceA] = a.toUpperCase().split("\\");
  const [hostB = "", instanceB] = b.toUpperCase().split("\\");
  const isSameHost = hostA.split(".")[0] === hostB.split(".")[0];
  return isSameHost && (instanceA === undefined || instanceB === undefined || instanceA === instanceB);
}

const SPACE = "\u00A0";

/** A duration in ms: `780 µs`, `12.0 ms`, `16.1 s`. */
export function msText(ms: number): string {
  if (ms !== 0 && Math.abs(ms) < 0.9995) return `${threeDigits(ms * 1000)}${SPACE}µs`;
  return Math.abs(ms) < 999.5 ? `${threeDigits(ms)}${SPACE}ms` : `${threeDigits(ms / 1000)}${SPACE}s`;
}

/** A figure in ms: `12.0 ms ± 400 µs`. */
export const figureText = ({ value, plusMinus }: Figure): string =>
  `${msText(value)} ±${SPACE}${msText(plusMinus)}`;

/** Three significant digits. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}
