import type { ReactNode } from "react";
import { fleetSideName } from "@aglens/ag-model/fleet";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import type { FleetPercentile } from "./fleet-address.ts";
import type { ShownFleet } from "./fleet-view.ts";
import styles from "./fleet.module.css";

/** Meaning of the marks in the lanes. */
export function FleetLegend({
  fleet: { a, b },
  percentile,
}: {
  readonly fleet: ShownFleet;
  readonly percentile: FleetPercentile;
}): ReactNode {
  return (
    <p className={styles.legend}>
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect className={styles.legendBar} x="2" y="3" width="8" height="8" />
          <path className={styles.legendLine} d="M2 11h8" />
        </svg>
        {texts.p50ToP95Stroke(fleetSideName(a))}
      </span>
      {b === null ? null : (
        <span>
          <svg width="16" height="12" aria-hidden="true">
            <path className={styles.legendOutline} d="M0 9h5V4h6V9h5" />
          </svg>
          {fleetSideName(b)} {percentile}
        </span>
      )}
      <span>
        <svg width="12" height="12" aria-hidden="true">
          <rect width="12" height="12" fill="url(#hatch)" />
        </svg>
        {texts.noCapture}
      </span>
      <span className={styles.legendScale}>{texts.logHeight03}</span>
    </p>
  );
}
