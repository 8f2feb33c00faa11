/** Several blocks side by side: each of their stages, how far they differ, and how long they took together. */
import type { StageId } from "@aglens/ag-model/replication";
import type { Sequence } from "@aglens/contract";
import { PANE_STAGES } from "../stage-names.ts";

/** Subject of a row of the table: a stage, or the complete commit. */
export type ComparedFigure = StageId | "commit";

export interface ComparedRow {
  readonly figure: ComparedFigure;
  /** µs of each block; null where it is not known. */
  readonly values: readonly (number | null)[];
  /**
   * With two blocks the second value minus the first, with more the longest minus the shortest, µs; null where fewer
   * than two values are known.
   */
  readonly difference: number | null;
  /** µs; null where one is not known. */
  readonly sum: number | null;
}

const FIGURES: readonly ComparedFigure[] = ["commit", "remoteHarden", ...PANE_STAGES];

/** Rows of the table, without the figures that no block has. @param blocks in the order of their columns */
export function comparedRows(blocks: readonly Sequence[], secondary: number): ComparedRow[] {
  return FIGURES.map((figure) => ({
    figure,
    values: blocks.map((block) => valueOf(block, figure, secondary)),
  }))
    .filter(({ values }) => values.some((us) => us !== null))
    .map((row) => ({ ...row, difference: differenceOf(row.values), sum: sumOf(row.values) }));
}

/** The block's longest commit, or a stage of it, µs. */
function valueOf(block: Sequence, figure: ComparedFigure, secondary: number): number | null {
  if (figure === "commit")
    return block.commits.length === 0
      ? null
      : Math.max(...block.commits.map(({ start, end }) => end - start));
  const hop = block.hops.find((each) => each.secondary === secondary);
  return hop?.stages.find(({ id }) => id === figure)?.duration ?? null;
}

function differenceOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((us) => us !== null);
  if (known.length < 2) return null;
  const [first = 0, second = 0] = known;
  return known.length === 2 ? second - first : Math.max(...known) - Math.min(...known);
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum: number | null, us) => (sum === null || us === null ? null : sum + us), 0);
