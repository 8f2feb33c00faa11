import type { Summary } from "@aglens/contract";
import type { ReplicaNames } from "../lanes/palette.ts";
import { useCapture } from "./capture-context.ts";

/** Names of the primary and of one secondary, for sentences about the path between them. */
export function replicaNames({ replicas }: Pick<Summary, "replicas">, secondary: number): ReplicaNames {
  return {
    primary: replicas[0]?.name ?? "Primary",
    secondary: replicas[secondary + 1]?.name ?? "Secondary",
  };
}

/** Those of the open capture, towards the secondary that the view is about. */
export function useReplicaNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return replicaNames(summary, view.secondary);
}
