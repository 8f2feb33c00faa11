import { wholeRange } from "@aglens/contract";
import { useKeys } from "../../ui/keys.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useSlowestKeys } from "../slowest/use-slowest-keys.ts";
import type { OpenOverview } from "./overview-context.ts";
import { useSlowestKind } from "./slowest-kind.ts";

/** The overview's keys: along the slowest blocks or commits, into one, and back to the whole capture. */
export function useOverviewKeys({ slowest, slowCommits, setRange }: OpenOverview): void {
  const { summary, view, setView } = useCapture();
  const ofList = useSlowestKeys(useSlowestKind() === "commits" ? slowCommits : slowest);
  useKeys({
    ...ofList,
    back: () => {
      if (view.block !== null) setView({ block: null });
      else if (view.where !== null) setView({ where: null });
      else setRange(null, true);
    },
    all: () => setRange(wholeRange(summary), true),
  });
}
