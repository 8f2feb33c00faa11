/** The marks of a lane as paths: few elements for any number of columns. */
import type { ColumnScale, HeightScale } from "./columns.ts";

/** Figures of a stage by capture, µs; null where a capture does not have it. */
export interface LaneFigures {
  /** Column of each capture, ascending. */
  readonly columns: readonly number[];
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

export interface LanePaths {
  /** From p50 to p95. */
  readonly bars: string;
  /** At p50. */
  readonly medians: string;
  /** From p95 to p99. */
  readonly strokes: string;
  /** At the maximum. */
  readonly dots: string;
}

const WIDEST_BAR = 14;
const FILLED = 0.8;

/** Width of a column's bar, px. */
export const barWidth = ({ slot }: ColumnScale): number => Math.max(1, Math.min(WIDEST_BAR, FILLED * slot));

export function lanePaths(figures: LaneFigures, columns: ColumnScale, { y }: HeightScale): LanePaths {
  const width = barWidth(columns);
  const [first, end] = columns.range;
  const paths = { bars: "", medians: "", strokes: "", dots: "" };
  figures.columns.forEach((column, i) => {
    const [p50, p95, p99, max] = [figures.p50[i], figures.p95[i], figures.p99[i], figures.max[i]];
    if (column < first || column >= end) return;
    const middle = columns.middle(column);
    const left = px(middle - width / 2);
    if (isKnown(p50) && isKnown(p95)) {
      paths.bars += `M${left} ${px(y(p95))}h${px(width)}V${px(y(p50))}h${px(-width)}z`;
    }
    if (isKnown(p50)) paths.medians += `M${left} ${px(y(p50))}h${px(width)}`;
    if (isKnown(p95) && isKnown(p99)) paths.strokes += `M${px(middle)} ${px(y(p95))}V${px(y(p99))}`;
    if (isKnown(max)) paths.dots += `M${px(middle - 1)} ${px(y(max) - 1)}h2v2h-2z`;
  });
  return paths;
}

/** A line in steps over the columns that follow each other; a column without a value ends it. */
export function outlinePath(
  columns: readonly number[],
  values: readonly (number | null)[],
  scale: ColumnScale,
  { y }: HeightScale,
): string {
  const [first, end] = scale.range;
  let path = "";
  let last = Number.NaN;
  columns.forEach((column, i) => {
    const value = values[i];
    if (!isKnown(value) || column < first || column >= end) return;
    const [x, at] = [px(scale.left(column)), px(y(value))];
    path += `${column === last + 1 ? `V${at}` : `M${x} ${at}`}H${px(scale.left(column + 1))}`;
    last = column;
  });
  return path;
}

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined;

const px = (value: number): string => String(Math.round(value * 10) / 10);
