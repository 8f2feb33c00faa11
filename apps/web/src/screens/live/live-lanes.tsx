import { type CSSProperties, type ReactNode, useMemo } from "react";
import { RunStrip } from "../../charts/live/run-strip.tsx";
import { type CaptureTime, formatInstant, timesInZone } from "../../ui/words.ts";
import type { UnknownPart } from "../../charts/live/paint-run.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import type { TermId } from "../../messages/terms.ts";
import { StatesOfTime } from "../lane-view/states-of-time.tsx";
import { useSize } from "../../ui/use-size.ts";
import { missedPolls } from "./gauges.ts";
import { LiveGutter, LiveMargin } from "./live-gutter.tsx";
import { LivePlot } from "./live-plot.tsx";
import { useLiveRun } from "./live-run-context.ts";
import { elapsedText } from "./run-text.ts";
import { unknownOfRun } from "./lane-remarks.ts";
import { marksOf, unawaitedSecondaries } from "./phase-lanes.ts";
import type { LiveState } from "./picture.ts";
import { WINDOW_US } from "./use-held-view.ts";
import { useLiveStack } from "./use-live-stack.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./live-lanes.module.css";

const STRIP_PX = 30;

/** The lanes of the last 30 s, the gauges under them, and all of the run in one strip. */
export function LiveLanes(): ReactNode {
  const { state, clock, heldAt, readNow, pan, gaugeChoice } = useLiveRun();
  const [measure, { height: available }] = useSize<HTMLDivElement>();
  const { boxes, height, gauges, happened, scene, setLane } = useLiveStack(state, available, gaugeChoice);
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
        clock={clock}
        heldAt={hasEnded ? (heldAt ?? state.now) : heldAt}
        readNow={readNow}
        summary={summaryOf(state, clock)}
        onDrag={pan}
        head={
          <div className={laneFrame.axisBase}>
            <span>{texts.last30S}</span>
            <i>p50</i>
            <i>p95</i>
          </div>
        }
        gutter={
          <LiveGutter
            boxes={boxes}
            gauges={gauges}
            happened={happened}
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
function summaryOf({ now, lanes, verdict }: LiveState, clock: CaptureTime): string {
  const sentence = timesInZone(clock, verdict?.sentence ?? "");
  return texts.lanesOfTheLast(formatInstant(clock, now, 0), lanes.length, sentence);
}

const statesOf = (gaps: readonly UnknownPart[]): readonly TermId[] => [
  "idle",
  ...new Set(gaps.map(({ state }) => state)),
];

/** All of the run in one strip, which does not move while the lanes move. */
function WholeRun(): ReactNode {
  const { state, heldAt } = useLiveRun();
  const end = heldAt ?? state.now;
  const view = useMemo((): [number, number] => [end - WINDOW_US, end], [end]);
  const gaps = useMemo(() => unknownOfRun(state), [state]);
  const marks = useMemo(() => marksOf(state), [state]);
  const unawaited = useMemo(() => unawaitedSecondaries(state), [state]);
  return (
    <div className={styles.runStrip}>
      <span>
        <span className="flex-box spread">
          <b>{texts.completeRun}</b>
          <StatesOfTime states={statesOf(gaps)} />
        </span>
        <i>{state.database === null ? texts.slowestCommitByPlace : texts.sinceItWasChosen(state.database)}</i>
      </span>
      <RunStrip
        bins={state.overview}
        now={state.now}
        view={view}
        gaps={gaps}
        marks={marks}
        unawaited={unawaited}
        height={STRIP_PX}
        label={texts.completeRunLong(
          state.database === null ? "" : texts.sinceItWasChosenLead(state.database),
          elapsedText(state.now),
        )}
      />
    </div>
  );
}
