/** Answers that all pages about watches need, as they are now. */
import type { Watches } from "@aglens/contract";
import { allWatches, type EpisodesOf, episodesOf } from "../../data/watch-client.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { type Times, useTimeChoice } from "../../frame/times-choice.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import type { TimeChoice } from "../../state/time-choice.ts";
import { useKeys } from "../../ui/keys.ts";
import { browserZone, UTC, type Zone } from "../../ui/zone.ts";
import { watchOf } from "./watch-address.ts";

const EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
const NO_EPISODES: EpisodesOf = new Map();

export interface ShownWatches extends Answer<Watches> {
  /** A watch is missing until its triggers have arrived. */
  readonly episodes: EpisodesOf;
  /** Why triggers are missing; null where they are not. */
  readonly episodesError: string | null;
}

/**
 * All watches, asked again every 5 s while the page is visible, and triggers.
 *
 * @param part address of the watch whose triggers are shown; null: triggers of all watches
 */
export function useWatches(part: string | null): ShownWatches {
  const answer = useAnswer(allWatches, { everyMs: EVERY_MS });
  const watches = answer.value?.watches ?? [];
  const watch = part === null ? null : watchOf(watches, part);
  const shown = part === null ? watches : watch === null ? [] : [watch];
  // A change of the newest trigger is a new question. Older ones seldom change.
  const { value, error } = useAnswer(shown.length === 0 ? null : episodesOf(shown), { everyMs: MINUTE_MS });
  return { ...answer, episodes: value ?? NO_EPISODES, episodesError: error };
}

/** The end of a strip that follows the time: the next full minute. */
export const nextMinute = (now: number): number => Math.ceil(now / MINUTE_MS) * MINUTE_MS;

const CHOICES = [
  { value: "utc", label: "UTC" },
  { value: "browser", label: texts.thisBrowsersClock },
] as const;

/** The clock of all times, and its key. */
export function useClock(inLink: TimeChoice | null, setInLink: (time: TimeChoice) => void): [Times, Zone] {
  const times = useTimeChoice(CHOICES, inLink, setInLink);
  useKeys({ timeFormat: times.next });
  return [times, times.time === "browser" ? browserZone() : UTC];
}
