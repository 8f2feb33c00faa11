import { useLayoutEffect, useRef, type ReactNode } from "react";
import { xOf } from "../../../charts/time-scale.ts";
import { formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import { leftOfLabels, ruleLabels } from "./use-happened.ts";
import styles from "./happened.module.css";

/** Times of the failovers on the axis, at the rules through all lanes; they follow the view without a render. */
export function RuleLabels({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { happened } = useTimelineData();
  const { viewport } = useTimelineView();
  const root = useRef<HTMLDivElement>(null);
  const marks = ruleLabels(happened);
  useLayoutEffect(() => {
    const place = (): void => {
      const [from, to] = viewport.get();
      const labels = [...(root.current?.children ?? [])].filter((label) => label instanceof HTMLElement);
      for (const label of labels) label.hidden = false;
      const placed = labels.map((label, i) => ({
        x: xOf({ from, to, width }, marks[i]?.at ?? Number.NaN),
        isBefore: marks[i]?.isBefore ?? false,
        width: label.offsetWidth,
      }));
      for (const [i, left] of leftOfLabels(placed, width).entries()) {
        const label = labels[i];
        if (label === undefined) continue;
        label.hidden = left === null;
        label.style.left = `${left ?? 0}px`;
      }
    };
    place();
    return viewport.subscribe(place);
  });
  if (marks.length === 0) return null;
  return (
    <div ref={root} className={styles.labels}>
      {marks.map(({ at }, i) => (
        <span key={i}>{formatTime(summary, at, 1)}</span>
      ))}
    </div>
  );
}
