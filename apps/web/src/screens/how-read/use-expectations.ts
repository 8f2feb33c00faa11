import type { Expectation } from "@aglens/contract";
import { useCapture } from "../capture-view/capture-context.ts";
import { inGroups } from "./expectation-text.ts";

interface Expectations {
  /** In the order of the table. */
  readonly rows: readonly Expectation[];
  /** The expectation that the link names, otherwise the worst. Null only without any. */
  readonly chosen: Expectation | null;
  readonly choose: (expectation: Expectation) => void;
  /** Selects the next or the previous one; stops at the first and the last. */
  readonly step: (by: 1 | -1) => void;
  /**
   * Selects the next one that isn't met or is met in part, after the last the first; without any it keeps the
   * selection.
   */
  readonly stepToNotMet: () => void;
}

/** The expectations of a capture and the selected one, which is part of the link. */
export function useExpectations(expectations: readonly Expectation[]): Expectations {
  const { view, setView } = useCapture();
  const rows = inGroups(expectations).flatMap((group) => group.rows);
  const chosen = rows.find(({ id }) => id === view.expectation) ?? worstOf(rows);
  const choose = ({ id }: Expectation): void => setView({ expectation: id }, "replace");
  const at = chosen === null ? -1 : rows.indexOf(chosen);
  const chooseIf = (row: Expectation | undefined): void => {
    if (row !== undefined) choose(row);
  };
  return {
    rows,
    chosen,
    choose,
    step: (by) => chooseIf(rows[Math.min(rows.length - 1, Math.max(0, at + by))]),
    stepToNotMet: () => chooseIf([...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(isOdd)),
  };
}

const isOdd = ({ state }: Expectation): boolean => state === "not" || state === "part";

/** The first that isn't met, otherwise the first that is met in part, otherwise the first. */
const worstOf = (rows: readonly Expectation[]): Expectation | null =>
  rows.find(({ state }) => state === "not") ?? rows.find(isOdd) ?? rows[0] ?? null;
