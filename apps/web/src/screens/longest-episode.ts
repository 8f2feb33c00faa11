import type { Episode, Summary } from "@aglens/contract";

/**
 * The episode that is compared with the rest of a capture: the longest of the verdict's own cause, so that sentence and picture
 * name the same one; the longest of all where the verdict names none of them. Null without one.
 */
export function mainEpisode(
  { cause }: Pick<Summary["verdict"], "cause">,
  episodes: readonly Episode[],
): Episode | null {
  const [first = null] = byLength(episodes);
  return byLength(episodes.filter((episode) => episode.cause === cause))[0] ?? first;
}

/** Episodes, the longest first. */
export const byLength = (episodes: readonly Episode[]): Episode[] =>
  episodes.toSorted((a, b) => b.to - b.from - (a.to - a.from));
