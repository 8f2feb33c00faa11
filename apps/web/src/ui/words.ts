/**
 * Numbers, units and times on screen (docs/design.md 7). The rules are the parser's (`xel-parser/words`), so that a
 * figure reads the same in a sentence and in a table; on screen a thin space stands before the unit.
 */
import {
  durationFigure,
  formatTimeOfDay,
  figureText,
  percentFigure,
  sizeFigure,
  uncertaintyFigure,
  type Figure,
} from "@aglens/ag-model/words";

export {
  durationFigure as formatDuration,
  formatCount,
  percentFigure,
  type Figure,
} from "@aglens/ag-model/words";

const THIN = "\u2009";
const text = (figure: Figure): string => figureText(figure, THIN).replaceAll("\u00A0", THIN);

/** Text for a paragraph that wraps: a unit never parts from its number. */
export const unbroken = (sentence: string): string => sentence.replaceAll(THIN, "\u00a0");

/** A duration in µs as text: `8.02 ms`. */
export const durationText = (us: number | null | undefined): string => text(durationFigure(us));

/** A share 0..1 as percent: whole in sentences (digits 0), one decimal in tables (digits 1). */
export const formatPercent = (share: number | null | undefined, digits = 0): string =>
  text(percentFigure(share, digits));

/** A size in bytes with powers of ten: `512 B`, `5.4 MB`. */
export const formatBytes = (bytes: number | null | undefined): string => text(sizeFigure(bytes));

/** A clock uncertainty in µs: `±0.24 ms`. */
export const formatUncertainty = (us: number | null | undefined): string => text(uncertaintyFigure(us));

/** A clock uncertainty in the unit of the value that it stands beside: `±377 µs` of `713 µs`, `±0.38 ms` of `78.5 ms`. */
export const uncertaintyBeside = (us: number, value: number | null): string =>
  value !== null && Math.abs(value) < 999.5 && us < 999.5 ? `±${durationText(us)}` : formatUncertainty(us);

/** A percentile rank 0..100: `p91`, above p99 with a decimal (`p99.4`), `max` for the largest; en dash for none. */
export function rankText(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "–";
  if (rank >= 100) return "max";
  return rank > 99 ? `p${(Math.floor(rank * 10) / 10).toFixed(1)}` : `p${Math.floor(rank)}`;
}

/**
 * An offset from the capture's origin, in µs: `+45.90 s`.
 * `stepUs` is the distance that must stay visible (an axis step); it decides the decimals.
 */
export function formatOffset(us: number, stepUs = 10_000): string {
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(stepUs / 1e6) - 1e-9)));
  const sign = us < 0 ? "−" : "+";
  return `${sign}${(Math.abs(us) / 1e6).toFixed(decimals)}${THIN}s`;
}

/** UTC time of day of a time in µs after the origin: `02:17:42.371`. `digits` are those after the second, up to 7. */
export const formatUtc = (originTicks: string, us: number, digits = 3): string =>
  formatTimeOfDay(BigInt(originTicks), us, digits);
