import { useMemo } from "react";
import { useAnswer, type Answer } from "../../../data/use-answer.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { databaseIndex } from "../../capture-view/databases.ts";
import {
  phaseEdges,
  phaseIndex,
  phasesAcross,
  type PhaseStatistics,
  statisticsOfPhases,
} from "../../capture-view/phases.ts";
import type { Range } from "../viewport.ts";

/** Figures on each side of the changes of roles and of availability modes within a range. */
export interface PartedStatistics {
  /** Indices into `Summary.phases`, ascending. */
  readonly phases: readonly number[];
  /** In the order of `phases`. */
  readonly answer: Answer<PhaseStatistics[]>;
}

/** Where only two columns have space: the two phases with most blocks, in order of time. */
export function widestPair(parted: PartedStatistics | null): readonly PhaseStatistics[] | null {
  if (parted === null || parted.answer.value === null) return null;
  const most = parted.answer.value.toSorted((a, b) => b.statistics.blocks - a.statistics.blocks).slice(0, 2);
  return most.toSorted((a, b) => a.phase - b.phase);
}

/** Figures of a range by phase; null where the range is within one phase, or where the view is about one phase. */
export function usePartedStatistics(range: Range): PartedStatistics | null {
  const { source, summary, view } = useCapture();
  const database = databaseIndex(summary, view.database);
  const isOne = phaseIndex(summary, view.phase) !== null;
  const phases = useMemo(
    () => (isOne ? [] : phasesAcross(phaseEdges(summary), range)),
    [isOne, summary, range],
  );
  const answer = useAnswer(
    phases.length === 0
      ? null
      : statisticsOfPhases(source, database, phases, { from: range[0], to: range[1] }, view.where),
  );
  return useMemo(() => {
    if (phases.length === 0) return null;
    // An answer about other phases does not apply to these.
    const isOfThese = answer.value?.map(({ phase }) => phase).join(" ") === phases.join(" ");
    return { phases, answer: { ...answer, value: isOfThese ? answer.value : null } };
  }, [phases, answer]);
}
