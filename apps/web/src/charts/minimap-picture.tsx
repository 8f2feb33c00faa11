import { useCallback, useMemo, type ReactNode } from "react";
import type { BinWindow, BlockWindow } from "@aglens/contract";
import { ChartCanvas, type Draw } from "./canvas.tsx";
import { NO_PAUSES, type ServerStates } from "@aglens/ag-model/columns";
import { minimapColumns } from "@aglens/ag-model/minimap";
import { paintMinimap } from "./paint-minimap.ts";
import "./charts.css";

/** Columns of the picture: about one per pixel of a card. */
const COLUMNS = 400;

interface Props {
  /** The entire capture; null while it loads. */
  readonly window: BlockWindow | BinWindow | null;
  readonly secondary?: number;
  /** Unresponsive periods of its capture, as far as they are known yet. */
  readonly standing?: ServerStates;
  /** Framed part, µs; null for no frame. */
  readonly range?: readonly [number, number] | null;
  readonly height: number;
  /** Description of the picture in one sentence. */
  readonly label: string;
}

/** The entire capture at a glance, without interaction: the slowest block per column, colored by its largest part. */
export function MinimapPicture({
  window,
  secondary = 0,
  standing = NO_PAUSES,
  range = null,
  height,
  label,
}: Props): ReactNode {
  const columns = useMemo(
    () => (window === null ? null : minimapColumns(window, secondary, COLUMNS, standing)),
    [window, secondary, standing],
  );
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) => {
      if (columns !== null) paintMinimap(context, tokens, width, tall, columns);
    },
    [columns],
  );
  const percent = (us: number): number =>
    window === null ? 0 : (100 * (us - window.from)) / Math.max(1, window.to - window.from);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas under a frame is no img element
    <ChartCanvas className="minimap picture" draw={draw} role="img" aria-label={label} style={{ height }}>
      {range === null || window === null ? null : (
        <>
          <div className="wash" style={{ left: 0, width: `${percent(range[0])}%` }} />
          <div className="wash" style={{ left: `${percent(range[1])}%`, right: 0 }} />
          <div
            className="frame"
            style={{
              left: `${percent(range[0])}%`,
              width: `max(3px, ${percent(range[1]) - percent(range[0])}%)`,
            }}
          />
        </>
      )}
    </ChartCanvas>
  );
}
