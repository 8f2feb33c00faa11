/**
 * How many commits. A capture in which none is known (events without start_timestamp or of the commits themselves missing, no
 * file of the primary) has a number of them that nobody knows, and not 0.
 */
import { countedWords } from "./counted-words.ts";

/** A capture's summary, or another one's that has all its commits. */
interface OfCommits {
  readonly commits: { readonly count: number };
}

/** A count of commits of the capture; null where it knows of none. */
export const knownCommits = ({ commits }: OfCommits, count: number): number | null =>
  commits.count === 0 ? null : count;

/** "1,018 commits", "no commit known". */
export const commitsWords = (summary: OfCommits, count: number): string =>
  knownCommits(summary, count) === null ? "no commit known" : countedWords(count, "commit");
