/** Where the names of episodes stand in a plot of the overview. */
import type { Episode, Summary } from "@aglens/contract";
import { type TimeScale, xOf } from "../../../charts/time-scale.ts";

/** A narrower episode has no name, px. */
const LEAST_EPISODE_PX = 24;
/** A narrower episode's words begin at its left edge and may reach beyond it; no words are longer, px. */
const WORDS_PX = 190;

export interface EpisodeLabel {
  readonly episode: Episode;
  /** Edge that the words begin or end at. */
  readonly style: { readonly left: number } | { readonly right: number };
  /** Where words may be, px. */
  readonly span: readonly [left: number, right: number];
}

/** Names of the episodes that have room for one. */
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
 * How long what an episode is named after took, µs: of a server that was unresponsive all of that, which begins before the first block that
 * waited for it; of others from the first slow block to the last.
 */
export function episodeLength(
  { cause, from, to }: Pick<Episode, "cause" | "from" | "to">,
  pauses: Summary["pauses"],
): number {
  const within = pauses.filter((pause) => cause === "server_pause" && pause.from < to && pause.to > from);
  return within.length === 0 ? to - from : Math.max(...within.map((pause) => pause.to - pause.from));
}
