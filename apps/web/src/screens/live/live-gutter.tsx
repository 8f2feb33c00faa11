import type { ReactNode } from "react";
import type { LivePicture } from "@aglens/contract";
import { places, type LaneBox } from "../../charts/timeline/heights.ts";
import { FOLD_PX, HEADING_PX, isMetric } from "../../charts/evidence/stack.ts";
import type { HappenedBox } from "../../charts/live/paint-happened.ts";
import { logHeight } from "../../charts/duration-scale.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { happenedTexts } from "../../messages/happened.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { Value } from "../../ui/controls.tsx";
import { formatDuration } from "../../ui/words.ts";
import type { Gauge } from "./gauges.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import { judgedText } from "./run-text.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./live-lanes.module.css";

/** A p95 over its lane's limit by this factor is marked as far over it. */
const FAR = 5;

/** In a lower lane the labels of 10 and 100 ms would touch. */
const LEAST_FOR_BOTH_PX = 48;

const HEAD_PX = 18;

export interface PlacedGauge {
  readonly gauge: Gauge;
  readonly top: number;
  readonly height: number;
  readonly scale: number;
}

interface Props {
  readonly boxes: readonly LaneBox[];
  readonly gauges: readonly PlacedGauge[];
  readonly happened: HappenedBox | null;
  /** Number of polls of the last 30 s with failures, and the reason of the newest failure. */
  readonly missed: { readonly count: number; readonly why: string };
  readonly figures: LivePicture["figures"];
  /** Time that the figures cover. */
  readonly judged: LivePicture["judged"];
  readonly onLane: (lane: Lane, tall: boolean) => void;
}

/** Names of lanes with p50 and p95 of the verdict's seconds, and of gauges with their newest value. */
export function LiveGutter({ boxes, gauges, happened, missed, figures, judged, onLane }: Props): ReactNode {
  return (
    <fieldset className={`${laneFrame.gutter} ${styles.ruled}`} aria-label={texts.lanes}>
      {boxes.map((box) => (
        <GutterLane
          key={box.lane.key}
          box={box}
          figures={figures[box.lane.key]}
          words={judgedText(judged)}
          onLane={onLane}
        />
      ))}
      {places(boxes).map((p) => (
        <i
          key={p.top}
          className={laneFrame.edge}
          data-place={p.place}
          style={{ top: p.top, height: p.bottom - p.top }}
        />
      ))}
      {gauges.map(({ gauge, top, height }) => (
        <div
          key={gauge.key}
          className={styles.gauge}
          style={{ top, height }}
          title={`${gauge.label}: ${gauge.words} (${gauge.source})`}
        >
          <span className="stack narrows">
            <b>{gauge.label}</b>
            <i>{gauge.words}</i>
          </span>
          <Value figure={gauge.now} />
        </div>
      ))}
      {gauges.length === 0 ? null : <CountersHead top={(gauges[0]?.top ?? 0) - HEAD_PX} missed={missed} />}
      {happened === null ? null : <HappenedNames happened={happened} />}
    </fieldset>
  );
}

/** Names of the lanes of the servers' events; those with ticks have the number of these. */
function HappenedNames({ happened: { top, stack } }: { readonly happened: HappenedBox }): ReactNode {
  return (
    <>
      <div className={styles.countersHead} style={{ top, height: HEADING_PX }}>
        <b>{happenedTexts.whatHappened}</b>
      </div>
      {stack.boxes.map(({ lane, top: ownTop, height }) => (
        <div key={lane.key} className={styles.gauge} style={{ top: top + ownTop, height }}>
          <span className="stack narrows">
            <b>
              <MiddleEllipsis text={lane.name} kept={6} />
            </b>
          </span>
          <span>{isMetric(lane) || lane.ticks.length === 0 ? "" : lane.ticks.length}</span>
        </div>
      ))}
      {stack.foldTop === null ? null : (
        <div className={styles.countersHead} style={{ top: top + stack.foldTop, height: FOLD_PX }}>
          <span className="one-line">{happenedTexts.quietLanes(stack.quiet, stack.folded)}</span>
        </div>
      )}
    </>
  );
}

/** Head of the counters, which explains their hatched periods once for all of them. */
function CountersHead({
  top,
  missed: { count, why },
}: {
  readonly top: number;
  readonly missed: Props["missed"];
}): ReactNode {
  return (
    <div className={styles.countersHead} style={{ top, height: HEAD_PX }}>
      <span className="rigid one-line">{texts.countersFromTheViews}</span>
      {count === 0 ? null : (
        <span className="rigid one-line" title={why}>
          {texts.pollsMissed(count)}
        </span>
      )}
    </div>
  );
}

function GutterLane({
  box: { lane, tall, top, height },
  figures,
  words,
  onLane,
}: {
  box: LaneBox;
  words: string;
  figures: LivePicture["figures"][string] | undefined;
  onLane: Props["onLane"];
}): ReactNode {
  const p95 = figures?.p95 ?? null;
  const far = p95 !== null && p95 > FAR * lane.limitUs;
  const count =
    figures === undefined
      ? ""
      : texts.nLargest(figures.n, formatDuration(figures.max).value, formatDuration(figures.max).unit);
  return (
    <button
      type="button"
      className={laneFrame.lane}
      data-place={lane.place}
      data-size={tall ? "tall" : "thin"}
      style={{ top, height }}
      title={texts.click({ heading: lane.heading, label: lane.label, words, count, tall })}
      aria-expanded={tall}
      onClick={() => onLane(lane, !tall)}
    >
      {tall && lane.heading !== "" ? <span className={laneFrame.place}>{lane.heading}</span> : null}
      <span className={laneFrame.laneRow}>
        <span className={laneFrame.laneName}>
          <MiddleEllipsis text={lane.label} />
        </span>
        <span>
          <Value figure={formatDuration(figures?.p50)} />
        </span>
        <span data-far={far}>
          <Value figure={formatDuration(p95)} />
        </span>
      </span>
    </button>
  );
}

/** The scales at the right: 10 and 100 ms of a tall lane, the top of a gauge. */
export function LiveMargin({
  boxes,
  gauges,
}: {
  readonly boxes: readonly LaneBox[];
  readonly gauges: readonly PlacedGauge[];
}): ReactNode {
  return (
    <div className={laneFrame.margin} aria-hidden="true">
      {boxes
        .filter((box) => box.tall)
        .flatMap((box) =>
          (box.height < LEAST_FOR_BOTH_PX ? [10_000] : [100_000, 10_000]).map((us) => (
            <span
              key={`${box.lane.key} ${us}`}
              style={{ top: box.top + box.height - logHeight(us) * (box.height - 4) - 6 }}
            >
              {us === 100_000 ? "100" : texts.ms}
            </span>
          )),
        )}
      {gauges.map(({ gauge, top, scale }) => (
        <span key={gauge.key} style={{ top: top - 1 }}>
          {gauge.scale(scale)}
        </span>
      ))}
    </div>
  );
}
