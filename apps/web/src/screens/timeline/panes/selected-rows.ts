/** Several selected blocks: the current one, and those that were kept in addition to it. */
import type { Sequence } from "@aglens/contract";
import type { CaptureSource } from "../../../data/capture-source.ts";
import type { Question } from "../../../data/use-answer.ts";
import type { View } from "../../../state/view.ts";

type Selected = Pick<View, "block" | "kept">;

/** Maximum number of blocks side by side. */
const MOST_SELECTED = 4;

/** Rows of all selected blocks; the current one last unless it was kept before. */
export const selectedRows = ({ block, kept }: Selected): readonly number[] => [
  ...new Set([...kept, ...(block === null ? [] : [block])]),
];

/**
 * The selection with a block added, which becomes the current one, or with the block removed. With more than four
 * blocks, the oldest one is removed.
 */
export function withToggled(selected: Selected, row: number): Selected {
  const rows = selectedRows(selected);
  const rest = rows.filter((each) => each !== row);
  if (rest.length < rows.length) {
    const block = selected.block === row ? (rest.at(-1) ?? null) : selected.block;
    return { block, kept: rest.filter((each) => each !== block) };
  }
  return { block: row, kept: rows.slice(1 - MOST_SELECTED) };
}

/** The selection with the current block kept while the user selects another one, or no longer kept. */
export function withKept({ block, kept }: Selected): Selected {
  if (block === null) return { block, kept };
  if (kept.includes(block)) return { block, kept: kept.filter((each) => each !== block) };
  return { block, kept: [...kept, block].slice(1 - MOST_SELECTED) };
}

/**
 * Several blocks in one request: they are shown together or not at all. Null without blocks. @param rows in the capture
 */
export function blocksOf(
  source: Pick<CaptureSource, "sequence">,
  rows: readonly number[],
): Question<readonly Sequence[]> | null {
  if (rows.length === 0) return null;
  const questions = rows.map((row) => source.sequence(row));
  return {
    // The key differs from that of a single block, because the answer of a single block is no list.
    key: `together ${questions.map(({ key }) => key).join(" ")}`,
    ask: (signal) => Promise.all(questions.map(({ ask }) => ask(signal))),
  };
}
