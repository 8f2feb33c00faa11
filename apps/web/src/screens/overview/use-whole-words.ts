import { useCapture } from "../capture-context.ts";
import { databaseIndex } from "../database.ts";
import { phaseIndex } from "../phase.ts";
import { wholeWords } from "../scope-words.ts";

/**
 * What figures that do not follow the range in view say beside figures that do: `whole capture`, `whole phase`,
 * `whole capture, Sales1`. Null where the whole is in view. The summary itself is of the phase and of the database.
 */
export function useWholeWords(): string | null {
  const { summary, view } = useCapture();
  if (view.range === null) return null;
  return wholeWords(summary, {
    database: databaseIndex(summary, view.database),
    phase: phaseIndex(summary, view.phase),
  });
}
