import type { ReactNode } from "react";
import { Link } from "wouter";
import { fleetLaneName, fleetSideName } from "@aglens/ag-model/fleet";
import { durationText } from "../../ui/words.ts";
import type { FleetPercentile } from "./fleet-address.ts";
import type { FleetView } from "./fleet-view.ts";
import { instantWords } from "./fleet-words.ts";
import styles from "./fleet.module.css";

/** What the picture shows, in rows: a capture each, newest first. */
export function FleetTable({
  view: { fleet, range },
  percentile,
}: {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
}): ReactNode {
  const { a } = fleet;
  const shown = [...a.columns.entries()].filter(([, { column }]) => column >= range[0] && column < range[1]);
  return (
    <details className={styles.asTable}>
      <summary>Show as table</summary>
      <div className={styles.wide}>
        <table className="figure-table" aria-label={`${fleetSideName(a)}, ${percentile} of each capture`}>
          <thead>
            <tr>
              <th scope="col">Capture</th>
              {a.lanes.map((lane) => (
                <th key={fleetLaneName(lane)} scope="col">
                  {fleetLaneName(lane)}
                </th>
              ))}
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {shown.toReversed().map(([index, capture]) => (
              <tr key={capture.id}>
                <th scope="row">
                  {capture.isThere ? (
                    <Link href={`/captures/${capture.id}`}>{instantWords(capture)}</Link>
                  ) : (
                    instantWords(capture)
                  )}
                </th>
                {a.lanes.map((lane) => (
                  <td key={fleetLaneName(lane)}>{durationText(lane[percentile][index])}</td>
                ))}
                <td>{capture.verdict}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
