import type { ReactNode } from "react";
import { type DurationAxis, durationAxis } from "../../charts/distribution/histogram.ts";
import { HistogramRow } from "../../charts/distribution/histogram-row.tsx";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import { durationText, formatCount } from "../../ui/words.ts";
import { TALL_DESK, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { expectedLimit, stageColor, distributionStageName } from "../capture-view/stage-means.ts";
import type { ComparedStage, ComparedSides } from "@aglens/contract";
import { factorText } from "./compare-text.ts";
import styles from "./compare.module.css";
import { termProps } from "../../ui/term.tsx";

const HEIGHT = 64;
/** Height with which nine rows fill a window of 1,920 by 1,080 px. */
const TALL_HEIGHT = 90;

/** One histogram per stage on one scale: B filled, A an outline, an arrow from median to median. */
export function ComparedRows({
  comparison: { edges, stages },
  names,
}: {
  readonly comparison: ComparedSides;
  readonly names: ReplicaNames;
}): ReactNode {
  const [plot, { width }] = useSize<HTMLDivElement>();
  const axis = durationAxis(edges, "log", width);
  const height = useMedia(TALL_DESK) ? TALL_HEIGHT : HEIGHT;
  return (
    <>
      <ol aria-label={texts.stages}>
        {stages.map((compared) => (
          <li key={compared.stage} className={styles.row}>
            <p className={styles.name}>
              <span {...termProps(compared.stage)}>{distributionStageName(compared.stage, names)}</span>
              <small className="quiet text-small block">
                <span {...termProps("p50")}>{rowText(compared)}</span>
              </small>
              <small className="quiet text-small block">{countText(compared)}</small>
            </p>
            <div className="relative" style={{ height }}>
              {width === 0 ? null : <Row compared={compared} axis={axis} height={height} />}
            </div>
          </li>
        ))}
      </ol>
      <div className={styles.axisRow} aria-hidden="true">
        <div className={styles.axis} ref={plot}>
          {axis.ticks.map(({ at, label }) =>
            label === "" ? null : (
              <span key={at} style={{ left: axis.x(at) }}>
                {label}
              </span>
            ),
          )}
        </div>
      </div>
    </>
  );
}

const countText = ({ ranges: [a, b] }: ComparedStage): string =>
  texts.nAnd(formatCount(a.n), formatCount(b.n));

const rowText = ({ ranges: [a, b] }: ComparedStage): string =>
  `p50 ${durationText(a.p50)} to ${durationText(b.p50)}`;

function Row({
  compared,
  axis,
  height,
}: {
  readonly compared: ComparedStage;
  readonly axis: DurationAxis;
  readonly height: number;
}): ReactNode {
  const { stage, ranges } = compared;
  const [a, b] = ranges;
  return (
    <>
      <HistogramRow
        axis={axis}
        ranges={[b, a]}
        color={stageColor(stage)}
        limitUs={expectedLimit(stage)}
        height={height}
        cumulative={0}
        withPercentiles={false}
      />
      <Arrow from={a.p50} to={b.p50} axis={axis} />
    </>
  );
}

/** Width that the factor needs next to the arrow's head, px. */
const FACTOR_PX = 44;

function Arrow({
  from,
  to,
  axis: { x, width },
}: {
  readonly from: number | null;
  readonly to: number | null;
  readonly axis: DurationAxis;
}): ReactNode {
  const factor = factorText(from, to);
  if (factor === null || from === null || to === null) return null;
  const [start, end] = [x(from), x(to)];
  const isLeft = end < start;
  const fits = isLeft ? end > FACTOR_PX : end < width - FACTOR_PX;
  return (
    <svg className={styles.arrow} width={width} height={12} aria-hidden="true">
      <line x1={start} x2={end} y1={6} y2={6} />
      <path d={isLeft ? `M${end} 6l6 -4v8z` : `M${end} 6l-6 -4v8z`} />
      <text x={fits === isLeft ? end - 6 : end + 6} y={10} textAnchor={fits === isLeft ? "end" : "start"}>
        {factor}
      </text>
    </svg>
  );
}
