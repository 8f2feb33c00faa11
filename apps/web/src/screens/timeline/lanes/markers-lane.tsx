import type { ReactNode } from "react";
import { countText, marksInView } from "../../../charts/timeline/marks.ts";
import { Problem } from "../../../frame/problem.tsx";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import styles from "./markers-lane.module.css";

/**
 * Marks of the range in view: marks of a live run, flow control, VLF switches, new primaries, clock steps, unresponsive
 * servers. `width` of the plot, px.
 */
export function MarkersLane({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { markers, uncovered, switches } = useTimelineData();
  const { range } = useTimelineView();
  const marks = marksInView(markers.value, summary, range, width, switches);
  const counts = countText(marks);
  // The primary publishes nearly all of them, so they are unknown where it has no events.
  const missing = uncovered.filter(([from, to, role]) => role === 0 && to > range[0] && from < range[1]);
  const x = (at: number) =>
    ((Math.min(range[1], Math.max(range[0], at)) - range[0]) / (range[1] - range[0])) * width;
  const whole = missing.find(([from, to]) => from <= range[0] && to >= range[1]);
  const nothing = whole
    ? texts.filesHaveNoEvents(summary.replicas[whole[3]]?.name ?? texts.primary)
    : texts.noFlowControlVlf;
  return (
    <div className={styles.markers}>
      <span>
        <b id="markers-name">{texts.markers}</b>
        <small title={counts}>{counts}</small>
      </span>
      <div style={{ width }}>
        {missing.map(([from, to]) => (
          <div key={from} className={styles.missing} style={{ left: x(from), width: x(to) - x(from) }} />
        ))}
        <Problem sentence={markers.error} onRetry={markers.retry} />
        {marks.length === 0 ? (
          <p>{markers.value === null ? "" : nothing}</p>
        ) : (
          <ul aria-labelledby="markers-name">
            {marks.map((mark, i) => (
              <li key={i} data-kind={mark.kind} title={mark.words} style={{ left: mark.x }}>
                <i style={{ width: mark.width + 6 }} />
                <span className="sr-only">{mark.words}</span>
                {mark.name === null ? null : (
                  <span aria-hidden="true" data-before={mark.isNameBefore} style={{ marginLeft: mark.width }}>
                    {mark.name}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
