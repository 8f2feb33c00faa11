/**
 * Distance that a secondary's bars are moved to show the uncertainty of its clock (docs/contribute/design.md 8). It
 * lasts while the clock chip is pressed, is in no link, and only a screen that watches it can show it.
 */
export interface ClockPreview {
  /** µs by secondary; no entry when not moved. */
  readonly get: () => ReadonlyMap<number, number>;
  /** Moves a secondary; 0 ends it. */
  readonly set: (secondary: number, us: number) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether a screen shows it now. */
  readonly isWatched: () => boolean;
}

const NONE: ReadonlyMap<number, number> = new Map();

export function createClockPreview(): ClockPreview {
  let moved = NONE;
  const listeners = new Set<() => void>();
  return {
    get: () => moved,
    set: (secondary, us) => {
      if ((moved.get(secondary) ?? 0) === us) return;
      moved = us === 0 ? NONE : new Map([[secondary, us]]);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isWatched: () => listeners.size > 0,
  };
}

/** The one of the page: the chip is in the frame, the lanes are in a screen. */
export const clockPreview = createClockPreview();

/** px of a drag that reach an extreme. */
const REACH_PX = 48;

/** Distance that a drag of `dx` px moves a secondary of ±`uncertaintyUs`, µs, limited to ±`uncertaintyUs`. */
export const draggedBy = (dx: number, uncertaintyUs: number): number =>
  Math.max(-1, Math.min(1, dx / REACH_PX)) * uncertaintyUs;
