import type { ReactNode } from "react";
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
    <div className={styles.bar} role="toolbar" aria-label="Blocks">
      <Button aria-label="Previous slow block" onClick={() => along(-1)}>
        ‹
      </Button>
      <Button aria-label="Next slow block" onClick={() => along(1)}>
        ›
      </Button>
      <span className={styles.view}>
        {durationText(range[1] - range[0])}
        {blocks === null ? "" : `, ${formatCount(blocks)} blocks`}
      </span>
      <Button onClick={() => (view.block === null ? viewport.set([0, duration]) : fit())}>
        {view.block === null ? "All" : "Fit"}
      </Button>
      <Button kind="primary" onClick={() => open("sequence")}>
        Sequence
      </Button>
    </div>
  );
}
