import { type CSSProperties, type ReactNode, useMemo } from "react";
import { clockLabel } from "../../charts/axis.ts";
import { RunStrip } from "../../charts/live/run-strip.tsx";
import { useSize } from "../../ui/use-size.ts";
import { missedPolls } from "./gauges.ts";
import { LiveGutter, LiveMargin } from "./live-gutter.tsx";
import { LivePlot } from "./live-plot.tsx";
import { useLiveRun } from "./live-run-context.ts";
import { elapsedText, originDayOf } from "./run-words.ts";
import { marksOf, unawaitedSecondaries } from "./phase-lanes.ts";
import type { LiveState } from "./picture.ts";
import { WINDOW_US } from "./use-held-view.ts";
import { useLiveStack } from "./use-live-stack.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./live-lanes.module.css";

const STRIP_PX = 30;

/** The lanes of the last 30 s, the gauges under them, and all of the run in one strip. */
export function LiveLanes(): ReactNode {
  const { state, heldAt, readNow, pan, gaugeChoice } = useLiveRun();
  const [measure, { height: available }] = useSize<HTMLDivElement>();
  const { boxes, height, gauges, scene, setLane } = useLiveStack(state, available, gaugeChoice);
  const hasEnded = state.state === "stopped";
  return (
    <div
      ref={measure}
      className={`${laneFrame.lanes} ${styles.liveLanes}`}
      style={{ "--lanes": `${height}px` } as CSSProperties}
    >
      <LivePlot
        scene={scene}
        windowUs={WINDOW_US}
        originDay={originDayOf(state.origin)}
        heldAt={hasEnded ? (heldAt ?? state.now) : heldAt}
        readNow={readNow}
        summary={summaryOf(state)}
        onDrag={pan}
        head={
          <div className={laneFrame.axisBase}>
            <span>Last 30 s</span>
            <i>p50</i>
            <i>p95</i>
          </div>
        }
        gutter={
          <LiveGutter
            boxes={boxes}
            gauges={gauges}
            missed={missedPolls(state.polls, state.now - WINDOW_US)}
            figures={state.figures}
            judged={state.judged}
            onLane={setLane}
          />
        }
        margin={<LiveMargin boxes={boxes} gauges={gauges} />}
      />
      <WholeRun />
    </div>
  );
}

/** Description of the lanes for screen readers. */
function summaryOf(state: LiveState): string {
  const clock = clockLabel(state.now + originDayOf(state.origin), 1e6);
  return `Lanes of the last 30 s up to ${clock} UTC, ${state.lanes.length} lanes. ${state.verdict?.sentence ?? ""}`;
}

/** All of the run in one strip, which does not move while the lanes move. */
function WholeRun(): ReactNode {
  const { state, heldAt } = useLiveRun();
  const end = heldAt ?? state.now;
  const view = useMemo((): [number, number] => [end - WINDOW_US, end], [end]);
  const gaps = useMemo(
    () => state.gaps.map((gap): [number, number] => [gap.from, gap.to ?? state.now]),
    [state],
  );
  const marks = useMemo(() => marksOf(state), [state]);
  const unawaited = useMemo(() => unawaitedSecondaries(state), [state]);
  return (
    <div className={styles.runStrip}>
      <span>
        <b>Whole run</b>
        <i>
          {state.database === null ? "slowest commit, by place" : `${state.database}, since it was chosen`}
        </i>
      </span>
      <RunStrip
        bins={state.overview}
        now={state.now}
        view={view}
        gaps={gaps}
        marks={marks}
        unawaited={unawaited}
        height={STRIP_PX}
        label={`${state.database === null ? "" : `${state.database}, since it was chosen. `}The whole run, ${elapsedText(state.now)} long: the slowest commit over time, colored by the place that took most.`}
      />
    </div>
  );
}
