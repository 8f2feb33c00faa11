import { type ReactNode, useCallback } from "react";
import type { Overview } from "@aglens/contract";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import type { TimeRange } from "../time-scale.ts";
import type { Ground } from "./ground.ts";
import { type Latencies, paintLatency } from "./paint-latency.ts";
import { paintRates } from "./paint-rates.ts";
import { paintShares } from "./paint-shares.ts";

interface LatencyProps extends Latencies {
  readonly range: TimeRange;
  readonly height: number;
}

/** Bands p50 to p95 to p99, the p50 line, and a dot per commit or block, on a logarithmic axis. */
export function LatencyChart({ range, ground, bins, dots, domain, height }: LatencyProps): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintLatency(
        { context, tokens, scale: { ...range, width }, height: tall },
        { ground, bins, dots, domain },
      ),
    [range, ground, bins, dots, domain],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}

interface RateProps {
  readonly range: TimeRange;
  readonly ground: Ground;
  readonly overview: Overview;
  /** Blocks per second at the top. */
  readonly most: number;
  readonly height: number;
}

/** Log blocks per second; a bin with one block stays visible. */
export function RateChart({ range, ground, overview, most, height }: RateProps): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintRates({ context, tokens, scale: { ...range, width }, height: tall }, overview, ground, most),
    [range, ground, overview, most],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}

interface ShareProps {
  readonly range: TimeRange;
  readonly ground: Ground;
  readonly overview: Overview;
  readonly height: number;
}

/** Which part of remote harden each place took, bin by bin; every column is 100 %. */
export function ShareChart({ range, ground, overview, height }: ShareProps): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintShares({ context, tokens, scale: { ...range, width }, height: tall }, overview, ground),
    [range, ground, overview],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}
