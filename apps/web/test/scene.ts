/** Scenes of the timeline with lanes, blocks and boxes that a test defines. */
import type { BinWindow, BlockWindow, CommitWindow } from "@aglens/contract";
import { waitingCommits } from "../src/charts/timeline/flow-arrows.ts";
import type { LaneBox } from "../src/charts/timeline/heights.ts";
import { layoutLane } from "../src/charts/timeline/layout.ts";
import { fadeOf } from "../src/charts/timeline/paint-bars.ts";
import type { Scene } from "../src/charts/timeline/scene.ts";
import { buildBuffer } from "../src/charts/timeline/spans.ts";
import { captureLanes, type Lane } from "../src/lanes/lanes.ts";
import { replicaNamed } from "./replicas.ts";
import { NAMED } from "./tokens.ts";
import { commitWindow } from "./window.ts";

/** SQL1 with the synchronous SQL2 and the asynchronous SQL3. */
export const LANES: readonly Lane[] = captureLanes([
  replicaNamed("SQL1"),
  replicaNamed("SQL2"),
  replicaNamed("SQL3", { commitMode: "async" }),
]);

/** A lane of `LANES` by its key. */
export const laneOf = (key: string): Lane => LANES.find((lane) => lane.key === key)!;

/** Box of a lane, px; tall by default. */
export const boxOf = (key: string, top: number, height: number, tall = true): LaneBox => ({
  lane: laneOf(key),
  top,
  height,
  tall,
});

interface PageInput extends Partial<Omit<Scene, "buffer" | "layouts">> {
  readonly boxes: readonly LaneBox[];
  readonly window: BlockWindow | BinWindow;
  readonly commits?: CommitWindow;
}

/**
 * A scene of 10 ms on 1,000 px (10 µs per px) at level 2, laid out as in the timeline; `given` sets the differences.
 */
export function sceneOf({ window, commits = commitWindow([]), ...given }: PageInput): Scene {
  const scale = given.scale ?? { from: 0, to: 10_000, width: 1_000 };
  const level = given.level ?? 2;
  const uncertainty = given.uncertainty ?? [];
  const buffer = buildBuffer(window, commits, LANES, []);
  const fade = ({ lane, tall }: LaneBox): number => (tall ? fadeOf({ uncertainty, scale }, lane) : 0);
  return {
    layouts: new Map(
      given.boxes.map((box) => [box.lane.key, layoutLane(buffer, box.lane, scale, level, fade(box))]),
    ),
    buffer,
    tokens: NAMED,
    ticks: [],
    selected: -1,
    waiting: waitingCommits(buffer, given.selected ?? -1),
    chosen: null,
    kept: [],
    gates: false,
    uncovered: [],
    lost: [],
    underWay: [],
    switches: [],
    idle: false,
    patterns: false,
    edges: false,
    focus: null,
    hits: null,
    isSetBack: false,
    isolated: [],
    slot: null,
    ...given,
    scale,
    level,
    uncertainty,
  };
}
