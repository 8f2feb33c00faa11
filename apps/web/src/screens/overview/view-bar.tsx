import { Fragment, type ReactNode } from "react";
import { hasReplicaMatrix, fullRange } from "@aglens/contract";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Segmented } from "../../ui/controls.tsx";
import { durationText, formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import {
  firstViewName,
  isFullRange,
  rangeName,
  shownRange,
  WHOLE_CAPTURE,
} from "../capture-view/shown-range.ts";
import { useOverview } from "./overview-context.ts";
import styles from "./view-bar.module.css";

/**
 * The time in view where it is not the complete capture, links to longer ranges, and the secondary of the figures.
 * Absent when there is no choice.
 */
export function ViewBar(): ReactNode {
  const { summary, view, setView } = useCapture();
  const secondaries = summary.replicas.slice(1);
  const hasTabs = secondaries.length > 1 && !hasReplicaMatrix(summary);
  const isPart = view.range !== null || !isFullRange(view, summary);
  if (!isPart && !hasTabs) return null;
  return (
    <div className={styles.viewBar}>
      {isPart && <Crumbs />}
      {hasTabs && (
        <Segmented
          label={texts.secondaryLabel}
          value={String(view.secondary)}
          options={secondaries.map((replica, i) => ({ value: String(i), label: replica.name }))}
          onChange={(value) => setView({ secondary: Number(value) })}
        />
      )}
    </div>
  );
}

/** `Whole capture › Common time › +4.00 s to +6.00 s, 2.00 s`: named times other than the one in view are buttons. */
function Crumbs(): ReactNode {
  const { summary, view } = useCapture();
  const { setRange } = useOverview();
  const shown = shownRange(view, summary);
  const [from, to] = shown;
  const name = rangeName(shown, summary);
  const named = new Map([
    [WHOLE_CAPTURE, fullRange(summary)],
    [firstViewName(summary), null],
  ]);
  return (
    <nav className="row gap-6 quiet text-small" aria-label={texts.rangeInView}>
      {[...named].map(([other, range]) =>
        other === name ? null : (
          <Fragment key={other}>
            <button type="button" className={styles.crumb} onClick={() => setRange(range, true)}>
              {other}
            </button>
            <span aria-hidden="true">›</span>
          </Fragment>
        ),
      )}
      <span aria-current="true">
        {name ?? texts.toPart(formatOffset(summary, from), formatOffset(summary, to))},{" "}
        {durationText(to - from)}
      </span>
    </nav>
  );
}
