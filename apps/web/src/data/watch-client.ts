/** Watches of availability groups: their state, polls and triggers, and what a person does with them. */
import { Watch, WatchCheck, WatchEpisode, WatchEpisodes, Watches, WatchSeries } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { jsonBody, readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

const pathOf = (id: string): string => `/watches/${encodeURIComponent(id)}`;

/** All watches, and names that a watch can use. */
export const allWatches: Question<Watches> = changing(jsonFrom(Watches, "/watches"));

const MINUTE_MS = 60_000;

/**
 * Polls of a time, ms since 1970, in columns of equal width.
 *
 * @param now ms since 1970: a time that isn't over is a new question each minute
 */
export function watchSeries(
  id: string,
  from: number,
  to: number,
  bins: number,
  now: number,
): Question<WatchSeries> {
  const question = jsonFrom(WatchSeries, `${pathOf(id)}/series?from=${from}&to=${to}&bins=${bins}`);
  // The last minute is over only when the next one has begun.
  const minute = Math.min(Math.ceil(now / MINUTE_MS), Math.ceil(to / MINUTE_MS) + 1);
  return { ...question, key: `${question.key} minute ${minute}` };
}

/** Triggers by watch, the newest first. */
export type EpisodesOf = ReadonlyMap<string, readonly WatchEpisode[]>;

/** @param watches a new trigger, or a change of the newest one, is a new question */
export function episodesOf(watches: readonly Watch[]): Question<EpisodesOf> {
  const states = watches.map(
    ({ id, lastEpisode: last }) =>
      `${id} ${last?.id} ${last?.state} ${last?.ended} ${last?.captureId} ${last?.steps.length}`,
  );
  return changing({
    key: `/watches/episodes ${states.join(", ")}`,
    ask: async (signal) =>
      new Map(
        await Promise.all(
          watches.map(async ({ id }) => {
            const { episodes } = await readJson(WatchEpisodes, `${pathOf(id)}/episodes`, { signal });
            return [id, episodes] as const;
          }),
        ),
      ),
  });
}

export const pauseWatch = (id: string, isPaused: boolean): Promise<Watch> =>
  readJson(Watch, `${pathOf(id)}/pause`, jsonBody("POST", { isPaused }));

/** Begins a recording; a refused one says why. */
export const recordNow = (id: string): Promise<WatchEpisode> =>
  readJson(WatchEpisode, `${pathOf(id)}/record`, jsonBody("POST", {}));

/** Asks a replica for the rights of the login, and polls it again. @param replica its place in the definition */
export const checkReplica = (id: string, replica: number): Promise<WatchCheck> =>
  readJson(WatchCheck, `${pathOf(id)}/check`, jsonBody("POST", { replica }));
