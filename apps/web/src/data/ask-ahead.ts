/** Questions that are sent before the screen that asks them is there. */
import { addressesAtOnce, type Summary } from "@aglens/contract";
import type { CaptureAddress } from "./capture-address.ts";
import { askAhead } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** The question for a capture's summary; what its overview asks first is on its way when the answer comes. */
export function withFirstQuestions(question: Question<Summary>, { api }: CaptureAddress): Question<Summary> {
  return {
    ...question,
    ask: async (signal) => {
      const summary = await question.ask(signal);
      for (const address of addressesAtOnce(summary, window.location.search)) askAhead(`${api}/${address}`);
      return summary;
    },
  };
}
