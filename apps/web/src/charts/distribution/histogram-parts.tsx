/** Common parts of pictures of durations: bars on a scale, with percentiles over them. */
import type { ReactNode } from "react";
import { barsPath, markLabels, outlinePath, type DurationAxis, type Place } from "./histogram.ts";
import "./distribution.css";
import { termProps } from "../../ui/term.tsx";

/** Pattern of a place in forced colors. */
function placeOfColor(color: string): string {
  if (color.startsWith("--n-")) return "network";
  return color.startsWith("--s-") ? "secondary" : "primary";
}

interface BarsProps {
  readonly place: Place;
  /** Heights of the bars, 0 to 1, one for each bin. */
  readonly filled: readonly number[];
  /** Heights of a second histogram; null without one. */
  readonly outlined: readonly number[] | null;
  /** A token such as `--s-disk`. */
  readonly color: string;
}

/** The bars of one histogram, the outline of another one, and their ground. */
export const HistogramBars = ({ place, filled, outlined, color }: BarsProps): ReactNode => (
  <>
    <path
      className={`bars ${placeOfColor(color)}`}
      style={{ fill: `var(${color})` }}
      d={barsPath(place, filled)}
    />
    {outlined === null ? null : <path className="second" d={outlinePath(place, outlined)} />}
    <line className="base" x1={0} x2={place.axis.width} y1={place.ground} y2={place.ground} />
  </>
);

/** Upright lines at the axis's round durations. */
export const HistogramGrid = ({
  axis: { ticks, x },
  from,
  to,
}: {
  readonly axis: DurationAxis;
  /** Px from the top. */
  readonly from: number;
  readonly to: number;
}): ReactNode =>
  ticks.map(({ at, label }) =>
    label === "" ? null : <line key={at} className="grid" x1={x(at)} x2={x(at)} y1={from} y2={to} />,
  );

const NAMES = ["p50", "p95", "p99"] as const;

/** Percentiles that are shown over a histogram, µs; null where a percentile has too few values. */
export type Percentiles = Readonly<Record<(typeof NAMES)[number], number | null>>;

interface MarksProps {
  readonly axis: DurationAxis;
  readonly percentiles: Percentiles;
  /** Name of their series, where a picture has several. */
  readonly word?: string;
  /** Px from the top: of the names, and of the lines' ends. */
  readonly labelY?: number;
  readonly ground: number;
}

/** A line with its name at each percentile inside the plot. */
export function PercentileMarks({ axis, percentiles, word, labelY = 11, ground }: MarksProps): ReactNode {
  const { edges, x, width } = axis;
  const end = edges.at(-1) ?? Number.POSITIVE_INFINITY;
  const marks = NAMES.flatMap((name) => {
    const us = percentiles[name];
    return us === null || us >= end ? [] : [{ name, at: x(us) }];
  });
  const named = marks.map(({ name, at }, i) => ({
    name: i === 0 && word !== undefined ? `${word} ${name}` : name,
    at,
  }));
  return (
    <g className={word}>
      {marks.map(({ name, at }) => (
        <line key={name} className={`mark ${name}`} x1={at} x2={at} y1={labelY - 7} y2={ground} />
      ))}
      {markLabels(named, width).map((label) => (
        <text
          key={label.text}
          className="mark-name"
          x={label.x}
          y={labelY}
          textAnchor={label.anchor}
          {...termProps(NAMES.find((name) => label.text.includes(name)) ?? "p50")}
        >
          {label.text}
        </text>
      ))}
    </g>
  );
}
