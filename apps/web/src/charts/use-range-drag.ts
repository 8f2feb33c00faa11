import { drag, type D3DragEvent } from "d3-drag";
import { select } from "d3-selection";
import { useEffect, useRef, type RefObject } from "react";

/** A press that moves no further than this is a click, px. */
export const CLICK_PX = 4;

/** Handlers of a drag over a plot; positions are px from the plot's left edge. */
export interface RangeDrag {
  /** Whether a press begins one. */
  readonly begins?: (event: MouseEvent | TouchEvent) => boolean;
  readonly onStart?: () => void;
  /** Range so far, left edge first; whether Alt is down. */
  readonly onDrag: (from: number, to: number, isFree: boolean) => void;
  /** It is over; null when it was a click. */
  readonly onEnd: (period: readonly [from: number, to: number] | null) => void;
}

/**
 * Selection of a range by a drag over a plot with the mouse or, unless `touch` is false, a finger. The browser's own
 * gestures on the plot are then off, so that a finger scrolls only elsewhere.
 */
export function useRangeDrag(plot: RefObject<HTMLElement | null>, given: RangeDrag, touch = true): void {
  const current = useRef(given);
  useEffect(() => {
    current.current = given;
  });
  useEffect(() => {
    const node = plot.current!;
    let hasMoved = false;
    const periodOf = ({ x, subject }: D3DragEvent<HTMLElement, unknown, { x: number }>) => {
      const inside = Math.min(node.clientWidth, Math.max(0, x));
      return [Math.min(subject.x, inside), Math.max(subject.x, inside)] as const;
    };
    const behavior = drag<HTMLElement, unknown, { x: number }>()
      .container(() => node)
      .clickDistance(CLICK_PX)
      .filter((event) => !event.button && (current.current.begins?.(event) ?? true))
      .on("start", () => {
        hasMoved = false;
        current.current.onStart?.();
      })
      .on("drag", (event) => {
        hasMoved ||= Math.abs(event.x - event.subject.x) > CLICK_PX;
        const isFree = (event.sourceEvent as Partial<MouseEvent>).altKey === true;
        if (hasMoved) current.current.onDrag(...periodOf(event), isFree);
      })
      .on("end", (event) => current.current.onEnd(hasMoved ? periodOf(event) : null));
    if (!touch) behavior.touchable(false);
    const target = select(node).call(behavior);
    return () => void target.on(".drag", null);
  }, [plot, touch]);
}
