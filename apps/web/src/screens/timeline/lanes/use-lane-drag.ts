import { drag } from "d3-drag";
import { select } from "d3-selection";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { CLICK_PX } from "../../../charts/use-range-drag.ts";

/** A lane that is dragged by its name. */
interface DraggedLane {
  readonly key: string;
  /** Number of the other lanes above the place where it would be dropped. */
  readonly above: number;
  /** Height of that place, px. */
  readonly y: number;
}

/** Number of lanes above a height, without the dragged one; a lane counts as above from its middle on. */
export const lanesAbove = (boxes: readonly LaneBox[], key: string, y: number): number =>
  boxes.filter(({ lane, top, height }) => lane.key !== key && top + height / 2 < y).length;

/** Future place of the lane, px: at the top of the lane that it would push down. */
function placeOf(boxes: readonly LaneBox[], key: string, above: number): number {
  const others = boxes.filter(({ lane }) => lane.key !== key);
  const next = others[above];
  const last = others.at(-1);
  return next?.top ?? (last === undefined ? 0 : last.top + last.height);
}

/** The key of the lane whose name an element is part of. */
export const laneKeyOf = (target: EventTarget | null): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>("[data-lane]")?.dataset["lane"] : null) ?? null;

/**
 * Drags a lane's name up or down with the mouse; fingers scroll. A press that moves no further than a click counts as a
 * click.
 */
export function useLaneDrag(
  gutter: RefObject<HTMLElement | null>,
  boxes: readonly LaneBox[],
  onDrop: (key: string, above: number) => void,
): DraggedLane | null {
  const [dragged, setDragged] = useState<DraggedLane | null>(null);
  const current = useRef({ boxes, onDrop });
  useEffect(() => {
    current.current = { boxes, onDrop };
  });
  useEffect(() => {
    const node = gutter.current!;
    let lane: { readonly key: string; readonly y: number } | null = null;
    let found: DraggedLane | null = null;
    const behavior = drag<HTMLElement, unknown>()
      .container(() => node)
      .clickDistance(CLICK_PX)
      .touchable(false)
      .filter((event: MouseEvent) => event.button === 0 && laneKeyOf(event.target) !== null)
      .on("start", (event) => {
        const key = laneKeyOf((event.sourceEvent as Event).target);
        lane = key === null ? null : { key, y: event.y };
        found = null;
      })
      .on("drag", (event) => {
        if (lane === null || (found === null && Math.abs(event.y - lane.y) <= CLICK_PX)) return;
        const above = lanesAbove(current.current.boxes, lane.key, event.y);
        found = { key: lane.key, above, y: placeOf(current.current.boxes, lane.key, above) };
        setDragged(found);
      })
      .on("end", () => {
        if (found !== null) current.current.onDrop(found.key, found.above);
        setDragged(null);
      });
    const target = select(node).call(behavior);
    return () => void target.on(".drag", null);
  }, [gutter]);
  return dragged;
}
