import type { ReactNode } from "react";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { durationText } from "../../ui/words.ts";
import type { Zone } from "../../ui/zone.ts";
import { clockOf, dayOf, episodeSentence, limitOf, valueText, whenOf } from "./watch-text.ts";
import styles from "./watch.module.css";

/** The longest poll of a week, ms, with the ends of its column, ms since 1970; null with a reason. */
export interface LongestPoll {
  readonly value: { readonly from: number; readonly to: number; readonly ms: number } | null;
  readonly reason: string;
}

interface Props {
  readonly watch: Watch;
  /** The chosen one; null where nothing has triggered. */
  readonly episode: WatchEpisode | null;
  /** Whether all triggers have arrived. */
  readonly isKnown: boolean;
  readonly longest: LongestPoll;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  readonly onOpen: () => void;
}

/** The answer of the chosen trigger, or the sentence that nothing has triggered. */
export function WatchVerdict({ watch, episode, isKnown, longest, zone, now, onOpen }: Props): ReactNode {
  if (episode === null) {
    return (
      <header className={styles.verdict}>
        <h1>{isKnown ? texts.noTriggerSince(dayOf(zone, watch.created)) : watch.definition.group}</h1>
        <p>{longestText(longest, zone, now)}</p>
      </header>
    );
  }
  const { trigger, place, p95Us, captureId } = episode;
  const polled =
    trigger.value === null
      ? null
      : texts.pollsOfTrigger(
          valueText(trigger, trigger.value),
          trigger.limit === null ? null : limitOf(trigger, trigger.limit),
        );
  return (
    <header className={styles.verdict} data-place={place ?? "none"}>
      <h1>{episodeSentence(episode, zone)}</h1>
      <p>
        <span>
          {[p95Us === null ? null : texts.commitP95(durationText(p95Us)), polled].filter(Boolean).join(" ")}
        </span>
        {captureId === null ? null : (
          <Button kind="primary" onClick={onOpen}>
            {texts.openRecording} <Kbd>Enter</Kbd>
          </Button>
        )}
      </p>
    </header>
  );
}

function longestText({ value, reason }: LongestPoll, zone: Zone, now: number): string {
  if (value === null) return reason;
  const [from = "", to = ""] = [value.from, value.to].map((at) => new Date(at).toISOString());
  const clock = texts.between(clockOf(zone, from, 16), clockOf(zone, to, 16));
  return texts.longestPoll(durationText(value.ms * 1000), whenOf(zone, from, now, clock));
}
