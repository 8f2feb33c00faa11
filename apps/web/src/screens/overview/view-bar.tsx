import type { ReactNode } from "react";
import { hasReplicaMatrix, wholeRange } from "@aglens/contract";
import { Button, Segmented } from "../../ui/controls.tsx";
import { durationText, formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { firstViewName, isFirstPart } from "../capture-view/shown-range.ts";
import { useOverview } from "./overview-context.ts";
import styles from "./view-bar.module.css";

/** Breadcrumb back to what was in view first, the way to the whole capture, and which secondary the figures are about. Absent when there is no choice. */
export function ViewBar(): ReactNode {
  const { summary, view, setView } = useCapture();
  const { setRange } = useOverview();
  const secondaries = summary.replicas.slice(1);
  const hasTabs = secondaries.length > 1 && !hasReplicaMatrix(summary);
  const isPart = view.range === null && isFirstPart(summary);
  if (view.range === null && !isPart && !hasTabs) return null;
  return (
    <div className={styles.viewBar}>
      {view.range !== null && (
        <nav className="row gap-6 muted text-ui" aria-label="Range in view">
          <Button kind="quiet" onClick={() => setRange(null, true)}>
            {firstViewName(summary)}
          </Button>
          <span aria-hidden="true">›</span>
          <span aria-current="true">
            {formatOffset(summary, view.range[0])} to {formatOffset(summary, view.range[1])},{" "}
            {durationText(view.range[1] - view.range[0])}
          </span>
        </nav>
      )}
      {isPart && (
        <nav className="row gap-6 muted text-ui" aria-label="Range in view">
          <span aria-current="true">{firstViewName(summary)}, covered by every file</span>
          <Button kind="quiet" onClick={() => setRange(wholeRange(summary), true)}>
            Show whole capture
          </Button>
        </nav>
      )}
      {hasTabs && (
        <Segmented
          label="Secondary"
          value={String(view.secondary)}
          options={secondaries.map((replica, i) => ({ value: String(i), label: replica.name }))}
          onChange={(value) => setView({ secondary: Number(value) })}
        />
      )}
    </div>
  );
}
