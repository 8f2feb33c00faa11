import { Gate } from "@aglens/ag-model/replication";
import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { namesOfSlots, primaryMoved } from "../../capture-view/phases.ts";

/** Replaces the names of several servers that had these roles one after the other. */
export const ROLES: ReplicaNames = { primary: "Primary", secondary: "Secondary" };

/**
 * Name of the cause that released a commit: "local log write", "SQL2's ack"; null where it is not known.
 * @param gate as `Gate` @param phase of its block; null for commits of all phases
 */
export function releaseText(summary: Summary, gate: number, phase: number | null = null): string | null {
  if (gate === Gate.unknown) return null;
  if (gate === Gate.localFlush) return texts.localLogWrite;
  const isOne = summary.replicas.length === 2;
  if (phase === null && isOne && primaryMoved(summary)) return texts.secondarysAck;
  return texts.sAck(namesOfSlots(summary, phase)[Gate.secondaryOf(gate) + 1] ?? texts.secondary);
}

/**
 * Label of the commits that are counted in one of `gates`: the local log write first, then each secondary.
 * @param phase of the commits; null for those of all phases
 */
export const releasedBy = (summary: Summary, index: number, phase: number | null = null): string =>
  texts.releasedByName(releaseText(summary, Gate.localFlush + index, phase));
