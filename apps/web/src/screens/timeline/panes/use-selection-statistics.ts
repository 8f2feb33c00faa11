import type { RangeStatistics } from "@aglens/contract";
import { type Answer, useAnswer, WHEN_DRAGGED } from "../../../data/use-answer.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineSelection } from "../timeline-context.ts";

/** Figures of the selected range; empty without a selection. */
export function useSelectionStatistics(): Answer<RangeStatistics> {
  const { source, view } = useCapture();
  const { selectedRange } = useTimelineSelection().selection;
  return useAnswer(
    selectedRange && source.statistics({ from: selectedRange[0], to: selectedRange[1] }, view.where),
    WHEN_DRAGGED,
  );
}
