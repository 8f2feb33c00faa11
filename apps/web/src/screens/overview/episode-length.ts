import type { Episode, Summary } from "@aglens/contract";

/**
 * How long what an episode is named after took, µs: of a server that stood still all of that, which begins before the first block that
 * waited for it; of others from the first slow block to the last.
 */
export function episodeLength(
  { cause, from, to }: Pick<Episode, "cause" | "from" | "to">,
  pauses: Summary["pauses"],
): number {
  const within = pauses.filter((pause) => cause === "server_pause" && pause.from < to && pause.to > from);
  return within.length === 0 ? to - from : Math.max(...within.map((pause) => pause.to - pause.from));
}
