import { useCallback, type ReactNode } from "react";
import type { Overview } from "@aglens/contract";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import type { TimeRange } from "../time-scale.ts";
import type { Ground } from "./ground.ts";
import { paintShares } from "./paint-shares.ts";

interface Props {
  readonly range: TimeRange;
  readonly ground: Ground;
  readonly overview: Overview;
  readonly height: number;
}

/** Which part of remote harden each place took, bin by bin; every column is 100 %. */
export function ShareChart({ range, ground, overview, height }: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintShares(context, tokens, { ...range, width }, tall, overview, ground),
    [range, ground, overview],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}
