/** Which trigger and which times the page of a watch shows. Times are ms since 1970. */
import type { WatchEpisode } from "@aglens/contract";
import type { StripPolls } from "../../charts/watch/strip.ts";
import { DAY_MS } from "./watch-list.ts";
import type { LongestPoll } from "./watch-verdict.tsx";

type Period = readonly [from: number, to: number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Full hours of a night before that of its trigger, and of all of it. */
const [HOURS_BEFORE, HOURS] = [4, 8];

/** The episode with an id, otherwise the newest; null before the first. @param episodes the newest first */
export const chosenEpisode = (episodes: readonly WatchEpisode[], at: string | null): WatchEpisode | null =>
  episodes.find(({ id }) => id === at) ?? episodes[0] ?? null;

/** The episode after (1) or before (-1) the chosen one in time; null at an end of the list. */
export function episodeBy(
  episodes: readonly WatchEpisode[],
  chosen: WatchEpisode | null,
  by: 1 | -1,
): WatchEpisode | null {
  return chosen === null ? null : (episodes[episodes.indexOf(chosen) - by] ?? null);
}

/** Eight full hours around a time, of which none is after the current one. */
export function nightOf(at: number, now: number): Period {
  const last = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const to = Math.min(last, (Math.floor(at / HOUR_MS) - HOURS_BEFORE + HOURS) * HOUR_MS);
  return [to - HOURS * HOUR_MS, to];
}

const LEAST_MS = 10 * MINUTE_MS;
const MOST_MS = 90 * DAY_MS;

/** A period that is half as long, or twice, around a time in it. */
export function zoomed([from, to]: Period, around: number, factor: number, now: number): Period {
  const length = Math.min(MOST_MS, Math.max(LEAST_MS, (to - from) * factor));
  const middle = around > from && around < to ? around : (from + to) / 2;
  const share = (middle - from) / (to - from);
  return within(middle - share * length, length, now);
}

/** A period moved by a share of its length. */
export const moved = ([from, to]: Period, share: number, now: number): Period =>
  within(from + share * (to - from), to - from, now);

/** Full minutes, of which none is after the current hour. */
function within(begin: number, length: number, now: number): Period {
  const last = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const from = Math.round(Math.min(begin, last - length) / MINUTE_MS) * MINUTE_MS;
  return [from, from + Math.round(length / MINUTE_MS) * MINUTE_MS];
}

/** When the recording of an episode began and ended, and where its ring begins; null where nothing is recorded. */
export interface Recorded {
  readonly from: number;
  readonly to: number;
  /** End of the time before the trigger, which the ring had; null without one. */
  readonly ringTo: number | null;
}

export function recordedOf(
  { trigger, ended, state, recordedFrom, recordedTo }: WatchEpisode,
  now: number,
): Recorded | null {
  const at = Date.parse(trigger.at);
  if (state === "recording") {
    const from = recordedFrom === null ? at : Date.parse(recordedFrom);
    return { from, to: now, ringTo: from < at ? at : null };
  }
  // The times of its events are known after the analysis.
  if (state === "analyzing" && recordedFrom === null)
    return { from: at, to: ended === null ? now : Date.parse(ended), ringTo: null };
  if (recordedFrom === null || recordedTo === null) return null;
  const [from, to] = [Date.parse(recordedFrom), Date.parse(recordedTo)];
  return { from, to, ringTo: from < at ? Math.min(at, to) : null };
}

/** Least time before and after all that belongs to an episode. */
const EDGE_MS = MINUTE_MS;

/** The minutes of an episode with its recording, and one before and after. */
export function frameOf(episode: WatchEpisode, now: number): Period {
  const recorded = recordedOf(episode, now);
  const at = Date.parse(episode.trigger.at);
  const ended = episode.ended === null ? now : Date.parse(episode.ended);
  const first = Math.min(at, recorded?.from ?? at);
  const last = Math.max(at, ended, recorded?.to ?? at);
  return [
    Math.floor((first - EDGE_MS) / MINUTE_MS) * MINUTE_MS,
    Math.ceil((last + EDGE_MS) / MINUTE_MS) * MINUTE_MS,
  ];
}

/** The column with the longest poll; null without commits. */
export function longestIn(polls: StripPolls): LongestPoll["value"] {
  let most = -1;
  let column = -1;
  for (const [i, ms] of polls.longest.entries()) if (ms !== null && ms > most) [most, column] = [ms, i];
  const from = polls.from + column * polls.width;
  return column < 0 ? null : { from, to: from + polls.width, ms: most };
}
