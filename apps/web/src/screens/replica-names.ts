import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../lanes/palette.ts";
import { useCapture } from "./capture-context.ts";
import { namesOfSlots, primaryMoved } from "./phase.ts";

/** Names of the primary and of one secondary, one after the other where roles changed, for sentences about the path between them. */
export function replicaNames(summary: Pick<Summary, "replicas" | "phases">, secondary: number): ReplicaNames {
  const names = namesOfSlots(summary);
  return { primary: names[0] ?? "Primary", secondary: names[secondary + 1] ?? "Secondary" };
}

/** Roles in the place of names, for labels with little room, where servers had these roles one after the other. */
export function roleNames(summary: Pick<Summary, "replicas" | "phases">, secondary: number): ReplicaNames {
  return primaryMoved(summary)
    ? { primary: "primary", secondary: "secondary" }
    : replicaNames(summary, secondary);
}

/** Those of the open capture, towards the secondary that the view is about. */
export function useReplicaNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return replicaNames(summary, view.secondary);
}

/** The same by role where the primary moved. */
export function useRoleNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return roleNames(summary, view.secondary);
}
