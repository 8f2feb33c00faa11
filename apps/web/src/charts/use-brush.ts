import { brushX, type D3BrushEvent } from "d3-brush";
import { select } from "d3-selection";
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/** Distance from an edge of the brush within which a press grips it, px to either side. */
const HANDLE_PX = 6;

/** Range that a brush frames: px from the left edge of its plot. */
type Period = readonly [from: number, to: number];

export interface Brush {
  /** Shows a range; not while a gesture moves the brush itself. */
  readonly move: (period: Period) => void;
}

export interface BrushGestures {
  /** An edge of the brush was gripped: 0 its start, 1 its end. */
  readonly onGrip: (end: 0 | 1) => void;
  /** A gesture frames another range; `done` is false while it lasts. */
  readonly onRange: (period: Period, done: boolean) => void;
  /** A gesture has ended, whether it framed a range or was a click. */
  readonly onEnd: () => void;
}

/** D3's brush in a group of `width` by `height` px, for the mouse and for fingers. The keyboard has its own handles. */
export function useBrush(
  group: RefObject<SVGGElement | null>,
  width: number,
  height: number,
  given: BrushGestures,
): RefObject<Brush> {
  const gestures = useRef(given);
  const brush = useRef<Brush>({ move: () => undefined });
  useEffect(() => {
    gestures.current = given;
  });
  // Before the component places the brush.
  useLayoutEffect(() => {
    const target = select(group.current!);
    let isBrushing = false;
    let framed: Period | null = null;
    const periodOf = ({ selection }: D3BrushEvent<unknown>): Period | null => {
      const [from, to] = (selection ?? [0, 0]) as [number, number];
      return to > from ? [from, to] : null;
    };
    const behavior = brushX<unknown>()
      .extent([
        [0, 0],
        [width, height],
      ])
      .handleSize(2 * HANDLE_PX)
      .keyModifiers(false)
      // A programmatic move has no source event: only gestures are reported.
      .on("start", ({ sourceEvent }: D3BrushEvent<unknown>) => {
        if (!sourceEvent) return;
        isBrushing = true;
        const pressed = (sourceEvent.target as Element).classList;
        if (pressed.contains("handle")) gestures.current.onGrip(pressed.contains("handle--w") ? 0 : 1);
      })
      .on("brush", (event: D3BrushEvent<unknown>) => {
        const period = event.sourceEvent ? periodOf(event) : null;
        if (period === null) return;
        framed = period;
        gestures.current.onRange(period, false);
      })
      .on("end", ({ sourceEvent }: D3BrushEvent<unknown>) => {
        if (!sourceEvent) return;
        isBrushing = false;
        if (framed !== null) gestures.current.onRange(framed, true);
        framed = null;
        gestures.current.onEnd();
      });
    target.call(behavior);
    brush.current = {
      move: ([from, to]) => {
        if (!isBrushing) behavior.move(target, [from, to]);
      },
    };
    return () => {
      brush.current = { move: () => undefined };
      target.on(".brush", null).selectChildren().remove();
    };
  }, [group, width, height]);
  return brush;
}
