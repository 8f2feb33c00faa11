/** Vertical position of each lane. Heights follow the level only, so they never change while panning. */
import type { Lane } from "../../lanes/lanes.ts";
import type { Level } from "./layout.ts";

export interface LaneBox {
  readonly lane: Lane;
  readonly tall: boolean;
  readonly top: number;
  readonly height: number;
  /** Height of its name above it, px, where names are above the bars; 0 where they are in the gutter. */
  readonly head?: number;
}

const THIN: Record<Level, number> = { 0: 18, 1: 20, 2: 24, 3: 34 };
const GAP = 4;
const PLACE_GAP = 10;

/** Height of a lane's name above its bars on an upright phone, so that it hides no bar. */
export const HEAD_PX = 17;

/** A folded group is as high at each level. */
const FOLDED_PX = 46;

function tallHeight(lane: Lane, level: Level): { wish: number; least: number; most: number } {
  if (lane.whenFolded) return { wish: FOLDED_PX, least: FOLDED_PX, most: FOLDED_PX };
  if (level === 0) return { wish: 72, least: 36, most: 220 };
  if (level === 1) return { wish: 96, least: 36, most: 280 };
  if (lane.shape === "slopeOut" || lane.shape === "slopeBack") return { wish: 100, least: 44, most: 280 };
  // A heading and the name under it need more than a name alone.
  const least = lane.heading === "" ? 30 : 34;
  return { wish: lane.shape === "commits" ? 56 : 48, least, most: lane.shape === "commits" ? 92 : 68 };
}

/** An isolated lane next to the commits lane gets two shares of the height. */
const isolatedHeight = ({ key }: Lane, isolated: readonly string[]): ReturnType<typeof tallHeight> => ({
  wish: isolated.includes(key) ? 2 : 1,
  least: 48,
  most: Infinity,
});

/**
 * Heights of tall lanes in proportion to their wishes: a lane at its limit leaves the rest to the others, so that the
 * available height is used.
 */
function shareHeight(
  lanes: readonly Lane[],
  level: Level,
  available: number,
  isolated: readonly string[],
): Map<string, number> {
  const heights = new Map<string, number>();
  let open = lanes.map((lane) => ({
    key: lane.key,
    ...(isolated.length === 0 ? tallHeight(lane, level) : isolatedHeight(lane, isolated)),
  }));
  let left = available;
  while (open.length > 0) {
    const factor = left / open.reduce((sum, { wish }) => sum + wish, 0);
    const height = (o: (typeof open)[number]) => Math.min(o.most, Math.max(o.least, o.wish * factor));
    const over = open.reduce((sum, o) => sum + height(o) - o.wish * factor, 0);
    // Lanes whose limit costs the others height are settled first, then lanes whose limit leaves some over.
    const settled = open.filter((o) =>
      over >= 0 ? height(o) > o.wish * factor : height(o) < o.wish * factor,
    );
    const now = settled.length > 0 ? settled : open;
    for (const o of now) {
      // Down to whole pixels: lanes that fit must not scroll.
      heights.set(o.key, Math.floor(height(o)));
      left -= height(o);
    }
    open = open.filter((o) => !now.includes(o));
  }
  return heights;
}

/** Whether a lane is tall: the user's choice wins. */
export const isTall = (lane: Lane, chosen: Readonly<Record<string, boolean>>): boolean =>
  chosen[lane.key] ?? lane.tall;

const NONE: readonly string[] = [];

/** Lanes that are tall while lanes are isolated: the isolated ones and the commits. */
export const tallWith = (lanes: readonly Lane[], isolated: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(lanes.map(({ key, shape }) => [key, shape === "commits" || isolated.includes(key)]));

interface StackOptions {
  /** Keys of the lanes that stand out; empty where all are equal. */
  readonly isolated?: readonly string[];
  /** Room for the release tracks under the last lane of commits, px. */
  readonly underCommits?: number;
  /** Room above each lane for its name, px. */
  readonly head?: number;
}

/** Stacks the lanes into `available` px: tall ones share the remaining height, within the limits of the level. */
export function stackLanes(
  lanes: readonly Lane[],
  chosen: Readonly<Record<string, boolean>>,
  level: Level,
  available: number,
  { isolated = NONE, underCommits = 0, head = 0 }: StackOptions = {},
): { boxes: LaneBox[]; height: number } {
  const tallOnes = lanes.filter((l) => isTall(l, chosen));
  const gapAbove = (l: Lane, i: number) =>
    head + (i > 0 && l.opensPlace ? PLACE_GAP : GAP) - (head > 0 ? GAP : 0);
  const lastCommits = lanes.findLast(({ shape }) => shape === "commits");
  const roomUnder = (lane: Lane) => (lane === lastCommits ? underCommits : 0);
  const fixed = lanes.reduce(
    (sum, l, i) => sum + gapAbove(l, i) + roomUnder(l) + (isTall(l, chosen) ? 0 : THIN[level]),
    GAP,
  );
  const heights = shareHeight(tallOnes, level, available - fixed, isolated);
  let top = 0;
  const boxes = lanes.map((lane, i): LaneBox => {
    top += gapAbove(lane, i);
    const tall = isTall(lane, chosen);
    const height = heights.get(lane.key) ?? THIN[level];
    const box = { lane, tall, top, height, head };
    top += height + roomUnder(lane);
    return box;
  });
  return { boxes, height: top + GAP };
}

/** Runs of lanes of one place, for the colored edge. */
export function places(boxes: readonly LaneBox[]): { place: string; top: number; bottom: number }[] {
  const runs: { place: string; top: number; bottom: number }[] = [];
  for (const { lane, top, height, head = 0 } of boxes) {
    const last = runs.at(-1);
    if (last && last.place === lane.place && !lane.opensPlace) last.bottom = top + height;
    else runs.push({ place: lane.place, top: top - head, bottom: top + height });
  }
  return runs;
}
