import { useLayoutEffect, useRef, type ReactNode } from "react";
import { xOf } from "../../../charts/time-scale.ts";
import { formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import { ruleLabels } from "./use-happened.ts";
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
      for (const [i, label] of [...(root.current?.children ?? [])].entries()) {
        const x = xOf({ from, to, width }, marks[i]?.at ?? Number.NaN);
        if (!(label instanceof HTMLElement)) continue;
        label.hidden = !(x >= 0 && x <= width);
        label.style.left = `${x}px`;
      }
    };
    place();
    return viewport.subscribe(place);
  });
  if (marks.length === 0) return null;
  return (
    <div ref={root} className={styles.labels}>
      {marks.map(({ at, isBefore }) => (
        <span key={at} data-before={isBefore}>
          {formatTime(summary, at, 1)}
        </span>
      ))}
    </div>
  );
}
