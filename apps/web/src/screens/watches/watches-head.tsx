import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Watch } from "@aglens/contract";
import type { EpisodesOf } from "../../data/watch-client.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import type { Zone } from "../../ui/zone.ts";
import { type ListAddress, LISTED_STATES, listPath } from "./watch-address.ts";
import { isBroken, lastEvening, listedState, worstSince } from "./watch-list.ts";
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
  const headline = isBrokenList
    ? brokenHeadline(broken)
    : headlineOf(watches, worstSince(watches, episodes, lastEvening(zone, now)), zone);
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

function brokenHeadline(broken: readonly Watch[]): Headline {
  if (broken.length === 0) return { text: texts.allWatchesPoll, place: "none" };
  const groups = broken.length === 1 ? texts.theirGroup : texts.theirGroups;
  return { text: `${texts.watchesCantPoll(broken.length)} ${groups}`, place: "bad" };
}

/** The worst trigger of the night; without one the groups that were watched, or the watches that can't poll. */
export function headlineOf(
  watches: readonly Watch[],
  worst: ReturnType<typeof worstSince>,
  zone: Zone,
): Headline {
  if (worst !== null) {
    const { watch, episode, count, isNight } = worst;
    const night = texts.triggeredSince(watch.definition.group, count, isNight);
    return { text: `${night} ${episodeSentence(episode, zone)}`, place: episode.place ?? "none" };
  }
  const watched = watches.filter(({ state }) => state === "watching" || state === "recording").length;
  const broken = watches.filter(isBroken).length;
  if (watched > 0) return { text: texts.noTriggerLastNight(watched), place: "none" };
  return broken > 0
    ? { text: texts.watchesCantPoll(broken), place: "bad" }
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
