/**
 * The time in view while it moves. It is outside React, so that a drag or wheel costs one canvas frame and no render;
 * listeners paint, and the screen commits the range to the view once it rests.
 */
export type Range = readonly [number, number];

/** Shortest range that can be shown, µs: single microseconds still have 20 px each at the narrowest plot. */
export const LEAST_SPAN_US = 20;

/** Keeps a range inside [0, duration] and at least 20 µs long; its span is kept where possible. */
export function clampRange([from, to]: Range, duration: number): Range {
  const span = Math.min(duration, Math.max(LEAST_SPAN_US, to - from));
  const start = Math.min(Math.max(0, from), duration - span);
  return [start, start + span];
}

/** The range scaled by `factor` (over 1 zooms out) with the instant `at` staying where it is. */
export function zoomAt([from, to]: Range, at: number, factor: number, duration: number): Range {
  const span = Math.min(duration, Math.max(LEAST_SPAN_US, (to - from) * factor));
  const share = (at - from) / (to - from);
  return clampRange([at - share * span, at - share * span + span], duration);
}

/** The range moved by a share of its own span. */
export function panBy([from, to]: Range, share: number, duration: number): Range {
  const by = (to - from) * share;
  return clampRange([from + by, to + by], duration);
}

export interface Viewport {
  readonly get: () => Range;
  /** Moves, and reports it to listeners at once. */
  readonly set: (range: Range) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A viewport over [0, duration] µs. */
export function createViewport(initial: Range, duration: number): Viewport {
  let range = clampRange(initial, duration);
  const listeners = new Set<() => void>();
  return {
    get: () => range,
    set: (next) => {
      const clamped = clampRange(next, duration);
      if (clamped[0] === range[0] && clamped[1] === range[1]) return;
      range = clamped;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
