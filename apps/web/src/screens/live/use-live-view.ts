import { useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import { navigate, openPath } from "../../state/navigate.ts";
import { decodeLiveView, encodeLiveView, type LiveView } from "./live-view.ts";

/** The view in the address, and the only way to change it. */
export function useLiveView(): [LiveView, (change: Partial<LiveView>) => void] {
  const search = useSearch();
  const view = useMemo(() => decodeLiveView(search), [search]);
  const setView = useCallback((change: Partial<LiveView>) => {
    // From the address, not from the last render: two changes in one event must not undo each other.
    const query = encodeLiveView({ ...decodeLiveView(window.location.search), ...change });
    navigate(query === "" ? openPath() : `${openPath()}?${query}`, {
      replace: true,
    });
  }, []);
  return [view, setView];
}
