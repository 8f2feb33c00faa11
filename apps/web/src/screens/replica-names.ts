import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../lanes/palette.ts";
import { useCapture } from "./capture-context.ts";
import { namesOfSlots, phaseIndex, primaryMoved } from "./phase.ts";

/** Names of the primary and of one secondary, one after the other where roles changed, for sentences about the path between them. */
export function replicaNames(
  summary: Pick<Summary, "replicas" | "phases">,
  secondary: number,
  phase: number | null = null,
): ReplicaNames {
  const names = namesOfSlots(summary, phase);
  return { primary: names[0] ?? "Primary", secondary: names[secondary + 1] ?? "Secondary" };
}

/** Roles in the place of names, for labels with little room, where servers had these roles one after the other. */
export function roleNames(
  summary: Pick<Summary, "replicas" | "phases">,
  secondary: number,
  phase: number | null = null,
): ReplicaNames {
  return primaryMoved(summary, phase)
    ? { primary: "Primary", secondary: "Secondary" }
    : replicaNames(summary, secondary, phase);
}

/** Those of the open capture, towards the secondary that the view is about. */
export function useReplicaNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return replicaNames(summary, view.secondary, phaseIndex(summary, view.phase));
}

/** The same by role where the primary moved. */
export function useRoleNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return roleNames(summary, view.secondary, phaseIndex(summary, view.phase));
}
