import { useEffect, type RefObject } from "react";
import { timeAt } from "../../charts/time-scale.ts";
import { panBy, zoomAt, type Viewport } from "./viewport.ts";

/** Wheel with Ctrl zooms at the pointer; sideways, or where nothing scrolls, it pans. */
export function useWheel(
  scroller: RefObject<HTMLElement | null>,
  plot: RefObject<HTMLElement | null>,
  viewport: Viewport,
  duration: number,
): void {
  // Wheel must be able to refuse the page's own zoom, so it is bound as an active listener.
  useEffect(() => {
    const node = scroller.current!;
    const onWheel = (event: WheelEvent) => {
      const box = plot.current!.getBoundingClientRect();
      const range = viewport.get();
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = timeAt({ from: range[0], to: range[1], width: box.width }, event.clientX - box.left);
        viewport.set(zoomAt(range, at, zoomFactor(event), duration));
        return;
      }
      const by = panPixels(event, node.scrollHeight > node.clientHeight + 1);
      if (by === 0) return;
      event.preventDefault();
      viewport.set(panBy(range, by / box.width, duration));
    };
    const target = node.parentElement!;
    target.addEventListener("wheel", onWheel, { passive: false });
    return () => target.removeEventListener("wheel", onWheel);
  }, [scroller, plot, viewport, duration]);
}

/** Pixels of one step of the wheel, which some browsers count in lines. */
const unitOf = ({ deltaMode }: WheelEvent): number => (deltaMode === 1 ? 16 : 1);

function zoomFactor(event: WheelEvent): number {
  return Math.exp(Math.max(-120, Math.min(120, event.deltaY * unitOf(event))) * 0.0035);
}

function panPixels(event: WheelEvent, canScroll: boolean): number {
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const scrolls = canScroll && !event.shiftKey;
  return isSideways || !scrolls ? (event.deltaX || event.deltaY) * unitOf(event) : 0;
}
