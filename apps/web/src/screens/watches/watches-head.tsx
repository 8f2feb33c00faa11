import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Watch } from "@aglens/contract";
import { midnightOf } from "../../charts/watch/days.ts";
import type { EpisodesOf } from "../../data/watch-client.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { localIso, type Zone } from "../../ui/zone.ts";
import { type ListAddress, LISTED_STATES, listPath } from "./watch-address.ts";
import { isBroken, isWatched, lastEvening, listedState, worstSince } from "./watch-list.ts";
import { brokenText, episodeSentence } from "./watch-text.ts";
import styles from "./watches.module.css";

interface Props {
  readonly watches: readonly Watch[];
  readonly episodes: EpisodesOf;
  readonly address: ListAddress;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  /** Controls at the end of the second line. */
  readonly children: ReactNode;
}

interface Headline {
  readonly text: string;
  /** Place of the verdict; "bad" where watches can't poll. */
  readonly place: string;
}

/** The worst trigger of last night, and the number of watches in each state. */
export function WatchesHead({ watches, episodes, address, zone, now, children }: Props): ReactNode {
  const broken = watches.filter(isBroken);
  const isBrokenList = address.state === "broken";
  const evening = lastEvening(zone, now);
  const headline = isBrokenList
    ? brokenHeadline(broken, midnightOf(zone, localIso(zone, new Date(now).toISOString()).slice(0, 10)))
    : headlineOf(watches, worstSince(watches, episodes, evening), evening, zone);
  return (
    <header className={styles.head} data-place={headline.place}>
      <h1>{headline.text}</h1>
      <div className={styles.counts}>
        {isBrokenList ? (
          <p>{broken.map(brokenText).join(" ")}</p>
        ) : (
          <Counts watches={watches} address={address} />
        )}
        {children}
      </div>
    </header>
  );
}

/** @param midnight the last one, ms since 1970: what broke later was watched for a part of the night */
function brokenHeadline(broken: readonly Watch[], midnight: number): Headline {
  if (broken.length === 0) return { text: texts.allWatchesPoll, place: "none" };
  const nights = broken.filter((watch) => !isWatched(watch) && Date.parse(watch.since) <= midnight).length;
  const groups =
    nights < broken.length
      ? texts.groupsNotWatched(nights)
      : nights === 1
        ? texts.theirGroup
        : texts.theirGroups;
  return { text: `${brokenSentence(broken)}${nights === 0 ? "" : ` ${groups}`}`, place: "bad" };
}

const brokenSentence = (broken: readonly Watch[]): string =>
  (broken.every(isWatched) ? texts.watchesCantPollSecondary : texts.watchesCantPoll)(broken.length);

/**
 * The worst trigger of the night; without one the groups that were watched, or the watches that can't poll.
 *
 * @param evening ms since 1970: later watches were not there last night
 */
function headlineOf(
  watches: readonly Watch[],
  worst: ReturnType<typeof worstSince>,
  evening: number,
  zone: Zone,
): Headline {
  if (worst !== null) {
    const { watch, episode, count, isNight } = worst;
    const night = texts.triggeredSince(watch.definition.group, count, isNight);
    return { text: `${night} ${episodeSentence(episode, zone)}`, place: episode.place ?? "none" };
  }
  const watched = watches.filter(isWatched);
  const lastNight = watched.filter(({ created }) => Date.parse(created) <= evening).length;
  if (lastNight > 0) return { text: texts.noTriggerLastNight(lastNight), place: "none" };
  if (watched.length > 0) return { text: texts.noTriggerYet(watched.length), place: "none" };
  const broken = watches.filter(isBroken);
  return broken.length > 0
    ? { text: brokenSentence(broken), place: "bad" }
    : { text: texts.noGroupWatched, place: "none" };
}

/** Number of watches in each state, as a filter. */
function Counts({ watches, address }: Pick<Props, "watches" | "address">): ReactNode {
  return (
    <ul>
      <li>
        <Link href={listPath({ ...address, state: null })} aria-current={address.state === null}>
          <b>{watches.length}</b> {texts.watchCount(watches.length)}
        </Link>
      </li>
      {LISTED_STATES.map((state) => {
        const those = watches.filter((watch) => listedState(watch) === state);
        if (those.length === 0) return null;
        const words = texts.counts[state];
        const groups = those.map(({ definition }) => definition.group).join(", ");
        return (
          <li key={state} data-bad={state === "broken"}>
            <Link href={listPath({ ...address, state })} aria-current={address.state === state}>
              <b>{those.length}</b> {state === "broken" ? texts.countAndGroups(words, groups) : words}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
