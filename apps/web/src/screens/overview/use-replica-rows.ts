import type { ReplicaRows } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-context.ts";
import { hasReplicaMatrix } from "./replica-candidates.ts";

/** Bars of releases over time, and columns of delays: about one per pixel of the narrowest plot. */
const BINS = 60;
const COLUMNS = 540;

/** A row per replica over a range; never answered for a capture with one secondary. */
export function useReplicaRows(range: TimeRange): Answer<ReplicaRows> {
  const { source, summary } = useCapture();
  return useAnswer(hasReplicaMatrix(summary) ? source.replicaRows(range, BINS, COLUMNS) : null, {
    pauseMs: 90,
    beginsAtOnce: true,
  });
}
