import type { ReactNode } from "react";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { formatCount } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { ChartHead, GUTTER_PX } from "./plot-area.tsx";
import { type Heights, panelHeight } from "./use-heights.ts";
import styles from "./charts.module.css";

/**
 * The charts' card before the first answer: it reserves the place of each part, so that nothing moves when the answer
 * arrives.
 */
export function ChartsPending({ heights }: { readonly heights: Heights }): ReactNode {
  const { summary } = useCapture();
  return (
    <div className={`card ${styles.charts}`} aria-busy style={{ minHeight: panelHeight(heights) }}>
      <div className="relative" style={{ marginLeft: GUTTER_PX }}>
        <PendingChart title={texts.commitLatency} height={heights.latency}>
          {texts.readingLogBlocks(formatCount(summary.blocks.total))}
        </PendingChart>
        <PendingChart title={texts.shareOfRemoteHarden} height={heights.share} />
        <PendingChart title={texts.logBlocksPerSecond} height={heights.rate} />
        <div className={styles.minimapRow} style={{ minHeight: heights.minimap }}>
          <div className={styles.pending} style={{ height: heights.minimap }} />
        </div>
      </div>
    </div>
  );
}

interface PendingChartProps {
  readonly title: string;
  readonly height: number;
  readonly children?: ReactNode;
}

function PendingChart({ title, height, children }: PendingChartProps): ReactNode {
  return (
    <>
      <ChartHead title={title} />
      <div className={styles.pending} style={{ height }}>
        {children === undefined ? null : <p>{children}</p>}
      </div>
    </>
  );
}
