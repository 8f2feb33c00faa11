import { useCallback, useState } from "react";
import { useSearch } from "wouter";
import { decodeView, encodeView } from "./codec.ts";
import { navigate, openPath } from "./navigate.ts";
import { type LinkedView, type NamedBlock, type View, viewAt } from "./view.ts";
import type { TimeChoice } from "./time-choice.ts";
import { withTrail, type ZoomTrail } from "./zoom-trail.ts";

/** A path with the query string of a view. */
export function viewUrl(path: string, view: LinkedView): string {
  const query = encodeView(viewAt(path, view));
  return query === "" ? path : `${path}?${query}`;
}

/**
 * An address for others: it shows times as they are here, and names the block instead of its row, because people can
 * read the name, and a new analysis keeps it.
 */
export function linkFor(address: string, block: NamedBlock | null, time: TimeChoice): string {
  const url = new URL(address);
  const view = decodeView(url.search);
  url.search = encodeView({ ...view, time, block: view.block === null ? null : (block ?? view.block) });
  return url.href;
}

/** Changes the view. `zoom` is the trail that leads to its range; without it the trail stays. */
export type SetView = (change: Partial<View>, history?: "push" | "replace", zoom?: ZoomTrail) => void;

/** The view in the URL, and the only way to change it. */
export function useView(): [LinkedView, SetView] {
  const search = useSearch();
  const [kept, setKept] = useState(() => ({ search, view: decodeView(search) }));
  const view = kept.search === search ? kept.view : decodeView(search, kept.view);
  if (kept.search !== search) setKept({ search, view });
  const setView = useCallback<SetView>((change, history = "push", zoom) => {
    // From the address, not from the last render: two changes in one event must not undo each other.
    const next = { ...decodeView(window.location.search), ...change };
    const url = viewUrl(openPath(), next);
    if (url === openPath() + window.location.search) return;
    const { state } = window.history;
    navigate(url, {
      replace: history === "replace",
      state: zoom === undefined ? state : withTrail(state, zoom),
    });
  }, []);
  return [view, setView];
}
