import type { BlockFilter, RangeStatistics } from "@aglens/contract";
import type { CaptureSource, TimeRange } from "../data/capture-source.ts";
import type { Question } from "../data/use-answer.ts";

/** Figures of one phase. */
export interface PhaseStatistics {
  /** Index into `Summary.phases`. */
  readonly phase: number;
  readonly statistics: RangeStatistics;
}

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
): Question<PhaseStatistics[]> {
  const questions = phases.map((phase) => ({
    phase,
    ...source.scoped({ database, phase }).statistics(range, where),
  }));
  return {
    key: questions.map(({ phase, key }) => `${phase} ${key}`).join(" "),
    ask: (signal) =>
      Promise.all(questions.map(async ({ phase, ask }) => ({ phase, statistics: await ask(signal) }))),
  };
}
