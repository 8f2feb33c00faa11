import { useCallback } from "react";
import type { Overview } from "@aglens/contract";
import { REMOTE_PATH, type RemoteStageId } from "@aglens/ag-model/replication";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { stageToken, type Place, type StageToken, type Tokens } from "../../lanes/palette.ts";
import { PlacedBars } from "../place-patterns.ts";
import { clipped, drawGround, type Ground, type TimeScale } from "./frame.ts";

/** Bottom to top: what is strong and stable at the foot, so that changes of the network show as a moving edge. */
export const SHARE_ORDER: readonly StageToken[] = ["--s-disk", "--s-work", "--n-out", "--n-back", "--p-work"];

const PLACES: Readonly<Partial<Record<StageToken, Place>>> = {
  "--s-disk": "secondary",
  "--s-work": "secondary",
  "--n-out": "network",
  "--n-back": "network",
};

/** Stages that share one colour, which the chart draws as one. */
export function stagesOf(token: StageToken): RemoteStageId[] {
  return REMOTE_PATH.filter(({ id }) => stageToken(id) === token).map(({ id }) => id);
}

/** Fraction of remote harden per colour in one bin, in SHARE_ORDER; null where no block is. */
export function sharesOf(stageSums: Overview["stageSums"], bin: number): number[] | null {
  const sums = SHARE_ORDER.map((token) =>
    stagesOf(token).reduce((sum, id) => sum + Math.max(0, stageSums[id][bin] ?? 0), 0),
  );
  const whole = sums.reduce((a, b) => a + b, 0);
  return whole > 0 ? sums.map((s) => s / whole) : null;
}

/** True when every file covers a bin: where one does not, the missing stages would make the others look larger. */
export function isCovered(overview: Overview, bin: number): boolean {
  const start = overview.from + bin * overview.binUs;
  return overview.uncovered.every(([from, to]) => to <= start || from >= start + overview.binUs);
}

interface Props {
  readonly scale: TimeScale;
  readonly ground: Ground;
  readonly overview: Overview;
  readonly height: number;
}

/** Which part of remote harden each place took, bin by bin; every column is 100 %. */
export function ShareChart({ scale, ground, overview, height }: Props) {
  const draw = useCallback<Draw>(
    (context, width, h, tokens) => {
      drawGround(context, width, h, tokens, scale, ground, false);
      const bars = new PlacedBars();
      for (let bin = 0; bin < overview.blocks.length; bin++) {
        const shares = isCovered(overview, bin) ? sharesOf(overview.stageSums, bin) : null;
        const start = overview.from + bin * overview.binUs;
        const box = shares && clipped(scale, start, start + overview.binUs, width);
        if (!box) continue;
        drawColumn(context, box[0], box[1], h, shares, tokens, bars);
      }
      bars.cut(context, tokens, width, h);
      // A bin that is partly idle would otherwise reach into the idle stretch.
      context.fillStyle = tokens["--idle"];
      for (const [from, to] of ground.idle) {
        const box = clipped(scale, from, to, width);
        if (box) context.fillRect(box[0], 0, box[1], h);
      }
      context.strokeStyle = tokens["--surface"];
      context.globalAlpha = 0.7;
      context.setLineDash([2, 3]);
      context.beginPath();
      context.moveTo(0, h / 2);
      context.lineTo(width, h / 2);
      context.stroke();
    },
    [scale, ground, overview],
  );
  return <ChartCanvas className="plot" draw={draw} style={{ height }} />;
}

function drawColumn(
  context: CanvasRenderingContext2D,
  left: number,
  width: number,
  height: number,
  shares: readonly number[],
  tokens: Tokens,
  bars: PlacedBars,
): void {
  let y = height;
  const gap = width > 6 ? 0.5 : 0;
  for (const [i, share] of shares.entries()) {
    const box = [left, y - share * height, Math.max(1, width - gap), share * height] as const;
    context.fillStyle = tokens[SHARE_ORDER[i]];
    context.fillRect(...box);
    bars.add(PLACES[SHARE_ORDER[i]] ?? "primary", ...box);
    y -= share * height;
  }
}
