import { useEffect, useMemo, useRef, useState } from "react";
import { rangeOfView, shownRange } from "../capture-view/shown-range.ts";
import { firstView } from "@aglens/contract";
import { useCapture } from "../capture-view/capture-context.ts";
import { movedTo, type Period, trailOf, zoomedTo } from "../../state/zoom-trail.ts";
import { clampRange, createViewport, type Range, type Viewport } from "./viewport.ts";

const COMMIT_AFTER_MS = 150;

/** Time after which a zoom is an entry that the browser's history can return to, ms. */
const STEP_AFTER_MS = 600;

/** A change of the length by less than this share does not count as a zoom: it is due to rounding. */
const SAME_LENGTH = 1e-3;

/**
 * The range of the view, and the viewport that moves freely between two ranges. A range from outside (back, a link, a
 * key of the frame) moves the viewport; a range from the pointer is written to the view once it rests. A zoom that
 * stays is an entry of the browser's history; changes before that, and pans, change the entry itself.
 * @param duration of the capture, µs
 */
export function useViewRange(duration: number): { readonly range: Range; readonly viewport: Viewport } {
  const { summary, view, setView } = useCapture();
  const [firstFrom, firstTo] = firstView(summary);
  // Compared by value: every change of the address decodes the view again.
  const [from, to] = shownRange(view, summary);
  const range: Range = useMemo(() => clampRange([from, to], duration), [from, to, duration]);
  const [viewport] = useState(() => createViewport(range, duration));
  const committed = useRef<Range>(range);
  useEffect(() => {
    committed.current = range;
    viewport.set(range);
  }, [viewport, range]);
  useEffect(() => {
    let timer = 0;
    let stepTimer = 0;
    /** The range of the address was in view long enough to stay in the browser's history. */
    let hasStayed = true;
    const periodOf = (shown: Range): Period => rangeOfView([firstFrom, firstTo], shown);
    const settle = () => {
      const before = committed.current;
      const now = viewport.get();
      if (now[0] === before[0] && now[1] === before[1]) return;
      committed.current = now;
      const trail = trailOf(window.history.state, periodOf(before));
      const isZoom = Math.abs((now[1] - now[0]) / (before[1] - before[0]) - 1) > SAME_LENGTH;
      const isStep = isZoom && hasStayed;
      if (isStep) setView({ range: periodOf(now) }, "push", zoomedTo(trail, periodOf(now)));
      else setView({ range: periodOf(now) }, "replace", movedTo(trail, periodOf(now)));
      hasStayed &&= !isZoom;
    };
    const unsubscribe = viewport.subscribe(() => {
      clearTimeout(timer);
      clearTimeout(stepTimer);
      timer = window.setTimeout(settle, COMMIT_AFTER_MS);
      stepTimer = window.setTimeout(() => (hasStayed = true), STEP_AFTER_MS);
    });
    return () => {
      clearTimeout(timer);
      clearTimeout(stepTimer);
      unsubscribe();
    };
  }, [viewport, setView, firstFrom, firstTo]);
  return { range, viewport };
}
