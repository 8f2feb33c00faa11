/** Bars of one block taken from its own path, for when the loaded window has bins instead of blocks. */
import type { Anchor } from "@aglens/ag-model/columns";
import { Gate, isOnSecondaryClock } from "@aglens/ag-model/replication";
import type { Sequence } from "@aglens/contract";
import type { Lane } from "../../lanes/captured-lanes.ts";
import type { ChosenBars } from "./scene.ts";
import type { ClockShift } from "./spans.ts";

function instant(sequence: Sequence, lane: Lane, name: Anchor, shift: ClockShift): number {
  if (name in sequence.local) return sequence.local[name] ?? Number.NaN;
  const hop = sequence.hops.find((h) => h.secondary === lane.secondary);
  const by = isOnSecondaryClock(name) ? (shift[lane.secondary] ?? 0) : 0;
  return (hop?.anchors[name] ?? Number.NaN) + by;
}

/** Start and end (µs) of the block's bar in each lane, and of its commits; lanes whose instants are unknown are left out. */
export function chosenBars(sequence: Sequence, lanes: readonly Lane[], shift: ClockShift): ChosenBars {
  const bars = new Map<string, readonly (readonly [number, number])[]>();
  for (const lane of lanes) {
    if (lane.shape === "commits") {
      bars.set(
        lane.key,
        sequence.commits.map((c) => [c.start, c.end] as const),
      );
      continue;
    }
    const from = instant(sequence, lane, lane.from!, shift);
    const wakes = lane.figure === "ackWakeUp" && sequence.gate === Gate.ofSecondary(lane.secondary);
    const to = instant(sequence, lane, wakes ? "commitEnd" : lane.to!, shift);
    if (!Number.isNaN(to - from)) bars.set(lane.key, [[from, to]]);
  }
  return bars;
}
