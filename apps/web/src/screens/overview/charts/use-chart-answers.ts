import { useMemo } from "react";
import {
  baseWidth,
  type BinWindow,
  type BlockWindow,
  MOST_DOTS,
  type Overview,
  fullBins,
} from "@aglens/contract";
import { MINIMAP_BINS } from "@aglens/ag-model/minimap";
import { latencyBins, type LatencyBin } from "../../../charts/overview/latency-bins.ts";
import {
  commitSamples,
  type Dots,
  hardenSamples,
  type Metric,
  serverBins,
} from "../../../charts/overview/samples.ts";
import type { CaptureSource, TimeRange } from "../../../data/capture-source.ts";
import { type Answer, type Question, useAnswer, WHEN_DRAGGED } from "../../../data/use-answer.ts";
import { useCapture } from "../../capture-view/capture-context.ts";

/** Answers for the plots of latencies and rates of one range. */
export interface LatencyAnswers {
  readonly overview: Answer<Overview>;
  readonly dots: Answer<Dots>;
}

/** Answers for the charts of one range. */
export interface ChartAnswers extends LatencyAnswers {
  readonly whole: Answer<BlockWindow | BinWindow>;
}

/** All answers that the charts need for a range, for the secondary that the view is about. */
export function useChartAnswers(range: TimeRange, metric: Metric): ChartAnswers {
  const { source, summary } = useCapture();
  const latencies = useLatencyAnswers(source, range, metric);
  const whole = useAnswer(source.window({ from: 0, to: summary.durationUs }, MOST_DOTS, MINIMAP_BINS));
  return { ...latencies, whole };
}

/** Answers for the latencies of a part of the capture, or of all of it. */
export function useLatencyAnswers(source: CaptureSource, range: TimeRange, metric: Metric): LatencyAnswers {
  const { view } = useCapture();
  const aligned = fullBins(range);
  const overview = useAnswer(source.overview(aligned.range, aligned.bins, view.secondary), WHEN_DRAGGED);
  const dots = useAnswer(
    metric === "commit" ? commitDots(source, range) : hardenDots(source, range, view.secondary),
    WHEN_DRAGGED,
  );
  // Dots of the other metric are never shown for this one, however new they are.
  return {
    overview,
    dots: dots.value?.metric === metric ? dots : { ...dots, value: null, isStale: false },
  };
}

function commitDots(source: CaptureSource, range: TimeRange): Question<Dots> {
  const commits = source.commits(range, MOST_DOTS);
  return {
    key: `dots ${commits.key}`,
    ask: async (signal) => commitSamples(await commits.ask(signal)),
  };
}

function hardenDots(source: CaptureSource, range: TimeRange, secondary: number): Question<Dots> {
  const window = source.window(range, MOST_DOTS, 1);
  return {
    key: `dots ${secondary} ${window.key}`,
    ask: async (signal) => hardenSamples(await window.ask(signal), secondary),
  };
}

/** Percentile bins: from the samples when all are loaded, else the server's bins as they are. */
export function useBins(
  { overview, dots }: LatencyAnswers,
  range: TimeRange,
  metric: Metric,
  breaks: readonly number[],
): readonly LatencyBin[] {
  const { from, to } = range;
  const samples = dots.value;
  const ofServer = overview.value;
  return useMemo(() => {
    if (samples?.cut && ofServer) return serverBins(ofServer, metric);
    return samples ? latencyBins(samples, [from, to], baseWidth(to - from), breaks) : [];
  }, [ofServer, samples, from, to, metric, breaks]);
}
