import type { ReactNode } from "react";
import type { PredictionDetail } from "@aglens/contract";
import { whatIfTexts as texts } from "../../messages/what-if.ts";
import { Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration, percentFigure } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { betweenText, releaseNames } from "./what-if-text.ts";
import styles from "./what-if.module.css";

/** Percentiles and releases, measured and predicted, with the interval of the prediction. */
export function PredictionTable({ chosen }: { readonly chosen: PredictionDetail }): ReactNode {
  const { summary } = useCapture();
  const names = releaseNames(summary);
  const { measured, predicted, intervals, releases, commits } = chosen;
  const candidates = names
    .map((name, index) => ({ name, index }))
    .filter(({ index }) => (releases.measured[index] ?? 0) + (releases.predicted[index] ?? 0) > 0);
  const rows = [
    { name: "Now, measured", figures: measured, counts: releases.measured },
    { name: "Then, predicted", figures: predicted, counts: releases.predicted },
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <section className={styles.scroll} tabIndex={0} aria-label={texts.figuresNowAndThen}>
      <FigureTable<(typeof rows)[number]>
        className={styles.table}
        aria-label={texts.commitsNowAndThen}
        rows={rows}
        columns={[
          { id: "Commit", cell: ({ name }) => name },
          ...(["p50", "p95", "p99", "max"] as const).map((id) => ({
            id,
            cell: ({ figures }: (typeof rows)[number]) => (
              <Value figure={formatDuration(figures[id])} strong={figures === predicted} />
            ),
          })),
          ...candidates.map(({ name, index }, i) => ({
            id: name,
            ...(i === 0 && { term: "releasedBy" as const }),
            head: i === 0 ? texts.releasedBy(name) : name,
            className: styles.released,
            cell: ({ counts }: (typeof rows)[number]) =>
              percentFigure((counts[index] ?? 0) / Math.max(1, commits), 1),
          })),
        ]}
        last={
          <tr className={styles.between}>
            <th scope="row">{texts.between}</th>
            {(["p50", "p95", "p99"] as const).map((p) => (
              <td key={p}>{betweenText(intervals[p])}</td>
            ))}
            <td colSpan={1 + candidates.length} aria-label={texts.notGiven} />
          </tr>
        }
      />
    </section>
  );
}
