import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../lanes/palette.ts";
import { useCapture } from "./capture-context.ts";
import { namesOfSlots } from "./phase.ts";

/** Names of the primary and of one secondary, one after the other where roles changed, for sentences about the path between them. */
export function replicaNames(summary: Pick<Summary, "replicas" | "phases">, secondary: number): ReplicaNames {
  const names = namesOfSlots(summary);
  return { primary: names[0] ?? "Primary", secondary: names[secondary + 1] ?? "Secondary" };
}

/** Those of the open capture, towards the secondary that the view is about. */
export function useReplicaNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return replicaNames(summary, view.secondary);
}
