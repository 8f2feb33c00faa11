import { useMemo } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { useAnswer } from "../../../data/use-answer.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import { databasesOf } from "../../../lanes/split-lanes.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { phaseIndex } from "../../capture-view/phases.ts";
import type { Range } from "../viewport.ts";

/** Figures of a range by the index of a database; empty until they are known. */
export type DatabaseStatistics = ReadonlyMap<number, RangeStatistics>;

const NONE: DatabaseStatistics = new Map();

/** Figures of a range for each database that has lanes of its own. @param lanes in the order of their databases */
export function useDatabaseStatistics([from, to]: Range, lanes: readonly Lane[]): DatabaseStatistics {
  const { source, summary, view } = useCapture();
  const phase = phaseIndex(summary, view.phase);
  const databases = useMemo(() => databasesOf(lanes), [lanes]);
  const questions = databases.map((database) => ({
    database,
    ...source.scoped({ database, phase }).statistics({ from, to }, view.where),
  }));
  const { value } = useAnswer(
    questions.length === 0
      ? null
      : {
          key: questions.map(({ key }) => key).join(" "),
          ask: async (signal) => {
            const figures = await Promise.all(
              questions.map(async ({ database, ask }) => [database, await ask(signal)] as const),
            );
            return new Map(figures);
          },
        },
  );
  return value ?? NONE;
}
