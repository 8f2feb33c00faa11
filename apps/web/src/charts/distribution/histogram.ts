/**
 * Places of bins of durations on a plot, and the outlines of their bars; shares as square roots, so that one block
 * stays visible.
 */
import { scaleLinear, scaleLog } from "d3-scale";
import { durationLabel, durationTicks, type Tick } from "../axis.ts";

/** A scale of durations over a plot of a given width in px. */
export interface DurationAxis {
  readonly edges: readonly number[];
  /** Px from the left edge; a value outside of the bins is at the nearer end. */
  readonly x: (us: number) => number;
  readonly width: number;
  readonly ticks: readonly Tick[];
}

/** The common axis of all rows. @param edges of the bins, µs */
export function durationAxis(edges: readonly number[], axis: "log" | "linear", width: number): DurationAxis {
  const domain = [edges[0] ?? 1, edges.at(-1) ?? 10] as const;
  if (axis === "log") {
    const x = scaleLog(domain, [0, width]).clamp(true);
    return { edges, width, x: (us) => (us > 0 ? x(us) : 0), ticks: durationTicks(...domain) };
  }
  const x = scaleLinear(domain, [0, width]).clamp(true);
  const ticks = x.ticks(Math.max(2, width / 90)).map((at) => ({ at, label: durationLabel(at) }));
  return { edges, width, x, ticks };
}

/** The bin at a place of the plot, px; the nearest one outside. */
export function binAt({ edges, x }: DurationAxis, px: number): number {
  const next = edges.findIndex((edge) => x(edge) > px);
  return Math.min(edges.length - 2, Math.max(0, next < 0 ? edges.length - 2 : next - 1));
}

/** Height of a bin's bar, 0 to 1. */
export const barHeight = (count: number, n: number, mostShare: number): number =>
  n === 0 || mostShare === 0 ? 0 : Math.sqrt(count / n / mostShare);

/** Largest share that a bin has of its range's values. */
export const mostShareOf = (
  ranges: readonly { readonly n: number; readonly counts: readonly number[] }[],
): number => Math.max(0, ...ranges.map(({ n, counts }) => Math.max(...counts) / Math.max(1, n)));

/** Place of bars on a plot. */
export interface Place {
  readonly axis: DurationAxis;
  /** Px of the ground line, and of the tallest bar above it. */
  readonly ground: number;
  readonly height: number;
}

const LEAST_BAR_PX = 2;

/** All bars as one path. @param heights 0 to 1, one per bin */
export function barsPath({ axis, ground, height }: Place, heights: readonly number[]): string {
  const { edges, x } = axis;
  return heights
    .map((share, bin) => {
      if (share === 0) return "";
      const left = x(edges[bin]);
      const width = Math.max(1, x(edges[bin + 1]) - left - 0.75);
      const tall = Math.max(LEAST_BAR_PX, share * height);
      return `M${px(left)} ${px(ground)}v${px(-tall)}h${px(width)}v${px(tall)}z`;
    })
    .join("");
}

/** The outline of all bars. */
export function outlinePath({ axis, ground, height }: Place, heights: readonly number[]): string {
  const { edges, x } = axis;
  const steps = heights.map(
    (share, bin) =>
      `V${px(ground - (share === 0 ? 0 : Math.max(LEAST_BAR_PX, share * height)))}H${px(x(edges[bin + 1]))}`,
  );
  return `M${px(x(edges[0] ?? 1))} ${px(ground)}${steps.join("")}V${px(ground)}`;
}

/** Share of the values at or below the upper edge of each bin. */
export function cumulativeShares(range: {
  readonly n: number;
  readonly under: number;
  readonly counts: readonly number[];
}): number[] {
  let below = range.under;
  return range.counts.map((count) => (below += count) / Math.max(1, range.n));
}

/** The line of cumulative shares, from the lowest value to the highest. */
export function cumulativePath({ axis, ground, height }: Place, shares: readonly number[]): string {
  const { edges, x } = axis;
  const last = shares.findIndex((share) => share >= 1);
  return shares
    .slice(0, last < 0 ? undefined : last + 1)
    .map((share, bin) => `${bin === 0 ? "M" : "L"}${px(x(edges[bin + 1]))} ${px(ground - share * height)}`)
    .join("");
}

const px = (value: number): string => String(Math.round(value * 100) / 100);

export interface Mark {
  readonly name: string;
  readonly at: number;
}

export interface MarkLabel {
  readonly text: string;
  /** Px; the text begins there, or ends there. */
  readonly x: number;
  readonly anchor: "start" | "end";
}

/** Width of `p50`; each further letter adds LETTER_PX. */
const LABEL_PX = 26;
const LETTER_PX = 6;
const GAP_PX = 3;

const labelPx = (group: readonly Mark[]): number =>
  group.reduce((sum, { name }) => sum + LABEL_PX + LETTER_PX * (name.length - 3), 0);
const labelEnd = (group: readonly Mark[]): number => group.at(-1)!.at + GAP_PX + labelPx(group);
const fitsBehind = (group: readonly Mark[], width: number): boolean => labelEnd(group) <= width;

/**
 * Names of percentiles next to their lines: lines that are too close together share a label, and the last names stay
 * inside the plot.
 */
export function markLabels(marks: readonly Mark[], width: number): MarkLabel[] {
  const groups: Mark[][] = [];
  for (const mark of marks) {
    const group = groups.at(-1);
    if (group !== undefined && mark.at - group.at(-1)!.at < labelPx(group)) group.push(mark);
    else groups.push([mark]);
  }
  const [previous, end] = [groups.at(-2), groups.at(-1)];
  const isTight =
    previous !== undefined &&
    end !== undefined &&
    !fitsBehind(end, width) &&
    labelEnd(previous) > end[0].at - GAP_PX - labelPx(end);
  if (isTight) groups.splice(-2, 2, [...previous, ...end]);
  return groups.map((group) => {
    const text = group.map(({ name }) => name).join(", ");
    const [first, last] = [group[0], group.at(-1)!];
    return fitsBehind(group, width)
      ? { text, x: last.at + GAP_PX, anchor: "start" }
      : { text, x: first.at - GAP_PX, anchor: "end" };
  });
}
