/** Columns of tables of statistics. */
import type { FlushClasses, Statistics } from "@aglens/contract";
import { Swatch } from "../../ui/controls.tsx";
import { Term } from "../../ui/term.tsx";
import type { FigureColumn } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration } from "../../ui/words.ts";
import { backedPercentiles, FLUSH_CLASSES } from "./figures.ts";

/** Percentiles and the maximum that tables of statistics show. */
export type Percentile = "p50" | "p95" | "p99" | "max";

/**
 * The percentiles that enough values support in at least one row, because a column of dashes has no information. All of
 * them while figures are being loaded.
 */
export function backedNames<Name extends Percentile>(
  names: readonly Name[],
  rows: readonly (Statistics | null | undefined)[],
): readonly Name[] {
  if (rows.some((row) => row === undefined)) return names;
  const backed = rows.flatMap((row) => (row ? [backedPercentiles(row)] : []));
  return names.filter((name) => name === "p50" || name === "max" || backed.some((row) => row[name] !== null));
}

/**
 * A column for each percentile that enough values support. A single value is shown once, as `max` if that is a column.
 * @param statisticsOf of a row; null where none are known, undefined until they are loaded
 */
export function percentileColumns<Row>(
  names: readonly Percentile[],
  statisticsOf: (row: Row) => Statistics | null | undefined,
): FigureColumn<Row>[] {
  return names.map((id) => ({
    id,
    cell: (row) => {
      const statistics = statisticsOf(row);
      if (statistics === undefined) return "";
      if (statistics === null) return formatDuration(null);
      const backed = backedPercentiles(statistics);
      return formatDuration(id === "p50" && !names.includes("max") ? statistics.p50 : backed[id]);
    },
  }));
}

/** A column for each class of log writes. @param classesOf of a row */
export const classColumns = <Row,>(classesOf: (row: Row) => FlushClasses): FigureColumn<Row>[] =>
  FLUSH_CLASSES.map(({ key, label }) => ({
    id: key,
    head: (
      <>
        <Swatch color={`var(--c-${key})`} />
        <Term id={key}>{label}</Term>
      </>
    ),
    cell: (row) => formatCount(classesOf(row)[key]),
    cellProps: (row) => ({ "data-bad": key === "bad" && classesOf(row).bad > 0 }),
  }));
