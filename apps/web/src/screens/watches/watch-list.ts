/** Which watches the list shows, in which order, and its headline. */
import type { Watch, WatchEpisode } from "@aglens/contract";
import type { EpisodesOf } from "../../data/watch-client.ts";
import { instantsAt, localTicks, msOf, ticksOf, type Zone } from "../../ui/zone.ts";
import type { ListAddress, ListedState } from "./watch-address.ts";

export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** A watch that no server polls for a reason that a person has to mend. */
export const isBroken = ({ state }: Watch): boolean =>
  state === "cannotSignIn" || state === "unreachable" || state === "notStarted";

/** Whether commit delay is polled: a watch that can't poll a secondary replica still polls its primary. */
export const isWatched = ({ state, replicas }: Watch): boolean =>
  state === "watching" ||
  state === "recording" ||
  ((state === "cannotSignIn" || state === "unreachable") &&
    replicas.some(({ role, problem, polled }) => role === "primary" && problem === null && polled !== null));

export const listedState = (watch: Watch): ListedState =>
  isBroken(watch) ? "broken" : (watch.state as ListedState);

/** The newest trigger first, then by name. */
const inOrder = (a: Watch, b: Watch): number =>
  triggeredAt(b) - triggeredAt(a) || a.definition.group.localeCompare(b.definition.group);

const triggeredAt = ({ lastEpisode }: Watch): number =>
  lastEpisode === null ? 0 : Date.parse(lastEpisode.trigger.at);

/** Watches that match words and state, in order. The words are found in groups and servers. */
export function listed(watches: readonly Watch[], { q, state }: Pick<ListAddress, "q" | "state">): Watch[] {
  const words = q.toLowerCase().split(/\s+/u);
  const matches = ({ definition: { group }, replicas }: Watch): boolean => {
    const text = [group, ...replicas.map(({ serverName, where }) => `${serverName} ${where}`)].join(" ");
    return words.every((word) => text.toLowerCase().includes(word));
  };
  return watches
    .filter((watch) => (state === null || listedState(watch) === state) && matches(watch))
    .toSorted(inOrder);
}

/** The watch after (1) or before (-1) the selected one. */
export function stepFrom(watches: readonly Watch[], sel: string | null, by: 1 | -1): Watch | null {
  const at = watches.findIndex(({ id }) => id === sel);
  if (at < 0) return watches[0] ?? null;
  return watches[Math.max(0, Math.min(watches.length - 1, at + by))] ?? null;
}

const TICKS_PER_DAY = 864_000_000_000n;
const TICKS_PER_HOUR = 36_000_000_000n;

/** Yesterday 18:00 by a zone's clock, ms since 1970. */
export function lastEvening(zone: Zone, now: number): number {
  const today = localTicks(zone, ticksOf(new Date(now).toISOString())) / TICKS_PER_DAY;
  const [ticks = 0n] = instantsAt(zone, (today - 1n) * TICKS_PER_DAY + 18n * TICKS_PER_HOUR);
  return msOf(ticks);
}

const EVENING_TO_NOON_MS = 18 * 3_600_000;

/** The trigger that the headline is about. */
export interface WorstNight {
  readonly watch: Watch;
  readonly episode: WatchEpisode;
  /** Triggers of that watch since the evening, and whether all of them were before the next noon. */
  readonly count: number;
  readonly isNight: boolean;
}

/** Recordings that a person or a schedule began say nothing about slow commits. */
const isOfRule = ({ trigger: { rule } }: WatchEpisode): boolean => rule !== "schedule" && rule !== "hand";

/**
 * The trigger since an evening whose recording has the slowest commits. A recording is before a refused trigger, which
 * has no percentiles; of two of these the newer one counts.
 */
export function worstSince(
  watches: readonly Watch[],
  episodes: EpisodesOf,
  since: number,
): WorstNight | null {
  const nights = watches.flatMap((watch) => {
    const known = episodes.get(watch.id) ?? (watch.lastEpisode === null ? [] : [watch.lastEpisode]);
    const found = known.filter((each) => isOfRule(each) && Date.parse(each.trigger.at) >= since);
    const isNight = found.every(({ trigger }) => Date.parse(trigger.at) < since + EVENING_TO_NOON_MS);
    return found.map((episode) => ({ watch, episode, count: found.length, isNight }));
  });
  const worse = (a: WorstNight, b: WorstNight): number =>
    (b.episode.p95Us ?? -1) - (a.episode.p95Us ?? -1) ||
    Date.parse(b.episode.trigger.at) - Date.parse(a.episode.trigger.at);
  return nights.toSorted(worse)[0] ?? null;
}
