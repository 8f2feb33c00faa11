import { useCallback, useState } from "react";
import type { LiveRun } from "./live-run-context.ts";
import { KEPT_US } from "./picture.ts";

/** Time that the lanes show, µs. */
export const WINDOW_US = 30e6;

/**
 * The instant of the view: it follows the run until the user pauses it or moves it back, at most to the run's beginning
 * or to the kept detail.
 */
export function useHeldView(
  readNow: () => number,
): Pick<LiveRun, "heldAt" | "toggleHold" | "pan"> & { readonly follow: () => void } {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const toggleHold = useCallback(() => setHeldAt((at) => (at === null ? readNow() : null)), [readNow]);
  const follow = useCallback(() => setHeldAt(null), []);
  const pan = useCallback(
    (us: number) =>
      setHeldAt((at) => {
        const now = readNow();
        const next = (at ?? now) - us;
        return next >= now ? null : Math.max(next, Math.min(now, WINDOW_US), now - KEPT_US + WINDOW_US);
      }),
    [readNow],
  );
  return { heldAt, toggleHold, pan, follow };
}
