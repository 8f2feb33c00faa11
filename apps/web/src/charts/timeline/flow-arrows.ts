/** Arrows of the selected block between lanes, and the bars of the commits that wait for it: pure, no canvas. */
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import type { LaneFigure } from "@aglens/ag-model/lanes";
import { Gate } from "@aglens/ag-model/replication";
import { showsDatabase } from "../../lanes/split-lanes.ts";
import { xOf } from "../time-scale.ts";
import type { LaneBox } from "./heights.ts";
import { isSlope, NO_TRACK } from "./lane-painting.ts";
import { barsOfSelected } from "./chosen.ts";
import type { SlopeLine } from "./paint-slopes.ts";
import { rectOf, type Rect, type Scene } from "./scene.ts";
import type { Buffer } from "./spans.ts";

/** Entries of the commits lane that wait for the block at this position of the window; one pass over all commits. */
export function waitingCommits({ spans }: Pick<Buffer, "spans">, block: number): readonly number[] {
  const entries: number[] = [];
  if (block < 0) return entries;
  spans.get("commit")?.block.forEach((of, entry) => {
    if (of === block) entries.push(entry);
  });
  return entries;
}

const isInView = ({ scale }: Scene, { x0, x1 }: SlopeLine): boolean =>
  Math.max(x0, x1) >= 0 && Math.min(x0, x1) <= scale.width;

/**
 * From send to receive and back, px, where the network's lanes show bars: with single blocks the slopes already show
 * this.
 */
export function networkArrows(scene: Scene): readonly SlopeLine[] {
  if (scene.level >= 2) return [];
  return scene.boxes
    .filter((box) => isSlope(box) && box.tall)
    .flatMap((box) => barsOfSelected(scene, box).map(([start, end]) => legOf(scene, box, start, end)))
    .filter((line) => isInView(scene, line));
}

function legOf({ scale }: Scene, { lane, top, height }: LaneBox, start: number, end: number): SlopeLine {
  const [y0, y1] = lane.shape === "slopeOut" ? [top, top + height] : [top + height, top];
  return { x0: xOf(scale, start), x1: xOf(scale, end), y0, y1 };
}

/**
 * Arrow up to the commits lane from the end of the stage that released the block's commits, px: of the local log write,
 * or of the last ack. Null where no commit waits, the releaser is unknown, or that instant is out of view.
 */
export function releaseArrow(scene: Scene): SlopeLine | null {
  const database = databaseOfSelected(scene);
  const commits = scene.boxes.find(({ lane }) => lane.shape === "commits" && showsDatabase(lane, database));
  const from = scene.waiting.length > 0 ? releasingBox(scene) : undefined;
  const end = from && barsOfSelected(scene, from)[0]?.[1];
  if (!commits || !from || end === undefined || from.top < commits.top) return null;
  const x = Math.round(xOf(scene.scale, end)) + 0.5;
  const line = { x0: x, x1: x, y0: from.top, y1: commits.top + commits.height };
  return isInView(scene, line) ? line : null;
}

/**
 * Lanes of a secondary that end on the primary, with its ack; other lanes do not show when the commits were released.
 */
const ACK_FIGURES: readonly string[] = [
  "ackWakeUp",
  "ackReceive",
  "wireBack",
  "remoteHarden",
  "unseen",
] satisfies readonly LaneFigure[];

const databaseOfSelected = ({ buffer, selected }: Scene): number | undefined =>
  buffer.blocks?.blocks.database[selected];

/** The lane whose bar ends with the releaser of the commits; for a folded group its one lane. */
function releasingBox(scene: Scene): LaneBox | undefined {
  const { boxes, buffer, selected } = scene;
  const database = databaseOfSelected(scene);
  const gate = buffer.blocks?.blocks.gate[selected] ?? Gate.unknown;
  if (gate === Gate.localFlush)
    return boxes.find(({ lane }) => lane.figure === "localFlush" && showsDatabase(lane, database));
  const secondary = Gate.secondaryOf(gate);
  return secondary < 0
    ? undefined
    : boxes.findLast(({ lane }) => lane.secondary === secondary && ACK_FIGURES.includes(lane.figure));
}

/** Bars of the commits that wait for the selected block, where single bars are drawn and found a track, px. */
export function waitingRects(scene: Scene): readonly Rect[] {
  const database = databaseOfSelected(scene);
  const box = scene.boxes.find(({ lane }) => lane.shape === "commits" && showsDatabase(lane, database));
  const layout = box && scene.layouts.get(box.lane.key);
  if (scene.level < 2 || !box || layout?.kind !== "bars") return [];
  return scene.waiting
    .map((entry) => ({ entry, i: firstAtOrAfter(layout.entry, entry) }))
    .filter(({ entry, i }) => layout.entry[i] === entry && layout.track[i] !== NO_TRACK)
    .map(({ i }) => rectOf(box, layout, i));
}
