import type { SlowBlocks, SlowCommits } from "@aglens/contract";
import { type KeyBindings, useKeptKeys } from "../../ui/keys.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import type { SlowBlockList } from "./use-slow-blocks.ts";
import type { SlowCommitList } from "./use-slow-commits.ts";

/**
 * n and p move along the blocks of the shown list, Enter opens one. Keys that are pressed before the list is loaded
 * apply to it later.
 */
export function useSlowestKeys(list: SlowBlockList | SlowCommitList): KeyBindings {
  const { view, setView, open } = useCapture();
  const blocks = blocksOf(list.answer.value);
  const isLoading = blocks === null && list.answer.error === null;
  useKeptKeys(isLoading);
  const step = (by: 1 | -1): void => {
    if (blocks === null) return;
    const position = view.block === null ? -1 : blocks.indexOf(view.block);
    const first = by > 0 ? 0 : blocks.length - 1;
    const next = blocks[position < 0 ? first : Math.min(blocks.length - 1, Math.max(0, position + by))];
    if (next !== undefined) setView({ block: next, event: null }, "replace");
  };
  return {
    ...(isLoading ? {} : { nextSlow: () => step(1), previousSlow: () => step(-1) }),
    // While the list loads, Enter may follow a key that selects a block.
    ...(isLoading && view.block === null ? {} : { open: () => view.block !== null && open("sequence") }),
  };
}

/** Rows of the blocks in the order of the list, each once: commits of one block are one step. */
function blocksOf(list: SlowBlocks | SlowCommits | null): readonly number[] | null {
  if (list === null) return null;
  const blocks = list.rows.flatMap((row) => ("block" in row ? (row.block ?? []) : row.row));
  return [...new Set(blocks)];
}
