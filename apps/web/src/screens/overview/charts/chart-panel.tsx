import { type ReactNode, useState } from "react";
import type { Overview } from "@aglens/contract";
import { apart, timeAxis } from "../../../charts/axis.ts";
import { Minimap } from "../../../charts/minimap.tsx";
import { xOf } from "../../../charts/time-scale.ts";
import { Problem } from "../../../frame/problem.tsx";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { useSize } from "../../../ui/use-size.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { LatencyBlock } from "./latency-block.tsx";
import { useOverview } from "../overview-context.ts";
import { GUTTER_PX } from "./plot-area.tsx";
import { RateBlock } from "./rate-block.tsx";
import { RolesRibbon } from "./roles-ribbon.tsx";
import { ShareBlock } from "./share-block.tsx";
import { rowHeights, type Heights } from "./use-heights.ts";
import { useDragToZoom } from "./use-drag-to-zoom.ts";
import styles from "./charts.module.css";

interface Props {
  readonly overview: Overview;
  readonly heights: Heights;
}

/** Latency, share and rate over one scale of time with one cursor, and the minimap under them. */
export function ChartPanel({ overview, heights }: Props): ReactNode {
  const { scale, setRange, setHover, minimap, databases } = useOverview();
  const [setPlot, { width }] = useSize<HTMLDivElement>();
  const [asTables, setAsTables] = useState(false);
  const drag = useDragToZoom(scale, setRange, setHover);
  const rows = rowHeights(heights, databases.length);
  const block = { overview, width, drag, asTables };
  // Below the minimap the labels would look like the minimap's own scale, which is different when zoomed.
  const zoomed = minimap.value !== null && scale.to - scale.from < minimap.value.to - minimap.value.from;
  return (
    <section className={`card ${styles.charts}`} aria-label={texts.charts}>
      <div className="relative" ref={setPlot} style={{ marginLeft: GUTTER_PX }}>
        <RolesRibbon width={width} />
        <LatencyBlock {...block} height={rows.latency} onTables={() => setAsTables(!asTables)} />
        {databases.length > 0 && !asTables ? null : <ShareBlock {...block} height={heights.share} />}
        <RateBlock {...block} height={rows.rate} />
        {zoomed && <TimeAxis width={width} />}
        <MinimapRow width={width} height={heights.minimap} />
        {!zoomed && <TimeAxis width={width} />}
      </div>
    </section>
  );
}

/** Width of a label, px: narrower plots get fewer labels. */
const LABEL_PX = 76;
/** About the width of a letter, px. */
const LETTER_PX = 5.6;
const BASE_PX = 110;
const EDGE_PX = 18;
/** Distance from the left edge under which a label begins at its tick instead of being centered on it. */
const FIRST_PX = 14;

/** The instants under the plots; the first label names the instant that the others count from. */
export function TimeAxis({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale } = useOverview();
  const { base, ticks } = timeAxis(scale.from, scale.to, summary, Math.max(2, width / LABEL_PX));
  const labels = ticks
    .map(({ at, label }) => {
      const x = xOf({ ...scale, width }, at);
      const isFirst = x < FIRST_PX;
      const from = isFirst ? x : x - (label.length * LETTER_PX) / 2;
      return { at, label, x, isFirst, from, to: from + label.length * LETTER_PX };
    })
    .filter(({ x }) => x <= width - EDGE_PX && (base === null || x >= BASE_PX));
  return (
    <div className={styles.timeAxis} aria-hidden="true">
      {base !== null && <b className={styles.base}>{base}</b>}
      {width > 0 &&
        apart(labels).map(({ at, label, x, isFirst }) => (
          <span key={at} className={isFirst ? styles.first : undefined} style={{ left: x }}>
            {label}
          </span>
        ))}
    </div>
  );
}

/** The complete capture with a brush over the range in view. */
function MinimapRow({ width, height }: { readonly width: number; readonly height: number }): ReactNode {
  const { scale, setRange, minimap, uncovered, lost, switches } = useOverview();
  return (
    <div className={styles.minimapRow} style={{ minHeight: height }}>
      <Problem sentence={minimap.error} onRetry={minimap.retry} />
      {minimap.value === null && minimap.error === null && (
        <div className={styles.pending} style={{ height }} />
      )}
      {minimap.value && width > 0 && (
        <Minimap
          columns={minimap.value}
          range={[scale.from, scale.to]}
          uncovered={uncovered}
          lost={lost}
          switches={switches}
          onRange={setRange}
          width={width}
          height={height}
        />
      )}
    </div>
  );
}
