/** Polls and triggers of a watch in a period, for the strip of charts/watch. */
import { useMemo } from "react";
import type { Watch, WatchEpisode } from "@aglens/contract";
import type { StripPicture } from "../../charts/watch/paint-strip.ts";
import type { StripMark } from "../../charts/watch/strip.ts";
import { useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { watchSeries } from "../../data/watch-client.ts";

const MINUTE_MS = 60_000;

/** A recording without a capture has failed. One that isn't analyzed is recorded. */
export function kindOf({ state, captureId }: WatchEpisode): StripMark["kind"] {
  if (state === "refused" || state === "recording") return state;
  return state === "lost" || (state === "failed" && captureId === null) ? "failed" : "recorded";
}

/** Triggers as marks on the strip. */
export const marksOf = (episodes: readonly WatchEpisode[]): StripMark[] =>
  episodes.map((episode) => ({
    id: episode.id,
    at: Date.parse(episode.trigger.at),
    kind: kindOf(episode),
    place: episode.place ?? "none",
  }));

/** The limit that the strip shows, ms; null without one. */
export const limitMsOf = ({ definition }: Watch): number | null =>
  definition.triggers.commitDelay?.overMs ?? null;

const NONE: readonly WatchEpisode[] = [];

interface StripRequest {
  readonly watch: Watch;
  readonly episodes: readonly WatchEpisode[] | undefined;
  /** ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** px; 0 asks nothing. */
  readonly width: number;
  /** ms since 1970. */
  readonly now: number;
  readonly selected?: string | null;
}

/** Polls, marks and limit of a watch in a period, and why polls are missing. */
export function useStrip(request: StripRequest): {
  readonly picture: StripPicture;
  readonly error: string | null;
} {
  const { watch, episodes = NONE, from, to, width, now, selected = null } = request;
  const bins = Math.min(4_000, Math.round(width));
  const question = width === 0 ? null : watchSeries(watch.id, from, to, bins, now);
  const { value, error } = useAnswer(question, WHEN_DRAGGED);
  const limitMs = limitMsOf(watch);
  // A picture a minute is enough, and draws a canvas once.
  const minute = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  const picture = useMemo(
    (): StripPicture => ({ polls: value, marks: marksOf(episodes), limitMs, now: minute, selected }),
    [value, episodes, limitMs, minute, selected],
  );
  return { picture, error };
}
