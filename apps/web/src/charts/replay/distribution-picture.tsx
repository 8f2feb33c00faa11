import type { ReactNode } from "react";
import { TALL_DESK, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import {
  HistogramBars,
  HistogramGrid,
  PercentileMarks,
  type Percentiles,
} from "../distribution/histogram-parts.tsx";
import { barHeight, durationAxis } from "../distribution/histogram.ts";
import "./replay.css";

interface Props {
  /** Logarithmic bins, µs: one more than the counts. */
  readonly edges: readonly number[];
  readonly measured: readonly number[];
  readonly predicted: readonly number[];
  readonly now: Percentiles;
  readonly then: Percentiles;
  readonly intervals: Readonly<Record<keyof Percentiles, readonly [number | null, number | null]>>;
  readonly label: string;
}

const HEIGHT = 220;
const TOP = 44;
/** Height in a window with enough room, px. */
const TALL_HEIGHT = 340;

/** Commit latencies on one logarithmic scale, the share as square root: measured outlined, predicted filled. */
export function DistributionPicture({
  edges,
  measured,
  predicted,
  now,
  then,
  intervals,
  label,
}: Props): ReactNode {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const axis = durationAxis(edges, "log", width);
  const { x, ticks } = axis;
  const height = useMedia(TALL_DESK) ? TALL_HEIGHT : HEIGHT;
  const ground = height - 22;
  const most = Math.max(1, ...measured, ...predicted);
  const heightsOf = (counts: readonly number[]): number[] => counts.map((count) => barHeight(count, most, 1));
  return (
    <div ref={ref} style={{ height: height }}>
      {width > 0 && edges.length > 1 ? (
        <svg className="histogram" width={width} height={height} role="img" aria-label={label}>
          <HistogramGrid axis={axis} from={TOP - 8} to={ground} />
          {ticks.map(({ at, label: text }) => (
            <text key={at} className="tick" x={x(at)} y={height - 6} textAnchor="middle">
              {text}
            </text>
          ))}
          {Object.entries(intervals).map(([name, [from, to]]) =>
            from === null || to === null ? null : (
              <rect
                key={name}
                className="band"
                x={x(from)}
                width={x(to) - x(from)}
                y={TOP}
                height={ground - TOP}
              />
            ),
          )}
          <HistogramBars
            place={{ axis, ground: ground, height: ground - TOP }}
            filled={heightsOf(predicted)}
            outlined={heightsOf(measured)}
            color="--wait"
          />
          <PercentileMarks axis={axis} percentiles={now} word="now" labelY={14} ground={ground} />
          <PercentileMarks axis={axis} percentiles={then} word="then" labelY={32} ground={ground} />
        </svg>
      ) : null}
    </div>
  );
}
