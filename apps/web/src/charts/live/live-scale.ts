/** Places of instants in a running picture, whose "now" line stays where it is. */

/** Position of the "now" line, as a share of the plot's width. */
const NOW_AT = 0.955;

export interface LiveView {
  /** Instant at the "now" line, µs. */
  readonly now: number;
  /** Width of the plot, px, and µs across it. */
  readonly width: number;
  readonly windowUs: number;
}

export const usPerPx = (view: LiveView): number => view.windowUs / view.width;
export const nowX = (view: LiveView): number => Math.round(view.width * NOW_AT);
export const xAt = (view: LiveView, at: number): number => nowX(view) + (at - view.now) / usPerPx(view);
/** Instants at the plot's edges, µs. */
export const edges = (view: LiveView): [number, number] => {
  const from = view.now - nowX(view) * usPerPx(view);
  return [from, from + view.windowUs];
};
