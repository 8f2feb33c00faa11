import type { ReactNode } from "react";
import { Link } from "wouter";
import { fleetLaneName, fleetSideName } from "@aglens/ag-model/fleet";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { durationText } from "../../ui/words.ts";
import type { FleetPercentile } from "./fleet-address.ts";
import type { FleetView } from "./fleet-view.ts";
import { clockName } from "../../ui/zone.ts";
import { instantWords, verdictText } from "./fleet-text.ts";
import styles from "./fleet.module.css";

/** The content of the picture as a table: one row for each capture, newest first. */
export function FleetTable({
  view: { fleet, range, zone },
  percentile,
}: {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
}): ReactNode {
  const { a } = fleet;
  const shown = [...a.columns.entries()].filter(([, { column }]) => column >= range[0] && column < range[1]);
  return (
    <details className={styles.asTable}>
      <summary>{texts.showAsTable}</summary>
      <div className={styles.wide}>
        <FigureTable<(typeof shown)[number]>
          aria-label={texts.ofEachCapture(fleetSideName(a), percentile)}
          rows={shown.toReversed()}
          rowKey={([, { id }]) => id}
          columns={[
            {
              id: `Capture, ${clockName(zone)}`,
              cell: ([, capture]) =>
                capture.isThere ? (
                  <Link href={`/captures/${capture.id}`}>{instantWords(capture, zone)}</Link>
                ) : (
                  instantWords(capture, zone)
                ),
            },
            ...a.lanes.map((lane) => ({
              id: fleetLaneName(lane),
              cell: ([index]: (typeof shown)[number]) => durationText(lane[percentile][index]),
            })),
            { id: "Verdict", cell: ([, capture]) => verdictText(capture) },
          ]}
        />
      </div>
    </details>
  );
}
