import type { ReactNode } from "react";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./stages-absent.module.css";

/** Row in the place of the lanes, for a capture without data-movement events. */
export function StagesAbsent(): ReactNode {
  return (
    <div className={laneFrame.axis}>
      <div className={styles.name}>
        {texts.stages}
        <span className="muted">–</span>
      </div>
      <p className={styles.reason}>
        <span>{texts.noDataMovementEvents}</span>
      </p>
    </div>
  );
}
