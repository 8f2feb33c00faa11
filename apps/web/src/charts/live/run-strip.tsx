import { type ReactNode, useCallback } from "react";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { paintRun, type Run } from "./paint-run.ts";

interface Props extends Run {
  readonly height: number;
  /** Description of the picture in one sentence. */
  readonly label: string;
}

/** The entire run at a glance; the range of the lanes is framed. */
export function RunStrip({ bins, now, view, gaps, marks, unawaited, height, label }: Props): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintRun(context, tokens, width, tall, { bins, now, view, gaps, marks, unawaited }),
    [bins, now, view, gaps, marks, unawaited],
  );
  return (
    <ChartCanvas draw={draw} style={{ height }}>
      <p className="sr-only">{label}</p>
    </ChartCanvas>
  );
}
