import { useMemo } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { stepsBack, trailOf, type ZoomTrail } from "../../state/zoom-trail.ts";
import { type KeyBindings, useKeys } from "../../ui/keys.ts";
import { useCapture } from "../capture-view/capture-context.ts";

export interface ZoomSteps {
  readonly trail: ZoomTrail;
  /** Goes this number of steps back, or ahead under 0; beyond the ends nothing happens. */
  readonly go: (steps: number) => void;
}

/** The zooms before the range in view, and functions to go along them; each is an entry of the browser's history. */
export function useZoomSteps(): ZoomSteps {
  const { view, setView } = useCapture();
  const state = useHistoryState<unknown>();
  const trail = useMemo(() => trailOf(state, view.range), [state, view.range]);
  const go = (steps: number): void => {
    const next = stepsBack(trail, steps);
    if (next !== null) setView({ range: next.range }, "push", next);
  };
  return { trail, go };
}

/** Keys along the zooms. Without a step the browser handles the key. */
export function useZoomStepKeys(): void {
  const { trail, go } = useZoomSteps();
  const bindings: KeyBindings = {
    ...(trail.back.length > 0 ? { zoomBack: () => go(1) } : {}),
    ...(trail.ahead.length > 0 ? { zoomAhead: () => go(-1) } : {}),
  };
  useKeys(bindings);
}
