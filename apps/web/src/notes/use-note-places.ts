import { type RefObject, useCallback, useLayoutEffect } from "react";
import { noteBoxes } from "./note-boxes.ts";
import type { PlacedNote } from "./placed-note.ts";

/** Time in view while it moves, µs. */
export interface MovingRange {
  readonly get: () => readonly [number, number];
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Keeps the elements inside `parent` at their notes' places while the view moves, without a render: for each element
 * with `data-note` the button that is the note's box, and the mark over its range.
 * @param width of the plot, px
 */
export function useNotePlaces(
  parent: RefObject<HTMLElement | null>,
  notes: readonly PlacedNote[],
  width: number,
  viewport: MovingRange,
): void {
  const place = useCallback(() => {
    const range = viewport.get();
    const boxes = noteBoxes(notes, range, width);
    for (const element of parent.current?.querySelectorAll<HTMLElement>("[data-note]") ?? []) {
      const note = notes.find(({ id }) => id === element.dataset["note"]);
      if (note === undefined) continue;
      const box = boxes.get(note.id);
      element.hidden = box === undefined;
      if (box === undefined) continue;
      moveTo(element.querySelector("button"), box.left, box.width);
      moveTo(element.querySelector("i"), box.markLeft, box.markWidth);
    }
  }, [parent, notes, width, viewport]);
  // After each render too: it may have created the elements again.
  useLayoutEffect(() => {
    place();
    return viewport.subscribe(place);
  });
}

function moveTo(element: HTMLElement | null, left: number, width: number): void {
  if (element === null) return;
  element.style.left = `${left}px`;
  element.style.width = `${width}px`;
}
