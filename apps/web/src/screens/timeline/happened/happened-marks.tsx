import type { ReactNode } from "react";
import { xOf } from "../../../charts/time-scale.ts";
import { useTimelineData } from "../timeline-context.ts";
import { rulesOf } from "./use-happened.ts";
import styles from "./happened.module.css";

/** On the minimap: causes of failovers and new primary replicas. */
export function HappenedMarks({
  width,
  duration,
}: {
  readonly width: number;
  readonly duration: number;
}): ReactNode {
  const { happened } = useTimelineData();
  if (happened === null || happened.shown.length === 0) return null;
  const scale = { from: 0, to: duration, width };
  return (
    <div className={styles.marks} aria-hidden="true">
      {rulesOf(happened.answer)
        .filter((at) => at >= 0 && at <= duration)
        .map((at) => (
          <i key={at} style={{ left: xOf(scale, at) }} />
        ))}
    </div>
  );
}
