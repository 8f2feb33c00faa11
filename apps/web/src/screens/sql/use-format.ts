/** Formats the text of the editor. */
import { useState } from "react";
import { sentenceOf } from "../../data/problem.ts";
import { useCommand } from "../../data/use-command.ts";

export interface Format {
  readonly run: () => void;
  readonly isRunning: boolean;
  /** Why the current text could not be formatted; null where it was not tried. */
  readonly error: string | null;
}

/** @param setText called with a function that returns the new text from the current one */
export function useFormat(text: string, setText: (next: (now: string) => string) => void): Format {
  const [failure, setFailure] = useState<{ readonly of: string; readonly sentence: string } | null>(null);
  const format = useCommand(async () => {
    try {
      const { formattedQuery } = await import("./format-query.ts");
      const laidOut = formattedQuery(text);
      // Text that was typed in the meantime stays.
      setText((now) => (now === text ? laidOut : now));
    } catch (error) {
      setFailure({ of: text, sentence: sentenceOf(error) });
    }
  });
  return {
    run: format.run,
    isRunning: format.isRunning,
    error: failure?.of === text ? failure.sentence : null,
  };
}
