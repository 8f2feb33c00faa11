/** Latency and shares of the time that screens show first, and a minimap of the complete capture. */
import { durationTicks, timeAxis } from "../../../charts/axis.ts";
import { latencyScale, paintLatency } from "../../../charts/overview/paint-latency.ts";
import { paintShares } from "../../../charts/overview/paint-shares.ts";
import { paintMinimap } from "../../../charts/paint-minimap.ts";
import { xOf } from "../../../charts/time-scale.ts";
import type { Tokens } from "../../../lanes/palette.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { durationText, formatCount, formatInstant } from "../../../ui/words.ts";
import { uncoveredNames } from "../../capture-view/coverage.ts";
import type { ReportData } from "./report-data.ts";
import type { Drawing } from "./svg-picture.tsx";

/** Width of every picture, and of the scale at its left, px. */
export const PICTURE_PX = 1_110;
const SCALE_PX = 60;
const PLOT_PX = PICTURE_PX - SCALE_PX;
const LATENCY_PX = 180;
const SHARES_PX = 70;
const MINIMAP_PX = 40;
const AXIS_PX = 26;
const TICKS = 10;

/**
 * Whether latency and shares cover less than the capture: the minimap, which covers all of it, then has another axis.
 */
export const isPartOfCapture = ({ whole: { range, all } }: Pick<ReportData, "whole">): boolean =>
  range.to - range.from < all.to - all.from;

/** Commit latency over time. */
export function latencyDrawing(data: ReportData): Drawing {
  const { whole, summary } = data;
  const { range, domain, ground, bins, dots } = whole;
  const { count, latency } = summary.commits;
  const of = isPartOfCapture(data) ? texts.ofTheWholeCapture : "";
  const label = texts.commitLatencyOverP50({
    to: durationText(range.to - range.from),
    of,
    p50: durationText(latency.p50),
    p95: durationText(latency.p95),
    count: formatCount(count),
  });
  return {
    width: PICTURE_PX,
    height: LATENCY_PX + 4,
    label,
    draw: (context, tokens) => {
      const y = latencyScale(domain, LATENCY_PX);
      for (const { at, label: words } of durationTicks(...domain))
        scaleLabel(context, tokens, words, Math.min(LATENCY_PX - 2, Math.max(9, y(at) + 4)));
      inPlot(context, LATENCY_PX, (plot) => {
        paintLatency(
          { context: plot, tokens, scale: { ...range, width: PLOT_PX }, height: LATENCY_PX },
          {
            ground,
            bins,
            dots,
            domain,
          },
        );
        groundText(plot, tokens, data);
      });
    },
  };
}

/** Share of remote harden by stage, with its own axis where the minimap below has another one. */
export function sharesDrawing(data: ReportData): Drawing {
  const { range, overview, ground } = data.whole;
  const hasAxis = isPartOfCapture(data);
  return {
    width: PICTURE_PX,
    height: SHARES_PX + (hasAxis ? AXIS_PX : 0),
    label: texts.shareOfRemoteHarden,
    draw: (context, tokens) => {
      scaleLabel(context, tokens, "100 %", 9);
      scaleLabel(context, tokens, "0 %", SHARES_PX - 1);
      inPlot(context, SHARES_PX, (plot) =>
        paintShares(
          { context: plot, tokens, scale: { ...range, width: PLOT_PX }, height: SHARES_PX },
          overview,
          ground,
        ),
      );
      if (hasAxis) axisLabels(context, tokens, data.summary, range, SHARES_PX + 16);
    },
  };
}

/** Slowest block per pixel of the complete capture, with its axis. */
export function minimapDrawing(data: ReportData): Drawing {
  const { whole, summary, choice } = data;
  const { all, minimap } = whole;
  const scale = { ...all, width: PLOT_PX };
  return {
    width: PICTURE_PX,
    height: MINIMAP_PX + AXIS_PX,
    label: texts.slowestBlockPerPixel,
    draw: (context, tokens) => {
      context.fillStyle = tokens["--sunken"];
      context.fillRect(SCALE_PX, 0, PLOT_PX, MINIMAP_PX);
      inPlot(context, MINIMAP_PX, (plot) => paintMinimap(plot, tokens, PLOT_PX, MINIMAP_PX, minimap));
      const isPart = choice.range.from > all.from || choice.range.to < all.to;
      if (isPart && choice.parts.has("timeline")) {
        const [left, right] = [xOf(scale, choice.range.from), xOf(scale, choice.range.to)];
        context.strokeStyle = tokens["--ink"];
        context.lineWidth = 1.5;
        context.strokeRect(SCALE_PX + left, 0.75, Math.max(3, right - left), MINIMAP_PX - 1.5);
      }
      axisLabels(context, tokens, summary, all, MINIMAP_PX + 16);
    },
  };
}

/** Time of the left end, and offsets along a picture. @param y baseline of the labels, px */
function axisLabels(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  summary: ReportData["summary"],
  { from, to }: { readonly from: number; readonly to: number },
  y: number,
): void {
  const { ticks } = timeAxis(from, to, summary, TICKS);
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-2"];
  context.textAlign = "left";
  context.fillText(formatInstant(summary, from, 1), SCALE_PX, y);
  context.textAlign = "center";
  for (const tick of ticks) {
    const x = SCALE_PX + xOf({ from, to, width: PLOT_PX }, tick.at);
    // The left end already has the label with its time.
    if (x > SCALE_PX + 110 && x < PICTURE_PX - 24) context.fillText(tick.label, x, y);
  }
}

/** Minimum width of a period for its label, px. */
const LEAST_WORDS_PX = 120;

/** Why parts of the plot are empty. */
function groundText(context: CanvasRenderingContext2D, tokens: Tokens, { whole, summary }: ReportData): void {
  const scale = { ...whole.range, width: PLOT_PX };
  const { idle, uncovered } = whole.ground;
  const periods = [
    ...idle.map(([from, to]) => ({ from, to, words: texts.noLogBlocksFor(durationText(to - from)) })),
    ...uncoveredNames(summary, uncovered),
  ];
  context.font = `400 11px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-3"];
  context.textAlign = "center";
  for (const { from, to, words } of periods) {
    const [left, right] = [Math.max(0, xOf(scale, from)), Math.min(PLOT_PX, xOf(scale, to))];
    if (right - left > LEAST_WORDS_PX) context.fillText(words, (left + right) / 2, LATENCY_PX / 2);
  }
  context.textAlign = "left";
}

function scaleLabel(context: CanvasRenderingContext2D, tokens: Tokens, words: string, y: number): void {
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.textAlign = "right";
  context.fillStyle = tokens["--ink-3"];
  context.fillText(words, SCALE_PX - 8, y);
}

/** Draws into the plot at the right of the scale: painters begin at 0. */
function inPlot(
  context: CanvasRenderingContext2D,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): void {
  context.save();
  context.translate(SCALE_PX, 0);
  context.beginPath();
  context.rect(0, 0, PLOT_PX, height);
  context.clip();
  draw(context);
  context.restore();
}
