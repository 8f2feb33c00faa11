import { useCapture } from "../../capture-view/capture-context.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import { movedLane } from "../../../lanes/pinned-lanes.ts";
import { openGroups, releasingInView } from "./open-groups.ts";
import { useTimelineData } from "../timeline-context.ts";

interface LaneChoice {
  readonly setLane: (lane: Lane, tall: boolean) => void;
  /** Pins a lane below the other pinned ones, or unpins it. */
  readonly togglePin: (lane: Lane) => void;
  /** Folds or unfolds the lanes of a replica, by its index. */
  readonly toggleGroup: (replica: number) => void;
  /** Folds all groups but the primary and the replica that releases most in view. */
  readonly openReleasing: () => void;
}

/** Choices of the view: the tall lanes, and the replicas whose lanes are open. */
export function useLaneChoice(): LaneChoice {
  const { summary, view, setView } = useCapture();
  const { lanes, statistics } = useTimelineData();
  return {
    setLane: (lane, tall) => setView({ lanes: { ...view.lanes, [lane.key]: tall } }, "replace"),
    togglePin: ({ key, pinned }) =>
      setView(
        { pinned: pinned ? view.pinned.filter((each) => each !== key) : movedLane(view.pinned, key, -1) },
        "replace",
      ),
    toggleGroup: (replica) => {
      if (lanes.all.some((lane) => lane.replica === replica))
        setView({ open: toggled(openGroups(summary, view.open), replica) }, "replace");
    },
    openReleasing: () => {
      if (statistics.value !== null) setView({ open: releasingInView(summary, statistics.value) }, "replace");
    },
  };
}

/** The list with a number added, or without it; ascending. */
function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter((each) => each !== number);
  return rest.length < list.length ? rest : [...rest, number].toSorted((a, b) => a - b);
}
