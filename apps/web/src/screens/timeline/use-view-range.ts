import { useEffect, useMemo, useRef, useState } from "react";
import { useCapture } from "../capture-context.ts";
import { clampRange, createViewport, type Range, type Viewport } from "./viewport.ts";

const COMMIT_AFTER_MS = 150;

/**
 * The range that the view has, and the viewport that moves freely between two of them: one that comes from outside (back,
 * a link, a key of the frame) moves the viewport, one that comes from the pointer goes to the view once it rests.
 * @param duration of the capture, µs
 */
export function useViewRange(duration: number): { readonly range: Range; readonly viewport: Viewport } {
  const { view, setView } = useCapture();
  // Compared by value: the view is decoded anew at every change of the address.
  const [from, to] = view.range ?? [0, duration];
  const range: Range = useMemo(() => clampRange([from, to], duration), [from, to, duration]);
  const [viewport] = useState(() => createViewport(range, duration));
  const committed = useRef<Range>(range);
  useEffect(() => {
    committed.current = range;
    viewport.set(range);
  }, [viewport, range]);
  useEffect(() => {
    let timer = 0;
    const settle = () => {
      const [start, end] = viewport.get();
      if (start === committed.current[0] && end === committed.current[1]) return;
      committed.current = [start, end];
      setView({ range: start <= 0 && end >= duration ? null : [start, end] });
    };
    const unsubscribe = viewport.subscribe(() => {
      clearTimeout(timer);
      timer = window.setTimeout(settle, COMMIT_AFTER_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [viewport, setView, duration]);
  return { range, viewport };
}
