import { useCallback } from "react";
import { durationTicks } from "../axis.ts";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import type { Tokens } from "../../lanes/palette.ts";
import { drawGround, xOf, type Ground, type TimeScale } from "./frame.ts";
import type { LatencyBin, Samples } from "./latency-bins.ts";

interface Props {
  readonly scale: TimeScale;
  readonly ground: Ground;
  readonly bins: readonly LatencyBin[];
  readonly dots: Samples;
  /** µs at the bottom and the top. */
  readonly domain: readonly [number, number];
  readonly height: number;
}

/** Height of a duration in the plot, from the top. */
export function yOf([low, high]: readonly [number, number], us: number, height: number): number {
  const share = Math.log(us / low) / Math.log(high / low);
  return height * (1 - Math.min(1, Math.max(0, share)));
}

/** Bands p50 to p95 to p99, the p50 line, and a dot per commit or block, on a logarithmic axis. */
export function LatencyChart({ scale, ground, bins, dots, domain, height }: Props) {
  const draw = useCallback<Draw>(
    (context, width, h, tokens) => {
      drawGround(context, width, h, tokens, scale, ground, true);
      context.fillStyle = tokens["--grid"];
      for (const { at } of durationTicks(...domain))
        context.fillRect(0, Math.round(yOf(domain, at, h)), width, 1);
      const y = (us: number): number => yOf(domain, us, h);
      drawBands(context, width, tokens, scale, bins, y);
      drawDots(context, width, tokens, scale, dots, y);
      drawLines(context, width, tokens, scale, bins, y);
      drawBrackets(context, width, tokens, scale, ground);
    },
    [scale, ground, bins, dots, domain],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}

type Y = (us: number) => number;

function drawBands(
  context: CanvasRenderingContext2D,
  width: number,
  tokens: Tokens,
  scale: TimeScale,
  bins: readonly LatencyBin[],
  y: Y,
): void {
  context.fillStyle = tokens["--wait"];
  for (const bin of bins) {
    if (bin.p50 === null || bin.p95 === null || bin.p99 === null) continue;
    const left = xOf(scale, bin.from, width);
    const w = Math.max(1, xOf(scale, bin.to, width) - left - 1);
    context.globalAlpha = 0.42;
    context.fillRect(left, y(bin.p95), w, y(bin.p50) - y(bin.p95));
    context.globalAlpha = 0.22;
    context.fillRect(left, y(bin.p99), w, y(bin.p95) - y(bin.p99));
  }
  context.globalAlpha = 1;
}

/** Up to here single commits are what there is to see. */
const FEW_DOTS = 100;

function drawDots(
  context: CanvasRenderingContext2D,
  width: number,
  tokens: Tokens,
  scale: TimeScale,
  { at, value }: Samples,
  y: Y,
): void {
  context.fillStyle = tokens["--ink-3"];
  const few = at.length <= FEW_DOTS;
  context.globalAlpha = few ? 0.8 : 0.55;
  for (let i = 0; i < at.length; i++) {
    const x = xOf(scale, at[i], width);
    if (x < -2 || x > width + 2 || !(value[i] > 0)) continue;
    context.beginPath();
    context.arc(x, y(value[i]), few ? 2.5 : 1.3, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawLines(
  context: CanvasRenderingContext2D,
  width: number,
  tokens: Tokens,
  scale: TimeScale,
  bins: readonly LatencyBin[],
  y: Y,
): void {
  for (const bin of bins) {
    if (bin.p50 === null || bin.p95 === null) continue;
    const left = xOf(scale, bin.from, width);
    const w = Math.max(1, xOf(scale, bin.to, width) - left - 1);
    context.fillStyle = tokens["--ink-3"];
    context.fillRect(left, y(bin.p95) - 0.5, w, 1);
    context.fillStyle = tokens["--ink"];
    context.fillRect(left, y(bin.p50) - 1, w, 2);
  }
}

function drawBrackets(
  context: CanvasRenderingContext2D,
  width: number,
  tokens: Tokens,
  scale: TimeScale,
  { episodes }: Ground,
): void {
  context.strokeStyle = tokens["--bad-ink"];
  context.lineWidth = 1.5;
  for (const { from, to } of episodes) {
    const left = xOf(scale, from, width);
    const right = xOf(scale, to, width);
    context.beginPath();
    context.moveTo(left, 6);
    context.lineTo(left, 0.75);
    context.lineTo(right, 0.75);
    context.lineTo(right, 6);
    context.stroke();
  }
}
