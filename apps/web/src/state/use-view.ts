import { useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import { decodeView, encodeView } from "./codec.ts";
import { navigate, openPath } from "./navigate.ts";
import type { View } from "./view.ts";

/** A path with the query string of a view. */
export function viewUrl(path: string, view: View): string {
  const query = encodeView(view);
  return query === "" ? path : `${path}?${query}`;
}

/** The view in the URL, and the only way to change it. */
export function useView(): [View, (change: Partial<View>, history?: "push" | "replace") => void] {
  const search = useSearch();
  const view = useMemo(() => decodeView(search), [search]);
  const setView = useCallback((change: Partial<View>, history: "push" | "replace" = "push") => {
    // From the address, not from the last render: two changes in one event must not undo each other.
    const next = { ...decodeView(window.location.search), ...change };
    const url = viewUrl(openPath(), next);
    if (url === openPath() + window.location.search) return;
    navigate(url, { replace: history === "replace" });
  }, []);
  return [view, setView];
}
