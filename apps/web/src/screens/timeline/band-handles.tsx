/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an input has a track of its own; these stand on the axis */
import type { ReactNode } from "react";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import { formatInstant } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useTimelineSelection, useTimelineView } from "./timeline-context.ts";
import type { Plot } from "./use-plot.ts";
import styles from "./lanes/lanes-view.module.css";

/** The edges of the selected range on the axis: dragged, or moved with the arrow keys. */
export function BandHandles({ band: { begins, ends, handles } }: { readonly band: Plot["band"] }): ReactNode {
  const { summary } = useCapture();
  const { duration } = useTimelineView();
  const { selection } = useTimelineSelection();
  const { selectedRange } = selection;
  if (selectedRange === null) return null;
  return [begins, ends].map((handle, side) => (
    <div
      key={side}
      ref={handle}
      className={styles.handle}
      role="slider"
      tabIndex={0}
      aria-label={side === 0 ? texts.selectionBegins : texts.selectionEnds}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={selectedRange[side] ?? 0}
      aria-valuetext={formatInstant(summary, selectedRange[side] ?? 0, 6)}
      hidden
      {...handles[side]}
    />
  ));
}
