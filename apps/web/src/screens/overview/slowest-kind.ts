import { hasReplicaMatrix } from "@aglens/contract";
import { useCapture } from "../capture-view/capture-context.ts";

/** Commits where several replicas can release them, blocks elsewhere, unless the view says which. */
export function useSlowestKind(): "blocks" | "commits" {
  const { summary, view } = useCapture();
  return view.list ?? (hasReplicaMatrix(summary) ? "commits" : "blocks");
}
