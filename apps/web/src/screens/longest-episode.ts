import type { Episode } from "@aglens/contract";

/** The episode that lasted longest, which is compared with the rest of a capture; null without one. */
export const longestEpisode = (episodes: readonly Episode[]): Episode | null => byLength(episodes)[0] ?? null;

/** Episodes, the longest first. */
export const byLength = (episodes: readonly Episode[]): Episode[] =>
  episodes.toSorted((a, b) => b.to - b.from - (a.to - a.from));
