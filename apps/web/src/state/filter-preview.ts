/**
 * Conditions that are being typed: screens show their hits, no link contains them, and leaving the search box ends
 * them.
 */
import type { BlockFilter } from "@aglens/contract";

export interface FilterPreview {
  /** Null while nothing is typed. */
  readonly get: () => BlockFilter | null;
  readonly set: (typed: BlockFilter | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createFilterPreview(): FilterPreview {
  let typed: BlockFilter | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => typed,
    set: (next) => {
      if (next === typed) return;
      typed = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The one of the page: the box is in the frame, the hits are on the screens. */
export const filterPreview = createFilterPreview();

/** The view's conditions without those that are still typed. */
export const keptConditions = (where: BlockFilter | null, typed: BlockFilter | null): BlockFilter =>
  (where ?? []).filter((condition) => typed?.includes(condition) !== true);
