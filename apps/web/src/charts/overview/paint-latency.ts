/** Latencies over time on a logarithmic axis: bands p50 to p95 to p99, the p50 line, and a dot per commit or block. */
import { scaleLog } from "d3-scale";
import type { Tokens } from "../../lanes/palette.ts";
import { durationTicks } from "../axis.ts";
import { xOf, type TimeScale } from "../time-scale.ts";
import { paintGround, type Ground, type Sheet } from "./ground.ts";
import type { LatencyBin, Samples } from "./latency-bins.ts";

type Context = CanvasRenderingContext2D;

/** Contents of the chart of latencies. */
export interface Latencies {
  readonly ground: Ground;
  readonly bins: readonly LatencyBin[];
  readonly dots: Samples;
  /** µs at the bottom and the top. */
  readonly domain: readonly [number, number];
}

/**
 * Maps a duration, µs, to its height in a plot of `height` px, from the top; a value outside of the domain is at its
 * edge.
 */
export const latencyScale = (domain: readonly [number, number], height: number): ((us: number) => number) =>
  scaleLog().domain(domain).range([height, 0]).clamp(true);

type Y = (us: number) => number;

/** Draws the chart. */
export function paintLatency(sheet: Sheet, { ground, bins, dots, domain }: Latencies): void {
  const { context, tokens, scale, height } = sheet;
  const y = latencyScale(domain, height);
  paintGround(sheet, ground, true);
  context.fillStyle = tokens["--grid"];
  for (const { at } of durationTicks(...domain)) context.fillRect(0, Math.round(y(at)), scale.width, 1);
  paintBands(context, tokens, scale, bins, y);
  paintDots(context, tokens, scale, dots, y);
  paintLines(context, tokens, scale, bins, y);
  paintBrackets(context, tokens, scale, ground);
}

/** Left edge and width of a bin's bar, px: a pixel stays free between neighbors. */
function barOf(scale: TimeScale, { from, to }: LatencyBin): readonly [number, number] {
  const left = xOf(scale, from);
  return [left, Math.max(1, xOf(scale, to) - left - 1)];
}

function paintBands(
  context: Context,
  tokens: Tokens,
  scale: TimeScale,
  bins: readonly LatencyBin[],
  y: Y,
): void {
  context.fillStyle = tokens["--wait"];
  for (const bin of bins) {
    if (bin.p50 === null || bin.p95 === null || bin.p99 === null) continue;
    const [left, width] = barOf(scale, bin);
    context.globalAlpha = 0.42;
    context.fillRect(left, y(bin.p95), width, y(bin.p50) - y(bin.p95));
    context.globalAlpha = 0.22;
    context.fillRect(left, y(bin.p99), width, y(bin.p95) - y(bin.p99));
  }
  context.globalAlpha = 1;
}

/** Up to this number, single commits are drawn larger, because they are all the data. */
const FEW_DOTS = 100;
const FEW_RADIUS_PX = 2.5;
/** Twenty thousand squares look like circles at this size, and circles take nearly three times as long to draw. */
const MANY_SIDE_PX = 2.3;

function paintDots(context: Context, tokens: Tokens, scale: TimeScale, { at, value }: Samples, y: Y): void {
  const few = at.length <= FEW_DOTS;
  context.fillStyle = tokens["--ink-3"];
  context.globalAlpha = few ? 0.8 : 0.55;
  for (let i = 0; i < at.length; i++) {
    const x = xOf(scale, at[i]);
    if (x < -2 || x > scale.width + 2 || !(value[i] > 0)) continue;
    if (!few) {
      context.fillRect(x - MANY_SIDE_PX / 2, y(value[i]) - MANY_SIDE_PX / 2, MANY_SIDE_PX, MANY_SIDE_PX);
      continue;
    }
    context.beginPath();
    context.arc(x, y(value[i]), FEW_RADIUS_PX, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

function paintLines(
  context: Context,
  tokens: Tokens,
  scale: TimeScale,
  bins: readonly LatencyBin[],
  y: Y,
): void {
  for (const bin of bins) {
    if (bin.p50 === null || bin.p95 === null) continue;
    const [left, width] = barOf(scale, bin);
    context.fillStyle = tokens["--ink-3"];
    context.fillRect(left, y(bin.p95) - 0.5, width, 1);
    context.fillStyle = tokens["--ink"];
    context.fillRect(left, y(bin.p50) - 1, width, 2);
  }
}

function paintBrackets(context: Context, tokens: Tokens, scale: TimeScale, { episodes }: Ground): void {
  context.strokeStyle = tokens["--bad-ink"];
  context.lineWidth = 1.5;
  for (const { from, to } of episodes) {
    const [left, right] = [xOf(scale, from), xOf(scale, to)];
    context.beginPath();
    context.moveTo(left, 6);
    context.lineTo(left, 0.75);
    context.lineTo(right, 0.75);
    context.lineTo(right, 6);
    context.stroke();
  }
}
