import type { ReactNode } from "react";
import { useSize } from "../../ui/use-size.ts";
import { durationTicks } from "../axis.ts";
import "./replay.css";

export interface Marks {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

interface Props {
  /** Logarithmic bins, µs: one more than the counts. */
  readonly edges: readonly number[];
  readonly measured: readonly number[];
  readonly predicted: readonly number[];
  readonly now: Marks;
  readonly then: Marks;
  readonly intervals: Readonly<Record<keyof Marks, readonly [number | null, number | null]>>;
  readonly label: string;
}

const HEIGHT = 220;
const TOP = 44;
const BOTTOM = 22;
const NAMES = ["p50", "p95", "p99"] as const;

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
  const low = edges[0] ?? 1;
  const high = edges[edges.length - 1] ?? 10;
  const x = (us: number): number =>
    (Math.max(0, Math.min(1, Math.log(us / low) / Math.log(high / low))) || 0) * width;
  const most = Math.max(1, ...measured, ...predicted);
  const y = (n: number): number => HEIGHT - BOTTOM - Math.sqrt(n / most) * (HEIGHT - TOP - BOTTOM);
  const outline = measured.map((n, i) => `${i === 0 ? "M" : "L"}${x(edges[i])} ${y(n)}H${x(edges[i + 1])}`);
  return (
    <div ref={ref} className="replay-picture" style={{ height: HEIGHT }}>
      {width > 0 && edges.length > 1 ? (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {durationTicks(low, high).map(({ at, label: text }) => (
            <g key={at}>
              <line className="grid" x1={x(at)} x2={x(at)} y1={TOP - 8} y2={HEIGHT - BOTTOM} />
              <text className="tick" x={x(at)} y={HEIGHT - 6} textAnchor="middle">
                {text}
              </text>
            </g>
          ))}
          {NAMES.map((name) => {
            const [from, to] = intervals[name];
            return from === null || to === null ? null : (
              <rect
                key={name}
                className="band"
                x={x(from)}
                width={x(to) - x(from)}
                y={TOP}
                height={HEIGHT - TOP - BOTTOM}
              />
            );
          })}
          {predicted.map((n, i) =>
            n === 0 ? null : (
              <rect
                key={edges[i]}
                className="filled"
                x={x(edges[i]) + 0.5}
                width={Math.max(1, x(edges[i + 1]) - x(edges[i]) - 1)}
                y={y(n)}
                height={HEIGHT - BOTTOM - y(n)}
              />
            ),
          )}
          <path className="outline" d={outline.join("")} />
          <line className="base" x1={0} x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
          <PercentileMarks marks={now} word="now" line="now" x={x} width={width} row={14} />
          <PercentileMarks marks={then} word="then" line="then" x={x} width={width} row={32} />
        </svg>
      ) : null}
    </div>
  );
}

interface MarkProps {
  readonly marks: Marks;
  readonly word: string;
  readonly line: "now" | "then";
  readonly x: (us: number) => number;
  readonly width: number;
  /** Baseline of the labels. */
  readonly row: number;
}

const LABEL_WIDTH = 52;

function PercentileMarks({ marks, word, line, x, width, row }: MarkProps): ReactNode {
  let free = -Infinity;
  return NAMES.map((name, i) => {
    const us = marks[name];
    if (us === null) return null;
    const at = x(us);
    const text = i === 0 ? `${word} ${name}` : name;
    // A label that would touch the one before it moves to its right.
    const left = Math.min(Math.max(at - 16, free), width - (i === 0 ? LABEL_WIDTH : 20));
    free = left + (i === 0 ? LABEL_WIDTH + 4 : 26);
    return (
      <g key={name} className={line}>
        <line x1={at} x2={at} y1={row + 3} y2={HEIGHT - BOTTOM} />
        <text x={left} y={row}>
          {text}
        </text>
      </g>
    );
  });
}
