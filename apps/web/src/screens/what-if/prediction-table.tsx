import type { ReactNode } from "react";
import type { PredictionDetail } from "@aglens/contract";
import { Value } from "../../ui/controls.tsx";
import { formatDuration, percentFigure } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { betweenWords, releaseNames } from "./what-if-words.ts";
import styles from "./what-if.module.css";

/** Percentiles and releases now and then, with the interval of the prediction. */
export function PredictionTable({ chosen }: { readonly chosen: PredictionDetail }): ReactNode {
  const { summary } = useCapture();
  const names = releaseNames(summary);
  const { measured, predicted, intervals, releases, commits } = chosen;
  const candidates = names
    .map((name, index) => ({ name, index }))
    .filter(({ index }) => (releases.measured[index] ?? 0) + (releases.predicted[index] ?? 0) > 0);
  const row = (name: string, figures: typeof measured, counts: readonly number[]): ReactNode => (
    <tr>
      <th scope="row">{name}</th>
      {(["p50", "p95", "p99", "max"] as const).map((p) => (
        <td key={p}>
          <Value figure={formatDuration(figures[p])} strong={figures === predicted} />
        </td>
      ))}
      {candidates.map(({ index }) => (
        <td key={index}>
          <Value figure={percentFigure((counts[index] ?? 0) / Math.max(1, commits), 1)} />
        </td>
      ))}
    </tr>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <section className={styles.scroll} tabIndex={0} aria-label="Figures now and then">
      <table className={`${styles.table} figure-table`} aria-label="Commits now and then">
        <thead>
          <tr>
            <th scope="col">Commit</th>
            <th scope="col">p50</th>
            <th scope="col">p95</th>
            <th scope="col">p99</th>
            <th scope="col">max</th>
            {candidates.map(({ name }, i) => (
              <th scope="col" key={name} className={styles.released}>
                {i === 0 ? `Released by ${name}` : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row("Now, measured", measured, releases.measured)}
          {row("Then, predicted", predicted, releases.predicted)}
          <tr className={styles.between}>
            <th scope="row">between</th>
            {(["p50", "p95", "p99"] as const).map((p) => (
              <td key={p}>{betweenWords(intervals[p])}</td>
            ))}
            <td colSpan={1 + candidates.length} aria-label="not given" />
          </tr>
        </tbody>
      </table>
    </section>
  );
}
