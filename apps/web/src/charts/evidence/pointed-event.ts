/** Finds the event under the pointer. */
import { timeAt, type TimeScale } from "../time-scale.ts";
import type { PaintedTicks } from "./paint-evidence.ts";
import type { PlacedTick } from "./place-ticks.ts";
import { type EvidenceStack, isMetric } from "./stack.ts";
import { ROW_PX } from "./place-ticks.ts";

/** Maximum distance of the pointer from a tick that it points at, px. */
const NEAR_PX = 6;

/** Index of the event at a place, px from the rule; null where none is. */
export function pointedEvent(
  stack: EvidenceStack,
  ticks: PaintedTicks,
  scale: TimeScale,
  x: number,
  y: number,
): number | null {
  const box = stack.boxes.find(({ top, height }) => y >= top && y < top + height);
  if (box === undefined || isMetric(box.lane)) return null;
  const at = timeAt(scale, x);
  const band = box.lane.bands.findLast(({ from, to }) => at >= from && at < to);
  if (band !== undefined) return band.event;
  const row = Math.floor((y - box.top) / ROW_PX);
  const near = (ticks.get(box) ?? [])
    .map((placed) => ({ placed, distance: distanceTo(placed, x) + (placed.row === row ? 0 : NEAR_PX / 2) }))
    .filter(({ distance }) => distance <= NEAR_PX)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.placed.tick.event ?? null;
}

/** Distance to a tick, its duration or its text, px. */
function distanceTo({ x, left, label }: PlacedTick, at: number): number {
  const from = Math.min(left ?? x, label?.x ?? x);
  const to = Math.max(x, label === null ? x : label.x + label.width);
  return Math.max(0, from - at, at - to);
}
