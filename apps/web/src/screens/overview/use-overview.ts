import { useCallback, useMemo } from "react";
import type { BinWindow, BlockWindow, Overview } from "@aglens/contract";
import { baseWidth, latencyBins, type LatencyBin, type Samples } from "../../charts/overview/latency-bins.ts";
import type { CaptureSource, TimeRange } from "../../data/capture-source.ts";
import { useAnswer } from "./use-answer.ts";

export type Metric = "commit" | "harden";

/** As many commits or blocks as the browser draws one by one; above it bins of the server carry the percentiles. */
const MOST_DOTS = 20_000;
const MINIMAP_BINS = 2_000;

/** Answers for the charts of one range; null until the first arrives. */
export interface OverviewAnswers {
  readonly overview: Overview | null;
  readonly dots: Samples | null;
  /** True when `dots` holds only the longest commits. */
  readonly cut: boolean;
  readonly whole: BlockWindow | BinWindow | null;
  readonly error: string | null;
}

/** Range widened outwards to whole bins, so that a bin of the share chart is a round stretch of time. */
function wholeBins({ from, to }: TimeRange): { range: TimeRange; bins: number } {
  const base = baseWidth(to - from);
  const first = Math.floor(from / base);
  const last = Math.max(first + 1, Math.ceil(to / base));
  return { range: { from: first * base, to: last * base }, bins: last - first };
}

/** Everything the charts need for a range, towards one secondary. */
export function useOverview(
  source: CaptureSource,
  range: TimeRange,
  durationUs: number,
  secondary: number,
  metric: Metric,
): OverviewAnswers {
  const { from, to } = range;
  const askOverview = useCallback(
    (signal: AbortSignal) => {
      const aligned = wholeBins({ from, to });
      return source.overview(aligned.range, aligned.bins, secondary, signal);
    },
    [source, from, to, secondary],
  );
  const askDots = useCallback(
    async (signal: AbortSignal) =>
      metric === "commit"
        ? commitSamples(await source.commits({ from, to }, MOST_DOTS, signal))
        : hardenSamples(await source.window({ from, to }, MOST_DOTS, 1, signal), secondary),
    [source, from, to, metric, secondary],
  );
  const askWhole = useCallback(
    (signal: AbortSignal) => source.window({ from: 0, to: durationUs }, MOST_DOTS, MINIMAP_BINS, signal),
    [source, durationUs],
  );
  const overview = useAnswer(askOverview);
  const dots = useAnswer(askDots);
  const whole = useAnswer(askWhole);
  return {
    overview: overview.value,
    dots: dots.value?.metric === metric ? dots.value : null,
    cut: dots.value?.cut ?? false,
    whole: whole.value,
    error: overview.error ?? dots.error ?? whole.error,
  };
}

type Dots = Samples & { readonly metric: Metric; readonly cut: boolean };

type Commits = Awaited<ReturnType<CaptureSource["commits"]>>;

function commitSamples({ commits }: Commits): Dots {
  const order = Array.from({ length: commits.length }, (_, i) => i).sort(
    (a, b) => commits.start[a] - commits.start[b],
  );
  return {
    metric: "commit",
    cut: commits.length >= MOST_DOTS,
    at: Float64Array.from(order, (i) => commits.start[i]),
    value: Float64Array.from(order, (i) => commits.end[i] - commits.start[i]),
  };
}

function hardenSamples(window: BlockWindow | BinWindow, secondary: number): Dots {
  if (window.detail === "bins")
    return { metric: "harden", cut: true, at: new Float64Array(), value: new Float64Array() };
  const hop = window.hops[secondary];
  const rows = Array.from({ length: window.blocks.length }, (_, i) => i).filter(
    (i) => hop && hop.ackProcessed[i] > hop.sendStart[i],
  );
  return {
    metric: "harden",
    cut: false,
    at: Float64Array.from(rows, (i) => window.blocks.time[i]),
    value: Float64Array.from(rows, (i) => hop.ackProcessed[i] - hop.sendStart[i]),
  };
}

/** Percentile bins: from the samples when all are here, else the server's bins as they are. */
export function useBins(
  answers: OverviewAnswers,
  range: TimeRange,
  metric: Metric,
  breaks: readonly number[],
): readonly LatencyBin[] {
  const { overview, dots, cut } = answers;
  const { from, to } = range;
  return useMemo(() => {
    if (cut && overview) return serverBins(overview, metric);
    return dots ? latencyBins(dots, [from, to], baseWidth(to - from), breaks) : [];
  }, [overview, dots, cut, from, to, metric, breaks]);
}

function serverBins(overview: Overview, metric: Metric): LatencyBin[] {
  const p50 = metric === "commit" ? overview.commitP50 : overview.hardenP50;
  const p95 = metric === "commit" ? overview.commitP95 : overview.hardenP95;
  const p99 = metric === "commit" ? overview.commitP99 : overview.hardenP99;
  const max = metric === "commit" ? overview.commitMax : overview.hardenMax;
  const counts = metric === "commit" ? overview.commits : overview.blocks;
  return counts.flatMap((n, bin) => {
    const top = max[bin];
    if (n === 0 || top === null) return [];
    const from = overview.from + bin * overview.binUs;
    return [{ from, to: from + overview.binUs, n, p50: p50[bin], p95: p95[bin], p99: p99[bin], max: top }];
  });
}
