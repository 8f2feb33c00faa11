import type { Sequence } from "@aglens/contract";
import type { CaptureSource } from "../../data/capture-source.ts";
import type { Question } from "../../data/use-answer.ts";

/** Several blocks in one question: they are shown together or not at all. Null for none. @param rows in the capture */
export function blocksOf(
  source: Pick<CaptureSource, "sequence">,
  rows: readonly number[],
): Question<readonly Sequence[]> | null {
  if (rows.length === 0) return null;
  const questions = rows.map((row) => source.sequence(row));
  return {
    // Not the key of one block alone: its answer is no list.
    key: `together ${questions.map(({ key }) => key).join(" ")}`,
    ask: (signal) => Promise.all(questions.map(({ ask }) => ask(signal))),
  };
}
