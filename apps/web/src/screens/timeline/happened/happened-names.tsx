import type { ReactNode } from "react";
import { figuresOf, scaleTop } from "../../../charts/evidence/metric-lanes.ts";
import { type EvidenceBox, HEADING_PX, isMetric } from "../../../charts/evidence/stack.ts";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { Value } from "../../../ui/controls.tsx";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import { countFiles } from "../../capture-view/use-evidence.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import { metricFigure, scaleText } from "./metric-figure.ts";
import type { HappenedPlot } from "./use-happened-plot.ts";
import styles from "./happened.module.css";

interface Props {
  readonly plot: HappenedPlot;
  /** Top of the rule above the lanes, px. */
  readonly top: number;
}

/** Names of the lanes of evidence files, with the number of events in view or the mean of their samples. */
export function HappenedNames({ plot, top }: Props): ReactNode {
  const { happened } = useTimelineData();
  const { stack, showsQuiet, toggleQuiet } = plot;
  if (stack === null || happened === null) return null;
  return (
    <div className={styles.names} style={{ top, height: stack.height }}>
      <div className={styles.heading} style={{ height: HEADING_PX }}>
        <b>{texts.whatHappened}</b>
        <small>{texts.sources(countFiles(happened.answer))}</small>
      </div>
      {stack.boxes.map((box) => (
        <LaneName key={box.lane.key} box={box} plot={plot} />
      ))}
      {stack.foldTop === null && !showsQuiet ? null : (
        <button
          type="button"
          className={styles.fold}
          style={{ top: stack.foldTop ?? stack.height }}
          aria-expanded={showsQuiet}
          onClick={toggleQuiet}
        >
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
            <path d={showsQuiet ? "M0 2 L8 2 L4 7 Z" : "M2 0 L7 4 L2 8 Z"} />
          </svg>
          <span>{texts.quietLanes(stack.quiet, stack.folded)}</span>
        </button>
      )}
    </div>
  );
}

function LaneName({ box, plot }: { readonly box: EvidenceBox; readonly plot: HappenedPlot }): ReactNode {
  const { range } = useTimelineView();
  const { lane, top, height } = box;
  const style = { top, height };
  if (!isMetric(lane)) {
    const count = lane.ticks.filter(({ at }) => at >= range[0] && at <= range[1]).length;
    return (
      <div className={styles.name} style={style}>
        <span>
          <MiddleEllipsis text={lane.name} kept={6} />
        </span>
        {count === 0 ? null : (
          <b title={texts.eventsInView(count)}>
            {count}
            <span className="sr-only"> {texts.eventsInView(count)}</span>
          </b>
        )}
      </div>
    );
  }
  const figures = figuresOf(plot.steps.get(lane.key) ?? [], range);
  return (
    <div className={styles.name} style={style}>
      <span title={lane.note}>
        <MiddleEllipsis text={lane.name} kept={6} />
        {height < LEAST_PX ? null : <small>{lane.note}</small>}
      </span>
      <b>{figures === null ? "–" : <Value figure={metricFigure(figures.mean, lane.unit)} />}</b>
    </div>
  );
}

/** The upper end of the scale of each lane of samples, at the right of the lanes. */
export function HappenedScale({ plot, top }: Props): ReactNode {
  const { range } = useTimelineView();
  return (plot.stack?.boxes ?? []).map(({ lane, top: ownTop, height }) => {
    const figures = isMetric(lane) ? figuresOf(plot.steps.get(lane.key) ?? [], range) : null;
    if (!isMetric(lane) || figures === null || height < LEAST_PX) return null;
    return (
      <span key={lane.key} style={{ top: top + ownTop - 3 }}>
        {scaleText(scaleTop(figures.max), lane.unit)}
      </span>
    );
  });
}

/** Minimum height of a lane for its scale, px. */
const LEAST_PX = 24;
