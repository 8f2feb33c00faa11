/** Bars of one block from its own path, for a window that has bins instead of blocks. */
import { ackEnd, type Anchor } from "@aglens/ag-model/columns";
import { isLocalAnchor, isOnSecondaryClock } from "@aglens/ag-model/replication";
import type { Sequence } from "@aglens/contract";
import type { Lane } from "../../lanes/lanes.ts";
import { showsDatabase } from "../../lanes/split-lanes.ts";
import type { LaneBox } from "./heights.ts";
import type { ChosenBars, Scene } from "./scene.ts";
import type { ClockShift } from "./spans.ts";

function instant(sequence: Sequence, lane: Lane, name: Anchor, shift: ClockShift): number {
  if (isLocalAnchor(name)) return sequence.local[name] ?? Number.NaN;
  const hop = sequence.hops.find((h) => h.secondary === lane.secondary);
  const by = isOnSecondaryClock(name) ? (shift[lane.secondary] ?? 0) : 0;
  return (hop?.anchors[name] ?? Number.NaN) + by;
}

/** Start and end of the block's bar in a lane, µs; NaN for an unknown instant. */
function barOf(sequence: Sequence, lane: Lane, shift: ClockShift): readonly [number, number] {
  const [start, end] = lane.anchors!.map((anchor) => instant(sequence, lane, anchor, shift));
  if (lane.figure !== "ackWakeUp") return [start, end];
  const commitEnd = instant(sequence, lane, "commitEnd", shift);
  return [start, ackEnd(sequence.gate, lane.secondary, end, commitEnd)];
}

/** Start and end (µs) of the block's bar in each lane, and of its commits; lanes whose instants are unknown are skipped. */
export function barsOfSequence(sequence: Sequence, lanes: readonly Lane[], shift: ClockShift): ChosenBars {
  const bars = new Map<string, readonly (readonly [number, number])[]>();
  for (const lane of lanes) {
    if (!showsDatabase(lane, sequence.database)) continue;
    if (lane.anchors === null) {
      bars.set(
        lane.key,
        sequence.commits.map((c) => [c.start, c.end] as const),
      );
      continue;
    }
    const [from, to] = barOf(sequence, lane, shift);
    if (!Number.isNaN(to - from)) bars.set(lane.key, [[from, to]]);
  }
  return bars;
}

/** Start and end (µs) of the selected block's bars: from the window, or from its own path when the window has bins. */
export function barsOfSelected(
  scene: Scene,
  { lane }: Pick<LaneBox, "lane">,
): readonly (readonly [number, number])[] {
  const spans = scene.buffer.spans.get(lane.key);
  if (scene.selected < 0 || !spans) return scene.chosen?.get(lane.key) ?? [];
  if (lane.shape !== "commits") return [[spans.start[scene.selected], spans.end[scene.selected]]];
  return scene.waiting.map((entry) => [spans.start[entry], spans.end[entry]] as const);
}
