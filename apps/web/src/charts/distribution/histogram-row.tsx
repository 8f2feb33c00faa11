import type { ReactNode } from "react";
import type { Histogram } from "@aglens/contract";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { formatCount } from "../../ui/words.ts";
import { durationLabel } from "../axis.ts";
import { barHeight, cumulativePath, cumulativeShares, mostShareOf, type DurationAxis } from "./histogram.ts";
import { HistogramBars, HistogramGrid, PercentileMarks } from "./histogram-parts.tsx";
import "./distribution.css";

/** Limits of log writes, µs. */
const CLASSES = [
  { from: 10_000, name: "reasonable" },
  { from: 20_000, name: "busy" },
  { from: 50_000, name: "bad" },
] as const;

interface Props {
  readonly axis: DurationAxis;
  /** The range in view, and a second one. */
  readonly ranges: readonly Histogram[];
  /** A token such as `--s-disk`. */
  readonly color: string;
  /** End of the ground that marks expected values, µs; NaN where nothing is expected. */
  readonly limitUs: number;
  readonly height: number;
  /** Height of the line of cumulative shares under the bars; 0 without. */
  readonly cumulative: number;
  /** Whether lines show the first range's percentiles. */
  readonly withPercentiles?: boolean;
}

const TOP = 14;

/** Histogram of one stage: bars, percentiles, class bands or the expected range, and a second range as an outline. */
export function HistogramRow({
  axis,
  ranges,
  color,
  limitUs,
  height,
  cumulative,
  withPercentiles = true,
}: Props): ReactNode {
  const { x, width } = axis;
  const [first, second] = ranges;
  if (first === undefined) return null;
  const place = { axis, ground: height, height: height - TOP };
  const most = mostShareOf(ranges);
  const heightsOf = ({ counts, n }: Histogram): number[] => counts.map((count) => barHeight(count, n, most));
  const total = height + cumulative;
  return (
    <svg className="histogram" width={width} height={total} aria-hidden="true">
      {first.classes === null ? null : <ClassBands axis={axis} height={height} />}
      <HistogramGrid axis={axis} from={0} to={total} />
      <HistogramBars
        place={place}
        filled={heightsOf(first)}
        outlined={second === undefined ? null : heightsOf(second)}
        color={color}
      />
      {Number.isFinite(limitUs) ? (
        <Expected
          axis={axis}
          limitUs={limitUs}
          height={height}
          firstPx={x(axis.edges[first.counts.findIndex((count) => count > 0)] ?? Number.POSITIVE_INFINITY)}
        />
      ) : null}
      {withPercentiles ? <PercentileMarks axis={axis} percentiles={first} ground={height} /> : null}
      {first.over === 0 ? null : (
        <text x={width} y={height - 5} textAnchor="end">
          {texts.longer(formatCount(first.over))}
        </text>
      )}
      {cumulative === 0 ? null : <Cumulative axis={axis} ranges={ranges} top={height} height={cumulative} />}
    </svg>
  );
}

/** Narrower ranges have no room for the words. */
const EXPECTED_PX = 116;

function Expected({
  axis: { x },
  limitUs,
  height,
  firstPx,
}: {
  readonly axis: DurationAxis;
  readonly limitUs: number;
  readonly height: number;
  /** Where the bars begin. */
  readonly firstPx: number;
}): ReactNode {
  return (
    <>
      <line className="expected" x1={0} x2={x(limitUs)} y1={height} y2={height} />
      {Math.min(firstPx, x(limitUs)) < EXPECTED_PX ? null : (
        <text x={4} y={height - 5}>
          {texts.expectedUnder(durationLabel(limitUs))}
        </text>
      )}
    </>
  );
}

function ClassBands({
  axis: { x, width },
  height,
}: {
  readonly axis: DurationAxis;
  readonly height: number;
}): ReactNode {
  return CLASSES.map(({ from, name }, i) => {
    const left = x(from);
    const right = i + 1 < CLASSES.length ? x(CLASSES[i + 1].from) : width;
    return (
      <rect
        key={name}
        className={`class ${name}`}
        x={left}
        width={Math.max(0, right - left)}
        y={0}
        height={height}
      />
    );
  });
}

const SHARES = [0.5, 0.95, 1] as const;

function Cumulative({
  axis,
  ranges,
  top,
  height,
}: {
  readonly axis: DurationAxis;
  readonly ranges: readonly Histogram[];
  readonly top: number;
  readonly height: number;
}): ReactNode {
  const place = { axis, ground: top + height - 4, height: height - 12 };
  return (
    <g>
      {SHARES.map((share) => {
        const y = place.ground - share * place.height;
        return (
          <g key={share}>
            <line className="grid" x1={0} x2={axis.width} y1={y} y2={y} />
            {share === 0.95 ? null : (
              <text className="share" x={4} y={y + 10}>
                {share === 1 ? texts.atOrBelow : "50 %"}
              </text>
            )}
          </g>
        );
      })}
      {ranges.map((range, i) => (
        <path
          key={i === 0 ? "first" : "second"}
          className={i === 0 ? "cumulative" : "cumulative second"}
          d={cumulativePath(place, cumulativeShares(range))}
        />
      ))}
    </g>
  );
}
