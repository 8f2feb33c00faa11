import { useCallback, useRef, type RefObject } from "react";
import { timeAt, xOf, type TimeScale } from "../../charts/time-scale.ts";
import { useRangeDrag } from "../../charts/use-range-drag.ts";
import type { Range, Viewport } from "./viewport.ts";

export interface Band {
  /** Shows the selected range. */
  readonly band: RefObject<HTMLDivElement | null>;
  /** Puts the band to where its range is now. */
  readonly paintBand: () => void;
}

/**
 * The band over the range that is selected, and the drags that select one: on the axis, and with Shift on the lanes.
 * @param width of both plots, px
 */
export function useBand(
  axis: RefObject<HTMLElement | null>,
  lanes: RefObject<HTMLElement | null>,
  viewport: Viewport,
  width: number,
  selected: Range | null,
  { onStart, onSelect }: { readonly onStart: () => void; readonly onSelect: (range: Range) => void },
): Band {
  const band = useRef<HTMLDivElement>(null);
  const draft = useRef<Range | null>(null);
  const scaleNow = useCallback((): TimeScale => {
    const [from, to] = viewport.get();
    return { from, to, width };
  }, [viewport, width]);
  const paintBand = useCallback(() => {
    if (band.current) placeBand(band.current, draft.current ?? selected, scaleNow());
  }, [scaleNow, selected]);
  const drag = {
    onStart,
    onDrag: (from: number, to: number) => {
      draft.current = [timeAt(scaleNow(), from), timeAt(scaleNow(), to)];
      paintBand();
    },
    onEnd: (stretch: readonly [number, number] | null) => {
      const range = draft.current;
      draft.current = null;
      if (stretch && range) onSelect(range);
    },
  };
  useRangeDrag(axis, drag);
  useRangeDrag(lanes, { ...drag, begins: (event) => event.shiftKey }, false);
  return { band, paintBand };
}

function placeBand(node: HTMLElement, range: Range | null, scale: TimeScale): void {
  node.hidden = range === null;
  if (range === null) return;
  const left = Math.max(-2, xOf(scale, range[0]));
  const right = Math.min(scale.width + 2, xOf(scale, range[1]));
  node.style.transform = `translateX(${left}px)`;
  node.style.width = `${Math.max(0, right - left)}px`;
}
