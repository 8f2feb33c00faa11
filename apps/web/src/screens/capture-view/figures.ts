/** Counts, rates and percentiles as screens show them. */
import type { Episode, FlushClasses, Summary } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { formatCount } from "../../ui/words.ts";

/** A capture's summary, or another summary with all of its commits. */
interface OfCommits {
  readonly commits: { readonly count: number };
}

/**
 * A count of commits of the capture. Null where the capture contains no commits (no start_timestamp in the events, no
 * events of commits, or no file of the primary): the number of commits is then unknown, and not 0.
 */
export const knownCommits = ({ commits }: OfCommits, count: number): number | null =>
  commits.count === 0 ? null : count;

/** "1,018 commits", "no commit known". */
export const commitsText = (summary: OfCommits, count: number): string =>
  knownCommits(summary, count) === null ? texts.noCommitKnown : texts.commit(count);

/** Minimum number of values for a p95: with fewer it would be the largest value, or nearly the largest. */
export const LEAST_P95 = 20;
export const LEAST_P99 = 100;

interface Figures {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/**
 * The percentiles that enough values support, µs: p95 from 20 values, p99 from 100. A single value appears once, as
 * `max`.
 */
export function backedPercentiles({ n, p50, p95, p99, max }: Figures): Omit<Figures, "n"> {
  return {
    p50: n === 1 ? null : p50,
    p95: n < LEAST_P95 ? null : p95,
    p99: n < LEAST_P99 ? null : p99,
    max,
  };
}

/** In a shorter period, the rate would come from a few blocks and depend on where the period begins. */
const LEAST_RATE_US = 1_000_000;

/** "100", "6.0" below ten; null over less than a second. @param us length of the period */
export function ratePerSecond(count: number, us: number): string | null {
  if (us < LEAST_RATE_US) return null;
  const perSecond = (count / us) * 1e6;
  return perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}

/** Published classes of log writes, best first, with their limits in ms. */
export const FLUSH_CLASSES: readonly { readonly key: keyof FlushClasses; readonly label: string }[] = [
  { key: "good", label: texts.upTo10 },
  { key: "reasonable", label: texts.to20 },
  { key: "busy", label: texts.to50 },
  { key: "bad", label: texts.over50Ms },
];

/**
 * The episode that is compared with the rest of a capture: the longest of the verdict's own cause, so that sentence and
 * picture name the same one; the longest of all where no episode has this cause. Null without one.
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
