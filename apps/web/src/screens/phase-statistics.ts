import type { BlockFilter, RangeStatistics } from "@aglens/contract";
import type { CaptureSource, TimeRange } from "../data/capture-source.ts";
import type { Question } from "../data/use-answer.ts";

/**
 * Figures of a range in each of some phases, in one question: they are shown together or not at all.
 * @param phases indices into `Summary.phases`
 */
export function statisticsOfPhases(
  source: CaptureSource,
  database: number | null,
  phases: readonly number[],
  range: TimeRange,
  where: BlockFilter | null = null,
): Question<RangeStatistics[]> {
  const questions = phases.map((phase) => source.scoped({ database, phase }).statistics(range, where));
  return {
    key: questions.map(({ key }) => key).join(" "),
    ask: (signal) => Promise.all(questions.map(({ ask }) => ask(signal))),
  };
}
