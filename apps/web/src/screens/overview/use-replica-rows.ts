import { hasReplicaMatrix, REPLICA_ROW_BINS, type ReplicaRows } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** A row per replica over a range; never answered for a capture with one secondary. */
export function useReplicaRows(range: TimeRange): Answer<ReplicaRows> {
  const { source, summary } = useCapture();
  const { bins, columns } = REPLICA_ROW_BINS;
  return useAnswer(hasReplicaMatrix(summary) ? source.replicaRows(range, bins, columns) : null, WHEN_DRAGGED);
}
