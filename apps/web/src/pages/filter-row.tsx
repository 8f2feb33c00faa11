import type { ReactNode } from "react";
import { useAnswer } from "../data/use-answer.ts";
import { type CaptureTab, useCapture } from "../screens/capture-context.ts";
import { stretchWords } from "../screens/distribution/distribution-words.ts";
import { stageName } from "../screens/distribution-stages.ts";
import { roleNames } from "../screens/replica-names.ts";
import { Button } from "../ui/controls.tsx";
import { formatCount } from "../ui/words.ts";
import styles from "./filter-row.module.css";

/** Under the strip: which blocks the timeline and the slowest table are limited to, how many, and how to see all again. */
export function FilterRow({ tab }: { readonly tab: CaptureTab }): ReactNode {
  const { source, summary, view, setView, open } = useCapture();
  const { where } = view;
  const range = { from: 0, to: Math.max(1, summary.durationUs) };
  const { value } = useAnswer(
    where &&
      source.slowest({
        range,
        sort: "commit",
        descending: true,
        secondary: where.secondary,
        limit: 1,
        where,
      }),
    { keepsValue: false },
  );
  if (where === null) return null;
  const name = stageName(where.stage, roleNames(summary, where.secondary));
  return (
    <section className={styles.row} aria-label="Filter">
      <span className={styles.chip}>
        {name} {stretchWords(where.least, where.limit)}
        <button type="button" aria-label="Clear the filter" onClick={() => setView({ where: null })}>
          ×
        </button>
      </span>
      <output className={styles.count}>
        {value === null ? "" : `${formatCount(value.total)} of ${formatCount(summary.blocks.total)} blocks`}
      </output>
      <span className={styles.note}>timeline and slowest blocks show only these</span>
      <span className={styles.actions}>
        {tab === "timeline" ? null : <Button onClick={() => open("timeline")}>Timeline</Button>}
        {tab === "overview" ? null : <Button onClick={() => open("overview")}>Slowest blocks</Button>}
        {tab === "distribution" ? null : (
          <Button onClick={() => open("distribution", { stage: where.stage, secondary: where.secondary })}>
            Distribution
          </Button>
        )}
      </span>
    </section>
  );
}
