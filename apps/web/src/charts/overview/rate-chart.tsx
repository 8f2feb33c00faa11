import { useCallback } from "react";
import type { Overview } from "@aglens/contract";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { clipped, drawGround, type Ground, type TimeScale } from "./frame.ts";

interface Props {
  readonly scale: TimeScale;
  readonly ground: Ground;
  readonly overview: Overview;
  /** Blocks per second at the top. */
  readonly most: number;
  readonly height: number;
}

/** Log blocks per second in one bin. */
export const rateOf = (overview: Overview, bin: number): number =>
  overview.blocks[bin] / (overview.binUs / 1e6);

/** How busy the log was; a bin with one block keeps a visible stroke. */
export function RateChart({ scale, ground, overview, most, height }: Props) {
  const draw = useCallback<Draw>(
    (context, width, h, tokens) => {
      drawGround(context, width, h, tokens, scale, ground, false);
      context.fillStyle = tokens["--line"];
      context.fillRect(0, h - 1, width, 1);
      context.fillStyle = tokens["--wait"];
      for (let bin = 0; bin < overview.blocks.length; bin++) {
        if (overview.blocks[bin] === 0) continue;
        const start = overview.from + bin * overview.binUs;
        const box = clipped(scale, start, start + overview.binUs, width);
        if (!box) continue;
        const bar = Math.max(1.5, (rateOf(overview, bin) / most) * h);
        context.fillRect(box[0], h - bar, Math.max(1, box[1] - (box[1] > 3 ? 1 : 0)), bar);
      }
    },
    [scale, ground, overview, most],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}
