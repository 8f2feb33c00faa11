/** The instant under the pointer. It is outside React, as the viewport is: moving the pointer renders nothing. */
export interface Cursor {
  /** µs from the capture's origin; null while the pointer is elsewhere. */
  readonly get: () => number | null;
  readonly set: (at: number | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCursor(): Cursor {
  let instant: number | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => instant,
    set: (at) => {
      if (at === instant) return;
      instant = at;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
