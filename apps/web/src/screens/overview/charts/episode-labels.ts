/** Places of the episode names in a plot of the overview. */
import type { Episode, Summary } from "@aglens/contract";
import { type TimeScale, xOf } from "../../../charts/time-scale.ts";

/** A narrower episode has no name, px. */
const LEAST_EPISODE_PX = 24;
/** Maximum width of a name, px. The name of a narrower episode begins at its left edge and may extend beyond it. */
const WORDS_PX = 190;

export interface EpisodeLabel {
  readonly episode: Episode;
  /** Edge where the label begins or ends. */
  readonly style: { readonly left: number } | { readonly right: number };
  /** Space of the label, px. */
  readonly span: readonly [left: number, right: number];
}

/** Names of the episodes that have enough space. */
export function episodeLabels(episodes: readonly Episode[], scale: TimeScale): EpisodeLabel[] {
  return episodes.flatMap((episode): EpisodeLabel[] => {
    const left = Math.max(0, xOf(scale, episode.from));
    const right = Math.min(scale.width, xOf(scale, episode.to));
    if (right - left < LEAST_EPISODE_PX) return [];
    return right - left < WORDS_PX
      ? [{ episode, style: { left }, span: [left, left + WORDS_PX] }]
      : [{ episode, style: { right: scale.width - right }, span: [right - WORDS_PX, right] }];
  });
}

/**
 * Duration of an episode's cause, µs: for an unresponsive server all of its pause, which begins before the first block
 * that waited for it; for others from the first slow block to the last.
 */
export function episodeLength(
  { cause, from, to }: Pick<Episode, "cause" | "from" | "to">,
  pauses: Summary["pauses"],
): number {
  const within = pauses.filter((pause) => cause === "server_pause" && pause.from < to && pause.to > from);
  return within.length === 0 ? to - from : Math.max(...within.map((pause) => pause.to - pause.from));
}
