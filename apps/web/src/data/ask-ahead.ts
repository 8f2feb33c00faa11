/** Questions that are sent before the screen that asks them is there. */
import { addressesAtOnce, type ReadyCapture, type Summary } from "@aglens/contract";
import { type CaptureAddress, captureAddress } from "./capture-address.ts";
import { askAhead, tellAhead } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** The question for a capture's summary; what its overview asks first is on its way when the answer comes. */
export function withFirstQuestions(question: Question<Summary>, address: CaptureAddress): Question<Summary> {
  return {
    ...question,
    ask: async (signal) => {
      const summary = await question.ask(signal);
      askFirst(summary, address);
      return summary;
    },
  };
}

/**
 * To be called when a page hears that its capture is analyzed: what the news says it need not ask, and what an overview asks first
 * is on its way before any of it is drawn.
 */
export function openAhead({ summary, ...capture }: ReadyCapture, isOverview: boolean): void {
  const address = captureAddress(capture.id);
  tellAhead(address.api, capture);
  if (summary === undefined) return;
  tellAhead(`${address.api}/summary`, summary);
  if (isOverview) askFirst(summary, address);
}

function askFirst(summary: Summary, { api }: CaptureAddress): void {
  for (const path of addressesAtOnce(summary, window.location.search)) askAhead(`${api}/${path}`);
}
