/** Which bar is under the pointer. Targets are at least 8 px wide: the nearest block within 6 px, ties go to the longer. */
import type { LaneBox } from "./heights.ts";
import type { Bars, LaneLayout } from "./layout.ts";

/** Target of the pointer. A hit is something else: a block that matches a filter. */
export interface Pointed {
  readonly box: LaneBox;
  /** Entry in the lane's spans; -1 when only a bin is loaded. */
  readonly entry: number;
  readonly value: number;
  /** Left and right edge of the target, px. */
  readonly left: number;
  readonly right: number;
}

const NEAR_PX = 6;

/** Lane at a height, or null in a gap. */
export function laneAt(boxes: readonly LaneBox[], y: number): LaneBox | null {
  return boxes.find((b) => y >= b.top && y < b.top + b.height) ?? null;
}

/** Height of one track of a lane that stacks overlapping bars. */
export const trackHeight = (box: LaneBox, tracks: number): number => box.height / tracks;

function distance(layout: Bars, i: number, x: number): number {
  return Math.max(0, layout.x[i] - x, x - (layout.x[i] + layout.width[i]));
}

function pointedOfBars(layout: Bars, box: LaneBox, x: number, y: number): Pointed | null {
  const track =
    layout.tracks > 1 && box.lane.shape !== "slopeOut" && box.lane.shape !== "slopeBack"
      ? Math.floor((y - box.top) / trackHeight(box, layout.tracks))
      : -1;
  let best = -1;
  let bestDistance = NEAR_PX + 1e-9;
  for (let i = 0; i < layout.count; i++) {
    if (layout.track[i] === 255 || (track >= 0 && layout.track[i] !== track)) continue;
    const d = distance(layout, i, x);
    if (d < bestDistance || (d === bestDistance && best >= 0 && layout.value[i] > layout.value[best])) {
      best = i;
      bestDistance = d;
    }
  }
  if (best < 0) return null;
  return {
    box,
    entry: layout.entry[best],
    value: layout.value[best],
    left: layout.x[best],
    right: layout.x[best] + layout.width[best],
  };
}

/** The bar at (x, y) in px of the lanes' area, or null. */
export function pointedBar(
  boxes: readonly LaneBox[],
  layouts: ReadonlyMap<string, LaneLayout>,
  x: number,
  y: number,
): Pointed | null {
  const box = laneAt(boxes, y);
  const layout = box && layouts.get(box.lane.key);
  if (!box || !layout) return null;
  if (layout.kind === "bars") return pointedOfBars(layout, box, x, y);
  let best = -1;
  for (let c = Math.max(0, Math.floor(x) - 3); c <= Math.min(layout.max.length - 1, Math.floor(x) + 3); c++) {
    if (!Number.isNaN(layout.max[c]) && (best < 0 || layout.max[c] > layout.max[best])) best = c;
  }
  return best < 0
    ? null
    : { box, entry: layout.entry[best], value: layout.max[best], left: best, right: best + 1 };
}
