import type { SlowCommits } from "@aglens/contract";
import { useKeptKeys, useKeys } from "../../ui/keys.ts";
import { useCapture } from "../capture-context.ts";
import { useSlowestKind } from "./slowest-kind.ts";
import type { OpenOverview } from "./overview-context.ts";

/** The overview's keys: along the slowest blocks or commits, into one, and back to the whole capture. */
export function useOverviewKeys({ slowest, slowCommits, setRange }: OpenOverview): void {
  const { view, setView, open } = useCapture();
  const isOfCommits = useSlowestKind() === "commits";
  const rows = isOfCommits ? blocksOf(slowCommits.answer.value) : (slowest.answer.value?.rows ?? null);
  const isLoading = rows === null && (isOfCommits ? slowCommits : slowest).answer.error === null;
  useKeptKeys(isLoading);
  const step = (by: 1 | -1): void => {
    if (rows === null) return;
    const position = rows.findIndex((block) => block.row === view.block);
    const first = by > 0 ? 0 : rows.length - 1;
    const next = rows[position < 0 ? first : Math.min(rows.length - 1, Math.max(0, position + by))];
    if (next !== undefined) setView({ block: next.row }, "replace");
  };
  useKeys({
    ...(isLoading ? {} : { nextSlow: () => step(1), previousSlow: () => step(-1) }),
    // While the blocks load, Enter may follow a key that selects one.
    ...(isLoading && view.block === null ? {} : { open: () => view.block !== null && open("sequence") }),
    back: () => {
      if (view.block !== null) setView({ block: null });
      else if (view.where !== null) setView({ where: null });
      else setRange(null, true);
    },
    fit: () => setRange(null, true),
    all: () => setRange(null, true),
  });
}

/** Blocks of the commits in their order, each once. */
function blocksOf(commits: SlowCommits | null): { readonly row: number }[] | null {
  if (commits === null) return null;
  const blocks = new Set(commits.rows.flatMap(({ block }) => (block === null ? [] : [block])));
  return [...blocks].map((row) => ({ row }));
}
