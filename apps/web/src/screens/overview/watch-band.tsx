import type { ReactNode } from "react";
import { Link } from "wouter";
import { BellIcon } from "../../frame/icons.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { formatTime } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useRecordedBy } from "./use-recorded-by.ts";
import styles from "./watch-band.module.css";

/** One line on a phone: which watch recorded this, its trigger, and the way to it. */
export function WatchBand(): ReactNode {
  const { summary } = useCapture();
  const recorded = useRecordedBy();
  if (recorded === null) return null;
  const { watch, episode, at } = recorded;
  return (
    <p className={styles.band}>
      <BellIcon />
      <span title={episode.trigger.text}>
        {texts.recordedByTheWatch(watch.definition.group, formatTime(summary, at, 0))}
      </span>
      <Link href={`/watches/${encodeURIComponent(watch.id)}?at=${encodeURIComponent(episode.id)}`}>
        {texts.watch}
      </Link>
    </p>
  );
}
