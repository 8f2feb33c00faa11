import { useSyncExternalStore } from "react";

const ratioOfScreen = (): number => globalThis.devicePixelRatio || 1;

/** A query only reports that the current ratio has ended, so every change needs a new query. */
function watchRatio(changed: () => void): () => void {
  let query = queryOfScreen();
  const onChange = (): void => {
    query.removeEventListener("change", onChange);
    query = queryOfScreen();
    query.addEventListener("change", onChange);
    changed();
  };
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

const queryOfScreen = (): MediaQueryList => matchMedia(`(resolution: ${ratioOfScreen()}dppx)`);

/** Device pixels per CSS pixel; renders again when the window moves to another screen or the page is zoomed. */
export function usePixelRatio(): number {
  return useSyncExternalStore(watchRatio, ratioOfScreen);
}
