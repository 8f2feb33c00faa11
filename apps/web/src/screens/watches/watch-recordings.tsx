import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { watchesTexts as texts } from "../../messages/watches.ts";
import type { TimeChoice } from "../../state/time-choice.ts";
import { Button } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration, formatSize } from "../../ui/words.ts";
import { clockName, type Zone } from "../../ui/zone.ts";
import { kindOf } from "../watch-strip/use-strip.ts";
import { watchPath } from "./watch-address.ts";
import { episodeText, lengthText, timeOf } from "./watch-text.ts";
import { recordedOf } from "./watch-view.ts";
import styles from "./watch.module.css";

interface Props {
  readonly watch: Watch;
  /** The newest first. */
  readonly episodes: readonly WatchEpisode[];
  /** Whether all of them have arrived. */
  readonly isKnown: boolean;
  readonly chosen: WatchEpisode | null;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  /** Clock in the address. */
  readonly time: TimeChoice | null;
}

/** Triggers that are listed at once. */
const FIRST = 20;

/** All recordings and refusals, the newest first. */
export function WatchRecordings({ watch, episodes, isKnown, chosen, zone, now, time }: Props): ReactNode {
  const [isAll, showAll] = useState(false);
  const { week, definition } = watch;
  const rows = isAll ? episodes : episodes.slice(0, FIRST);
  return (
    <section className={styles.recordings} aria-labelledby="recordings">
      <h2 id="recordings">
        {texts.recordings}{" "}
        <span>{texts.recordingsOf(week.recordings, definition.recording.mostPerWeek, week.refused)}</span>
      </h2>
      {episodes.length === 0 ? (
        isKnown && <p className="muted">{texts.noRecordings}</p>
      ) : (
        <div className="sideways">
          <FigureTable
            caption={texts.recordings}
            rows={rows}
            rowKey={({ id }) => id}
            rowProps={(row) => ({ "aria-current": row === chosen })}
            columns={[
              {
                id: "started",
                head: texts.startedIn(clockName(zone)),
                align: "left",
                cell: (row) => (
                  <Link href={watchPath(watch.id, { at: row.id, time })} className={styles.started}>
                    <i data-kind={kindOf(row)} data-place={row.place ?? "none"} aria-hidden="true" />
                    {timeOf(zone, row.trigger.at)}
                  </Link>
                ),
              },
              { id: "trigger", head: texts.trigger, align: "left", cell: ({ trigger }) => trigger.text },
              {
                id: "verdict",
                head: texts.verdict,
                align: "left",
                className: styles.sentence,
                cell: (row) => <Verdict episode={row} zone={zone} />,
              },
              { id: "p95", head: texts.commitP95Head, cell: ({ p95Us }) => formatDuration(p95Us) },
              { id: "length", head: texts.length, cell: (row) => lengthOf(row, now) },
              { id: "size", head: texts.size, cell: ({ bytes }) => formatSize(bytes) },
            ]}
          />
        </div>
      )}
      {rows.length < episodes.length ? (
        <Button onClick={() => showAll(true)}>{texts.showAllTriggers(episodes.length)}</Button>
      ) : null}
    </section>
  );
}

function Verdict({ episode, zone }: { readonly episode: WatchEpisode; readonly zone: Zone }): ReactNode {
  const { lead, text } = episodeText(episode, zone);
  const { captureId } = episode;
  return (
    <>
      {lead === null ? null : <b>{lead} </b>}
      {captureId === null ? text : <Link href={`/captures/${encodeURIComponent(captureId)}`}>{text}</Link>}
    </>
  );
}

function lengthOf(episode: WatchEpisode, now: number): string {
  const recorded = recordedOf(episode, now);
  return recorded === null ? texts.none : lengthText(recorded.to - recorded.from);
}
