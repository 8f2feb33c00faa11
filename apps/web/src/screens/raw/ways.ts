import type { Summary } from "@aglens/contract";
import type { View } from "../../state/view.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** Timeline to both sides of what it is opened at, µs. */
const AROUND_US = 30_000;

/** The view of a timeline that is opened at an instant, µs. */
export function around({ durationUs }: Pick<Summary, "durationUs">, at: number): Partial<View> {
  const from = Math.max(0, at - AROUND_US);
  const to = Math.min(durationUs, at + AROUND_US);
  return from < to ? { range: [from, to] } : {};
}

/**
 * Effect of Esc in every list: as the filter's row describes, it first removes the filter, then returns to the
 * overview.
 */
export function useBack(): () => void {
  const { view, setView, open } = useCapture();
  return () => (view.where === null ? open("overview") : setView({ where: null }));
}
