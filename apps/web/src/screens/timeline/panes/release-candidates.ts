/** The writes and replicas that can release the commits of a capture with several synchronous secondaries. */
import { Gate } from "@aglens/ag-model/replication";
import type { Summary } from "@aglens/contract";
import type { ReleaseCandidate } from "../../../charts/timeline/release-tracks.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { primaryMoved } from "../../capture-view/phases.ts";

/**
 * Secondaries that commits wait for, most releases of the complete capture first (so that panning never moves a track),
 * then the local log write. Empty with fewer than two such secondaries, or where the primary moved and a slot is not
 * one replica.
 */
export function releaseCandidates(
  summary: Pick<Summary, "replicas" | "phases"> & { readonly commits: Pick<Summary["commits"], "gates"> },
): ReleaseCandidate[] {
  const { replicas, commits } = summary;
  const waitedFor = replicas
    .map(({ name, commitMode }, index) => ({ name, commitMode, index }))
    .filter(({ commitMode, index }) => index > 0 && commitMode !== "async");
  if (waitedFor.length < 2 || primaryMoved(summary)) return [];
  return [
    ...waitedFor
      .toSorted((a, b) => (commits.gates[b.index] ?? 0) - (commits.gates[a.index] ?? 0))
      .map(({ name, index }) => ({ gate: Gate.ofSecondary(index - 1), name })),
    { gate: Gate.localFlush, name: texts.localLogWrite },
  ];
}

/** Commits in view that a candidate released. @param gates the local log write's, then each secondary's */
export const releasesInView = (gates: readonly number[], { gate }: ReleaseCandidate): number =>
  gates[gate - Gate.localFlush] ?? 0;
