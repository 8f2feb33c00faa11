import { type ReactNode, useCallback } from "react";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { hatch } from "../hatch.ts";
import type { RateStep } from "./read-rates.ts";
import "../charts.css";

/** What is read of one replica. */
export interface ReadRow {
  readonly key: string;
  readonly name: string;
  readonly role: "primary" | "secondary";
  readonly steps: readonly RateStep[];
  /** Where files end that are still being read, Unix ms. */
  readonly readTo: readonly number[];
}

interface Props {
  /** Time of the whole capture, Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly rows: readonly ReadRow[];
  readonly height: number;
  /** What it shows, in a sentence. */
  readonly label: string;
}

const GAP = 4;

/** Events per second of what was read so far, a row per replica on one axis; what is still to be read is hatched. */
export function ReadingPicture({ from, to, rows, height, label }: Props): ReactNode {
  const tall = (height - GAP * (rows.length - 1)) / Math.max(1, rows.length);
  const draw = useCallback<Draw>(
    (context, width, _height, tokens) => {
      const x = (at: number): number => Math.round(((at - from) / Math.max(1, to - from)) * width);
      const most = Math.max(1, ...rows.flatMap(({ steps }) => steps.map(({ perSecond }) => perSecond)));
      for (const [index, row] of rows.entries()) {
        const top = index * (tall + GAP);
        hatch(context, tokens, 0, top, width, tall);
        for (const step of row.steps) {
          const left = x(step.from);
          const wide = Math.max(1, x(step.to) - left);
          context.fillStyle = tokens["--sunken"];
          context.fillRect(left, top, wide, tall);
          // Square roots, so that a quiet stretch is not nothing beside a busy one.
          const high = Math.max(1, Math.sqrt(step.perSecond / most) * (tall - 2));
          context.fillStyle = tokens[row.role === "primary" ? "--p-disk" : "--s-disk"];
          context.fillRect(left, top + tall - high, wide, high);
        }
        context.fillStyle = tokens["--ink"];
        for (const at of row.readTo) context.fillRect(x(at), top, 2, tall);
      }
    },
    [from, to, rows, tall],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas under its labels is no img element
    <ChartCanvas className="reading-picture" draw={draw} role="img" aria-label={label} style={{ height }}>
      {rows.map((row, index) => (
        <span key={row.key} style={{ top: index * (tall + GAP) + 2 }}>
          {row.name}
        </span>
      ))}
    </ChartCanvas>
  );
}
