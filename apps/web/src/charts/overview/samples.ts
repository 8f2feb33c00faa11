/** Single commits or blocks of the latency chart, from the windows of the server. */
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import {
  type BinWindow,
  type BlockWindow,
  type CommitWindow,
  MOST_DOTS,
  type Overview,
} from "@aglens/contract";
import type { TimeRange } from "../time-scale.ts";
import type { LatencyBin, Samples } from "./latency-bins.ts";

/** Metric of the chart: commits, or the time to harden of blocks. */
export type Metric = "commit" | "harden";

export type Dots = Samples & {
  readonly metric: Metric;
  /** True where only the longest commits are included, or none because blocks arrive as bins. */
  readonly cut: boolean;
};

/** Commits by their start; a window with MOST_DOTS of them is treated as cut to the longest. */
export function commitSamples({ commits }: CommitWindow): Dots {
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

/** Blocks with a known remote harden to a secondary. */
export function hardenSamples(window: BlockWindow | BinWindow, secondary: number): Dots {
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

/** How near the cursor must be to a commit to name it, px. */
const NEAR_PX = 6;

/** Longest sample within reach of the cursor, µs. */
export function sampleNear(
  { at, value }: Samples,
  scale: TimeRange,
  cursor: number,
  width: number,
): { readonly at: number; readonly value: number } | null {
  const reach = (NEAR_PX / Math.max(1, width)) * (scale.to - scale.from);
  let longest: { at: number; value: number } | null = null;
  for (let i = firstAtOrAfter(at, cursor - reach); i < at.length && at[i] <= cursor + reach; i++) {
    if (longest === null || value[i] > longest.value) longest = { at: at[i], value: value[i] };
  }
  return longest;
}

/** Bins of the server, unchanged. */
export function serverBins(overview: Overview, metric: Metric): LatencyBin[] {
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
