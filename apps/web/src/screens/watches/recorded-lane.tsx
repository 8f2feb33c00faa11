import type { ReactNode } from "react";
import type { WatchEpisode } from "@aglens/contract";
import { stripX } from "../../charts/watch/strip.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import type { Zone } from "../../ui/zone.ts";
import { clockOf, lengthText } from "./watch-text.ts";
import { recordedOf } from "./watch-view.ts";
import styles from "./watch.module.css";

interface Props {
  readonly episode: WatchEpisode;
  /** ms since 1970. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly zone: Zone;
  readonly width: number;
  /** Height of the picture below, which the line of the trigger crosses, px. */
  readonly height: number;
}

/** Least widths of texts, px. */
const TEXT_PX = 90;
const BRACKET_PX = 160;

/** The ring dashed, the recording solid, the time over the limit as a bracket, and the trigger's line. */
export function RecordedLane({ episode, from, to, now, zone, width, height }: Props): ReactNode {
  const { trigger, ended, state, place } = episode;
  const recorded = recordedOf(episode, now);
  const x = (at: number): number => Math.min(width, Math.max(0, stripX({ from, to, width, height }, at)));
  const box = (first: number, last: number) => ({ left: x(first), width: Math.max(2, x(last) - x(first)) });
  const at = Date.parse(trigger.at);
  const over = ended === null ? now : Date.parse(ended);
  const hasBracket = trigger.rule !== "schedule" && trigger.rule !== "hand" && trigger.rule !== "http";
  const text = (first: number, last: number, words: string, room = TEXT_PX): string | null =>
    x(last) - x(first) < room ? null : words;
  return (
    <div className={styles.recorded} data-place={place ?? "none"}>
      {recorded === null ? (
        <span className={styles.hatched} style={{ left: 0, width }}>
          <b>{texts.notRecordedPart}</b>
        </span>
      ) : (
        <>
          <span className={styles.hatched} style={{ left: 0, width: x(recorded.from) }} />
          {recorded.ringTo === null ? null : (
            <span
              className={styles.ring}
              style={box(recorded.from, recorded.ringTo)}
              title={texts.ring(lengthText(recorded.ringTo - recorded.from))}
            >
              {text(recorded.from, recorded.ringTo, texts.ring(lengthText(recorded.ringTo - recorded.from)))}
            </span>
          )}
          <span className={styles.solid} style={box(recorded.ringTo ?? recorded.from, recorded.to)}>
            {text(
              recorded.ringTo ?? recorded.from,
              recorded.to,
              (state === "recording" ? texts.recordingSince : texts.recordedFor)(
                lengthText(recorded.to - (recorded.ringTo ?? recorded.from)),
              ),
            )}
          </span>
          <span className={styles.hatched} style={{ left: x(recorded.to), width: width - x(recorded.to) }} />
        </>
      )}
      {hasBracket && over > at ? (
        <span className={styles.bracket} style={box(at, over)}>
          {text(
            at,
            over,
            (trigger.limit === null ? texts.lastedFor : texts.episodeFor)(lengthText(over - at)),
            BRACKET_PX,
          )}
        </span>
      ) : null}
      <i className={styles.triggerLine} style={{ left: x(at), height: height + 44 }} aria-hidden="true" />
      <b className={styles.triggerTime} style={{ left: Math.min(width - 60, Math.max(60, x(at))) }}>
        {texts.triggerAt(clockOf(zone, trigger.at))}
      </b>
    </div>
  );
}
