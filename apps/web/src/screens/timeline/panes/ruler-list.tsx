import type { ReactNode } from "react";
import { lengthOf } from "../../../charts/timeline/ruler.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import type { Ruler } from "@aglens/contract";
import { durationText, formatUncertainty, formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { useMeasured } from "../lanes/use-ruler-canvas.ts";
import styles from "./ruler-list.module.css";

/** Free space on either side of a shown ruler, as a share of its own length. */
const MARGIN = 0.35;

/** The rulers, one row each: length, start and end; a press shows the ruler. */
export function RulerList(): ReactNode {
  const { summary } = useCapture();
  const { viewport } = useTimelineView();
  const { rulers } = useTimelineSelection();
  const measured = useMeasured();
  if (rulers.list.length === 0) return null;
  const show = ([from, to]: Ruler): void => {
    const [start, end] = [Math.min(from.at, to.at), Math.max(from.at, to.at)];
    viewport.set([start - (end - start) * MARGIN, end + (end - start) * MARGIN]);
  };
  return (
    <section className={styles.rulers} aria-labelledby="rulers-name">
      <h3 id="rulers-name">{texts.ruler(rulers.list.length)}</h3>
      <ul>
        {rulers.list.map((ruler, i) => {
          const { us, uncertaintyUs } = lengthOf(ruler, measured);
          const [from, to] = ruler.map(({ at }) => at).toSorted((a, b) => a - b);
          return (
            <li className="row" key={i}>
              <button type="button" className={styles.show} title={texts.showIt} onClick={() => show(ruler)}>
                <b>{durationText(us)}</b>{" "}
                {uncertaintyUs === null || Number.isNaN(uncertaintyUs)
                  ? null
                  : formatUncertainty(uncertaintyUs)}
                <span>{texts.to(formatTime(summary, from ?? 0, 6), formatTime(summary, to ?? 0, 6))}</span>
              </button>
              <button
                type="button"
                className={styles.remove}
                aria-label={texts.removeTheRulerOf(durationText(us))}
                onClick={() => rulers.remove(i)}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
