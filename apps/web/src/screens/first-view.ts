/** The time that charts show first, as views and people name it. */
import { firstView, type ShownRange, type Summary, wholeRange } from "@aglens/contract";
import { wholeName } from "./scope-words.ts";

type Known = Pick<Summary, "durationUs" | "phases" | "replicas">;

/** A time in view as the view has it: null for the one that charts show first. */
export const rangeOfView = (first: ShownRange, [from, to]: ShownRange): [number, number] | null =>
  Math.abs(from - first[0]) < 1 && Math.abs(to - first[1]) < 1 ? null : [from, to];

/** Whether charts first show less than all of the capture. */
export const isFirstPart = (summary: Known): boolean => {
  const [from, to] = firstView(summary);
  return to - from < wholeRange(summary)[1];
};

/** The name of the time that charts show first. */
export const firstViewName = (summary: Known & Pick<Summary, "beginning">): string =>
  isFirstPart(summary) ? "Common time" : wholeName(summary);
