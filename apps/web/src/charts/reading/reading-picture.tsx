import { type ReactNode, useCallback } from "react";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { paintReading, ROW_GAP_PX, rowHeight, type ReadRow } from "./paint-reading.ts";
import "../charts.css";

interface Props {
  /** Start of the entire capture, Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly rows: readonly ReadRow[];
  readonly height: number;
  /** Description of the picture in one sentence. */
  readonly label: string;
}

/** Events per second of the time that was read so far, a row per replica on one axis; unread time is hatched. */
export function ReadingPicture({ from, to, rows, height, label }: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintReading(context, tokens, { width, height: tall }, [from, to], rows),
    [from, to, rows],
  );
  const row = rowHeight(rows.length, height) + ROW_GAP_PX;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas under its labels is no img element
    <ChartCanvas className="reading-picture" draw={draw} role="img" aria-label={label} style={{ height }}>
      {rows.map(({ key, name }, index) =>
        name === "" ? null : (
          <span key={key} style={{ top: index * row + 2 }}>
            {name}
          </span>
        ),
      )}
    </ChartCanvas>
  );
}
export type { ReadRow } from "./paint-reading.ts";
