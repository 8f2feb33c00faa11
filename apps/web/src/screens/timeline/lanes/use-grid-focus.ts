import { useMemo, useState } from "react";
import type { Scene } from "../../../charts/timeline/scene.ts";
import { barSpan } from "../../../charts/timeline/buffered.ts";
import { positionOf, type Buffer } from "../../../charts/timeline/spans.ts";
import { type FocusedCell, type FocusedSlot, slotRange } from "./grid-cells.ts";
import type { Range } from "../viewport.ts";

export interface GridFocus {
  /** The bar with the keyboard focus. */
  readonly cell: FocusedCell | null;
  readonly focusCell: (cell: FocusedCell | null) => void;
  /** The slot of a lane that has the keyboard focus while the window has bins. */
  readonly slot: Scene["slot"];
  readonly focusSlot: (slot: FocusedSlot | null) => void;
}

/** Keyboard focus in the grids behind the canvas. */
export function useGridFocus(
  buffer: Buffer | null,
  range: Range,
  reveal: (from: number, to: number) => void,
): GridFocus {
  const [cell, setCell] = useState<FocusedCell | null>(null);
  const [chosen, focusSlot] = useState<FocusedSlot | null>(null);
  const slot = useMemo(() => {
    if (chosen === null) return null;
    const [from, to] = slotRange(range, chosen.slot);
    return { key: chosen.key, from, to };
  }, [chosen, range]);
  const focusCell = (next: FocusedCell | null) => {
    setCell(next);
    // The bar itself must come into view, not the whole block: a ring needs its bar.
    const bar = next && barSpan(buffer, next.key, positionOf(buffer, next.row));
    if (bar) reveal(...bar);
  };
  return { cell, focusCell, slot, focusSlot };
}
