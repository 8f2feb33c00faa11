import { useCallback, type ReactNode } from "react";
import type { Overview } from "@aglens/contract";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import type { TimeRange } from "../time-scale.ts";
import type { Ground } from "./ground.ts";
import { paintRates } from "./paint-rates.ts";

interface Props {
  readonly range: TimeRange;
  readonly ground: Ground;
  readonly overview: Overview;
  /** Blocks per second at the top. */
  readonly most: number;
  readonly height: number;
}

/** How busy the log was; a bin with one block keeps a visible stroke. */
export function RateChart({ range, ground, overview, most, height }: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintRates(context, tokens, { ...range, width }, tall, overview, ground, most),
    [range, ground, overview, most],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}
