import type { ReactNode } from "react";
import { hitTicks } from "../../../charts/timeline/hit-ticks.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import styles from "../panes/hit-row.module.css";

const HEIGHT = 5;
/** Maximum number of hits with their own place; more are drawn in bins. */
const MOST_TICKS = 2_000;
const BINS = 1_000;

/** Below the minimap of the complete capture: places of the filter's blocks. */
export function HitTicks({ width }: { readonly width: number }): ReactNode {
  const { source, summary, view } = useCapture();
  const scale = { from: 0, to: Math.max(1, summary.durationUs), width };
  const { value } = useAnswer(
    view.where === null || width < 1 ? null : source.window(scale, MOST_TICKS, BINS, view.where),
  );
  if (view.where === null) return null;
  return (
    <svg className={styles.ticks} width={width} height={HEIGHT} aria-hidden="true">
      {(value === null ? [] : hitTicks(value, scale)).map(([left, wide]) => (
        <rect key={left} x={left} width={wide} height={HEIGHT} />
      ))}
    </svg>
  );
}
