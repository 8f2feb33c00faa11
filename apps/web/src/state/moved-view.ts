/** A view that was made of a capture's beginning, for the whole of the capture. */
import { ticksToMicroseconds } from "@aglens/ag-model/replication";
import type { LinkedView } from "./view.ts";

type Stretch = LinkedView["range"];

/**
 * The view with its instants counted from another origin, and without what is numbered, which are rows of blocks, files of events and
 * phases; a block that is named stays. As it is where its origin is that one.
 * @param origin FILETIME ticks
 */
export function movedView(view: LinkedView, origin: string): LinkedView {
  if (view.origin === null || view.origin === origin) return view;
  const later = ticksToMicroseconds(BigInt(view.origin) - BigInt(origin));
  const moved = (stretch: Stretch): Stretch => stretch && [stretch[0] + later, stretch[1] + later];
  return {
    ...view,
    origin,
    range: moved(view.range),
    selected: moved(view.selected),
    other: moved(view.other),
    sideA: moved(view.sideA),
    sideB: moved(view.sideB),
    rulers: view.rulers.map(([from, to]) => [
      { at: from.at + later, edge: null },
      { at: to.at + later, edge: null },
    ]),
    block: typeof view.block === "number" ? null : view.block,
    kept: [],
    event: null,
    phase: null,
  };
}
