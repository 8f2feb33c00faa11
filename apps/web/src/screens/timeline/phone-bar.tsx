import type { ReactNode } from "react";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import { Button } from "../../ui/controls.tsx";
import { formatCount, durationText } from "../../ui/words.ts";
import { PHONE, useMedia } from "../../ui/use-media.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "./timeline-context.ts";
import styles from "./phone-bar.module.css";

/**
 * Buttons for a phone, which has no keys: the previous and next slow block, fit, and the sequence; absent elsewhere.
 */
export function PhoneBar(): ReactNode {
  return useMedia(PHONE) ? <Bar /> : null;
}

function Bar(): ReactNode {
  const { view, open } = useCapture();
  const { statistics } = useTimelineData();
  const { viewport, duration, range } = useTimelineView();
  const { selection, hits } = useTimelineSelection();
  const along = view.where === null ? selection.toSlow : hits.step;
  const fit = view.where === null ? selection.fit : hits.fit;
  const blocks = statistics.value?.blocks ?? null;
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.blocks}>
      <Button aria-label={texts.previousSlowBlock} onClick={() => along(-1)}>
        ‹
      </Button>
      <Button aria-label={texts.nextSlowBlock} onClick={() => along(1)}>
        ›
      </Button>
      <span className={styles.view}>
        {durationText(range[1] - range[0])}
        {blocks === null ? "" : texts.blocksPart(formatCount(blocks))}
      </span>
      <Button onClick={() => (view.block === null ? viewport.set([0, duration]) : fit())}>
        {view.block === null ? texts.all : texts.fit}
      </Button>
      <Button kind="primary" onClick={() => open("sequence")}>
        {texts.sequence}
      </Button>
    </div>
  );
}
