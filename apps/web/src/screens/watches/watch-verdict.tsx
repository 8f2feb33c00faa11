import type { ReactNode } from "react";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { durationText } from "../../ui/words.ts";
import type { Zone } from "../../ui/zone.ts";
import { dayOf, episodeSentence, limitOf, valueText, whenOf } from "./watch-text.ts";
import styles from "./watch.module.css";

interface Props {
  readonly watch: Watch;
  /** The chosen one; null where nothing has triggered. */
  readonly episode: WatchEpisode | null;
  /** The longest poll of the week, ms; null while it isn't needed. */
  readonly longest: { readonly at: number; readonly ms: number } | null;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  readonly onOpen: () => void;
}

/** The answer of the chosen trigger, or the sentence that nothing has triggered. */
export function WatchVerdict({ watch, episode, longest, zone, now, onOpen }: Props): ReactNode {
  if (episode === null) {
    return (
      <header className={styles.verdict}>
        <h1>{texts.noTriggerSince(dayOf(zone, watch.created))}</h1>
        <p>
          {longest === null
            ? texts.noPollsYet
            : texts.highestDelay(
                durationText(longest.ms * 1000),
                whenOf(zone, new Date(longest.at).toISOString(), now),
              )}
        </p>
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
