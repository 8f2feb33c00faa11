import { type ReactNode, useCallback } from "react";
import type { TokenName } from "../../lanes/palette.ts";
import { ChartCanvas, type Draw } from "../canvas.tsx";

interface Props {
  /** counts[column * rows + row], rows from the shortest duration up. */
  readonly counts: readonly number[];
  readonly columns: number;
  readonly rows: number;
  readonly color: TokenName;
  /** A place per column in rows from the ground, drawn as a line; null for no mark. */
  readonly marks: readonly (number | null)[];
  readonly height: number;
  readonly label: string;
  /** Px between columns. */
  readonly gap?: number;
}

const LEAST_ALPHA = 0.22;

/** Counts in two dimensions as cells: the deeper the more, by the square root, and one value is visible. */
export function CellsPicture({
  counts,
  columns,
  rows,
  color,
  marks,
  height,
  label,
  gap = 0,
}: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) => {
      const most = Math.max(1, ...counts);
      const [cellWidth, cellHeight] = [width / columns, tall / rows];
      context.fillStyle = tokens[color];
      for (let column = 0; column < columns; column++)
        for (let row = 0; row < rows; row++) {
          const count = counts[column * rows + row];
          if (count === 0) continue;
          context.globalAlpha = LEAST_ALPHA + (1 - LEAST_ALPHA) * Math.sqrt(count / most);
          const top = tall - (row + 1) * cellHeight;
          context.fillRect(column * cellWidth, top, Math.max(1, cellWidth - gap), Math.max(1.5, cellHeight));
        }
      context.globalAlpha = 1;
      context.fillStyle = tokens["--ink"];
      for (const [column, mark] of marks.entries())
        if (mark !== null)
          context.fillRect(column * cellWidth, tall - mark * cellHeight - 1, Math.max(2, cellWidth - gap), 2);
    },
    [counts, columns, rows, color, marks, gap],
  );
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas has no source
  return <ChartCanvas draw={draw} role="img" aria-label={label} style={{ height }} />;
}
