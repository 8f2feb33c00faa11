import { type PointerEvent, useRef, useState } from "react";
import type { TimeRange } from "../../../charts/time-scale.ts";
import type { OpenOverview } from "../overview-context.ts";

/** Shorter drags are clicks, px. */
const LEAST_DRAG_PX = 4;

export interface DragToZoom {
  /** The range under the drag, µs; null without a drag. */
  readonly selection: readonly [number, number] | null;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
    readonly onPointerLeave: () => void;
    readonly onDoubleClick: () => void;
  };
}

/** Dragging selects a range of time and zooms to it on release; a double click shows the complete capture. */
export function useDragToZoom(
  scale: TimeRange,
  onRange: OpenOverview["setRange"],
  onHover: (instant: number | null) => void,
): DragToZoom {
  const begun = useRef<{ readonly instant: number; readonly x: number } | null>(null);
  const [selection, setSelection] = useState<readonly [number, number] | null>(null);
  const instantOf = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return scale.from + share * (scale.to - scale.from);
  };
  /** Range from the start of the drag to its current place; null while it is as short as a click. */
  const dragged = (event: PointerEvent): [number, number] | null => {
    if (begun.current === null || Math.abs(event.clientX - begun.current.x) < LEAST_DRAG_PX) return null;
    const instant = instantOf(event);
    return [Math.min(instant, begun.current.instant), Math.max(instant, begun.current.instant)];
  };
  const end = (): void => {
    begun.current = null;
    setSelection(null);
  };
  return {
    selection,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { instant: instantOf(event), x: event.clientX };
      },
      onPointerMove: (event) => {
        onHover(instantOf(event));
        const range = dragged(event);
        if (range !== null) setSelection(range);
      },
      onPointerUp: (event) => {
        const range = dragged(event);
        if (range !== null) onRange(range, true);
        end();
      },
      onPointerCancel: end,
      onPointerLeave: () => onHover(null),
      onDoubleClick: () => onRange(null, true),
    },
  };
}
