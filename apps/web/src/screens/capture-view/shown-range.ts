/** The time that screens show first, as views and people name it. */
import { firstView, type ShownRange, type Summary, fullRange } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import type { View } from "../../state/view.ts";

/** Name of the range that covers all of the capture. */
export const WHOLE_CAPTURE = texts.wholeCaptureLabel;

type Known = Pick<Summary, "durationUs" | "phases" | "replicas">;

/** A range in view as the view stores it: null for the one that screens show first. */
export const rangeOfView = (first: ShownRange, [from, to]: ShownRange): [number, number] | null =>
  Math.abs(from - first[0]) < 1 && Math.abs(to - first[1]) < 1 ? null : [from, to];

/** The range of all of the capture as the view stores it. */
export const fullRangeOf = (summary: Known): [number, number] | null =>
  rangeOfView(firstView(summary), fullRange(summary));

/** The time that a screen is about: the one that the view names, else the one that screens show first. */
export const shownRange = ({ range }: Pick<View, "range">, summary: Known): ShownRange =>
  range ?? firstView(summary);

/** Whether a time is all of the capture. */
const isAll = ([from, to]: ShownRange, summary: Known): boolean => {
  const [begin, end] = fullRange(summary);
  return from <= begin && to >= end;
};

/** Whether a screen is about all of the capture. */
export const isFullRange = (view: Pick<View, "range">, summary: Known): boolean =>
  isAll(shownRange(view, summary), summary);

/** The time of a picture that does not follow the zoom: all of the capture where that is in view, else the time that screens show first. */
export const unzoomedRange = (range: ShownRange | null, summary: Known): ShownRange =>
  range !== null && isAll(range, summary) ? fullRange(summary) : firstView(summary);

/** Whether screens first show less than all of the capture. */
export const isFirstPart = (summary: Known): boolean => !isAll(firstView(summary), summary);

/** The name of the time that screens show first. */
export const firstViewName = (summary: Known): string =>
  isFirstPart(summary) ? texts.commonTime : WHOLE_CAPTURE;

/** The name of a time that is all of the capture or the one that screens show first; null for any other. */
export function rangeName(range: ShownRange, summary: Known): string | null {
  if (isAll(range, summary)) return WHOLE_CAPTURE;
  return rangeOfView(firstView(summary), range) === null ? firstViewName(summary) : null;
}

/** From and to, µs. */
export type Range = readonly [number, number];

/** Whether two ranges are equal, apart from the rounding of addresses. */
export const sameRange = (a: Range | null, b: Range | null): boolean =>
  a !== null && b !== null && Math.abs(a[0] - b[0]) < 1 && Math.abs(a[1] - b[1]) < 1;
