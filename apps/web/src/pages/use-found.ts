import type { FoundBlocks } from "@aglens/contract";
import type { CaptureSource } from "../data/capture-source.ts";
import { type Answer, type Question, useAnswer } from "../data/use-answer.ts";
import type { CaptureTime } from "../ui/words.ts";
import { instantOf } from "./search-text.ts";

/** Places of a capture that a text matches. */
export interface Found {
  /** µs from the origin, or null when the text is no time of this capture. */
  readonly instant: number | null;
  /** The first block from that time on. */
  readonly from: FoundBlocks["rows"];
  /** Blocks of that LSN. */
  readonly blocks: FoundBlocks["rows"];
}

/** Each key stroke changes the question; only a pause is worth a request, ms. */
const PAUSE_MS = 120;

/** Looks up a text as a time and as an LSN; an empty text sends no question. */
export function useFound(source: CaptureSource, summary: CaptureTime, text: string): Answer<Found> {
  const question = text.trim() === "" ? null : foundBy(source, summary, text);
  return useAnswer(question, { keepsValue: false, pauseMs: PAUSE_MS });
}

function foundBy(source: CaptureSource, summary: CaptureTime, text: string): Question<Found> {
  const instant = instantOf(text, summary);
  const blocks = source.findLsn(text);
  const from = instant === null ? null : source.findAt(instant);
  return {
    key: `${blocks.key} ${from?.key}`,
    ask: async (signal) => {
      const [first, named] = await Promise.all([from?.ask(signal), blocks.ask(signal)]);
      return { instant, from: first?.rows ?? [], blocks: named.rows };
    },
  };
}
