import { useMemo, useSyncExternalStore } from "react";

/** Whether a media query matches; renders again when that changes. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  return useSyncExternalStore(
    (changed) => {
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => list.matches,
  );
}

/** A phone held upright, or any window as narrow. */
export const UPRIGHT_PHONE = "(max-width: 719px)";

/** A phone in landscape. Style sheets repeat both queries, since CSS has no name for them. */
export const PHONE_ON_ITS_SIDE = "(min-width: 720px) and (max-width: 1023px) and (max-height: 499px)";

export const PHONE = `${UPRIGHT_PHONE}, ${PHONE_ON_ITS_SIDE}`;

/** Windows in which pictures of a full screen use the remaining height. */
export const TALL_DESK = "(min-width: 1680px) and (min-height: 940px)";

/**
 * Windows in which the timeline's pane is under its lanes, which need the height. Paper is never one: its pane would be
 * folded, and can't be opened there.
 */
export const PANE_BELOW = "screen and (min-width: 720px) and (max-width: 1279px) and (min-height: 500px)";
