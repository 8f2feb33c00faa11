import type { ReactNode } from "react";
import { type ColumnScale, labelledColumns } from "../../charts/fleet/columns.ts";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { formatShortDay } from "../../ui/words.ts";
import frame from "../lane-view/lane-frame.module.css";
import type { FleetPercentile } from "./fleet-address.ts";
import { isInView } from "./fleet-figures.ts";
import type { FleetView } from "./fleet-view.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  readonly columns: ColumnScale;
  readonly width: number;
}

/** Width of a day's label with the space next to it, px. */
const LABEL_PX = 62;

/** Days over the columns, and heads of the gutter's figures. */
export function FleetAxis({
  view: { fleet, range, selected },
  percentile,
  columns,
  width,
}: Props): ReactNode {
  const words = (column: number): string => formatShortDay(fleet.days[column] ?? "");
  const chosen = selected !== null && isInView(selected, range) ? selected.column : null;
  const place = (column: number): number =>
    Math.min(width - LABEL_PX / 2, Math.max(LABEL_PX / 2, columns.middle(column)));
  // Labels that overlap the chosen day's label are not shown.
  const isFree = (column: number): boolean =>
    chosen === null || Math.abs(place(column) - place(chosen)) >= LABEL_PX;
  return (
    <div className={frame.axis}>
      <div className={frame.axisBase}>
        <span>{texts.capturesBy(fleet.unit)}</span>
        <i>p50</i>
        <i>{upperPercentile(percentile)}</i>
      </div>
      <div className={styles.axisPlot} aria-hidden="true">
        {labelledColumns(columns, LABEL_PX)
          .filter(isFree)
          .map((column) => (
            <span key={column} style={{ left: place(column) }}>
              {words(column)}
            </span>
          ))}
        {chosen === null ? null : <b style={{ left: place(chosen) }}>{words(chosen)}</b>}
      </div>
    </div>
  );
}

/** The gutter's second figure: p50 is its first one. */
export const upperPercentile = (percentile: FleetPercentile): FleetPercentile =>
  percentile === "p50" ? "p95" : percentile;
