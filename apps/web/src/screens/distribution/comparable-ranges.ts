/** Ranges of a capture that are worth comparing with the range in view. */
import { firstView, type Summary, fullRange } from "@aglens/contract";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { formatOffset } from "../../ui/words.ts";
import { isFirstPart, type Range, sameRange } from "../capture-view/shown-range.ts";

export interface ComparableRange {
  readonly label: string;
  readonly range: Range;
}

const MOST_EPISODES = 6;

/**
 * The complete capture, the time that all files cover, the time before the view, and the verdict's episodes; not the
 * range in view itself.
 */
export function comparableRanges(
  summary: Pick<Summary, "durationUs" | "verdict" | "phases" | "replicas">,
  secondary: number,
  shown: Range,
): ComparableRange[] {
  const { verdict } = summary;
  const length = shown[1] - shown[0];
  const before: Range = [Math.max(0, shown[0] - length), shown[0]];
  const episodes = verdict.episodes
    .filter((episode) => episode.secondary === secondary)
    .slice(0, MOST_EPISODES);
  const candidates: ComparableRange[] = [
    { label: texts.wholeCapture, range: fullRange(summary) },
    ...(isFirstPart(summary) ? [{ label: texts.commonTime, range: firstView(summary) }] : []),
    ...(before[1] > before[0] ? [{ label: texts.sameTimeBefore, range: before }] : []),
    ...episodes.map(({ label, from, to }) => ({
      label: texts.to(label, formatOffset(summary, from, 100_000), formatOffset(summary, to, 100_000)),
      range: [from, to] as const,
    })),
  ];
  return candidates.filter(({ range }) => !sameRange(range, shown));
}
