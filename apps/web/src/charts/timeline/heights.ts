/** Where each lane stands vertically. Heights follow the level only, so they never move while panning. */
import type { Lane } from "./lanes.ts";
import type { Level } from "./layout.ts";

export interface LaneBox {
  readonly lane: Lane;
  readonly tall: boolean;
  readonly top: number;
  readonly height: number;
}

const THIN: Record<Level, number> = { 0: 18, 1: 20, 2: 24, 3: 34 };
const GAP = 4;
const PLACE_GAP = 10;

function tallHeight(lane: Lane, level: Level): { wish: number; least: number; most: number } {
  if (level === 0) return { wish: 72, least: 44, most: 150 };
  if (level === 1) return { wish: 96, least: 48, most: 190 };
  if (lane.shape === "slopeOut" || lane.shape === "slopeBack") return { wish: 100, least: 54, most: 190 };
  return { wish: lane.shape === "commits" ? 56 : 48, least: 38, most: lane.shape === "commits" ? 84 : 62 };
}

/** Stacks the lanes into `available` px: tall ones share what is left, within the limits of the level. */
export function stackLanes(
  lanes: readonly Lane[],
  chosen: Readonly<Record<string, boolean>>,
  level: Level,
  available: number,
): { boxes: LaneBox[]; height: number } {
  const isTall = (l: Lane) => chosen[l.key] ?? l.tall;
  const gapAbove = (l: Lane, i: number) => (i === 0 ? GAP : l.opensPlace ? PLACE_GAP : GAP);
  const fixed = lanes.reduce((sum, l, i) => sum + gapAbove(l, i) + (isTall(l) ? 0 : THIN[level]), GAP);
  const wish = lanes.filter(isTall).reduce((sum, l) => sum + tallHeight(l, level).wish, 0);
  const factor = wish > 0 ? (available - fixed) / wish : 1;
  let top = 0;
  const boxes = lanes.map((lane, i): LaneBox => {
    top += gapAbove(lane, i);
    const tall = isTall(lane);
    const { wish: own, least, most } = tallHeight(lane, level);
    const height = tall ? Math.round(Math.min(most, Math.max(least, own * factor))) : THIN[level];
    const box = { lane, tall, top, height };
    top += height;
    return box;
  });
  return { boxes, height: top + GAP };
}
