import { useCallback, type ReactNode } from "react";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import type { TimeRange } from "../time-scale.ts";
import { paintLatency, type Latencies } from "./paint-latency.ts";

interface Props extends Latencies {
  readonly range: TimeRange;
  readonly height: number;
}

/** Bands p50 to p95 to p99, the p50 line, and a dot per commit or block, on a logarithmic axis. */
export function LatencyChart({ range, ground, bins, dots, domain, height }: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintLatency(context, tokens, { ...range, width }, tall, { ground, bins, dots, domain }),
    [range, ground, bins, dots, domain],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}
