/**
 * Cells of the grids behind the canvas: the cells that can have the keyboard focus, and the steps of keys between them.
 */
import type { Range } from "../viewport.ts";

/** The cell with the keyboard focus: a lane and the row of a block in the capture. */
export interface FocusedCell {
  readonly key: string;
  readonly row: number;
}

/** Number of equal slots in the view: few enough to walk through, enough to find slow blocks. */
export const SLOTS = 24;

/** The lane and the slot of the view that have the keyboard focus. */
export interface FocusedSlot {
  readonly key: string;
  readonly slot: number;
}

/** Bounds of the nth slot of the view, µs. */
export const slotRange = ([from, to]: Range, slot: number): Range => [
  from + ((to - from) * slot) / SLOTS,
  from + ((to - from) * (slot + 1)) / SLOTS,
];

/** Positions [first, last) in the buffer of the cells that exist: at most `most`, around the position that the first argument names. */
export function cellsAround(
  center: number,
  [first, last]: readonly [number, number],
  most: number,
): readonly [number, number] {
  const from = Math.max(first, Math.min(last - most, center - (most >> 1)));
  return [from, Math.min(last, from + most)];
}

/** Step of a key from a cell: change of lane and position in the window; null for a key that the grid does not use. */
export function stepOf(
  key: string,
  position: number,
  [first, last]: readonly [number, number],
): { lane: number; position: number } | null {
  if (key === "ArrowLeft") return { lane: 0, position: position - 1 };
  if (key === "ArrowRight") return { lane: 0, position: position + 1 };
  if (key === "ArrowUp") return { lane: -1, position };
  if (key === "ArrowDown") return { lane: 1, position };
  if (key === "Home") return { lane: 0, position: first };
  if (key === "End") return { lane: 0, position: last - 1 };
  return null;
}
