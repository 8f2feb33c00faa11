/** Questions that are sent before their screen is loaded. */
import { addressesAtOnce, type ReadyCapture, type Summary } from "@aglens/contract";
import { type CaptureAddress, captureAddress } from "./capture-address.ts";
import { askAhead, tellAhead } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** The question for a capture's summary; the first questions of its overview are sent as soon as it is answered. */
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
 * Call this when a page learns that its capture is analyzed: the facts in that message are not requested again, and the
 * first questions of an overview are sent before it is drawn.
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
