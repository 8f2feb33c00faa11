import { type ReactNode, useRef } from "react";
import type { Distribution } from "@aglens/contract";
import { timeAxis } from "../../charts/axis.ts";
import { CellsPicture } from "../../charts/distribution/cells-picture.tsx";
import { useRangeDrag } from "../../charts/use-range-drag.ts";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { useSize } from "../../ui/use-size.ts";
import { formatCount, formatTime, zoneName } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { CellAxis } from "./cell-axis.tsx";
import { columnTotal, medianRow } from "./cells.ts";
import { binLengthText } from "./distribution-text.ts";
import { stageColor } from "../capture-view/stage-means.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly value: Distribution;
  readonly name: string;
  readonly asTable: boolean;
}

const HEIGHT = 190;

/**
 * The chosen stage by time: the darker a cell, the more blocks took this duration at that time. Dragging selects a
 * range of time as the range in view.
 */
export function HeatCard({ value, name, asTable }: Props): ReactNode {
  const { heat } = value;
  const rows = heat.edges.length - 1;
  return (
    <Card title={texts.overTime(name)} aside={texts.deeperMoreBlocksSquare}>
      {asTable ? (
        <HeatTable heat={heat} name={name} />
      ) : (
        <div className={styles.cells}>
          <CellAxis edges={heat.edges} height={HEIGHT} />
          <HeatPlot value={value} name={name} rows={rows} />
        </div>
      )}
    </Card>
  );
}

function HeatPlot({
  value,
  name,
  rows,
}: {
  readonly value: Distribution;
  readonly name: string;
  readonly rows: number;
}): ReactNode {
  const { summary, setView } = useCapture();
  const { heat } = value;
  const box = useRef<HTMLDivElement>(null);
  const band = useRef<HTMLElement>(null);
  const [plot, { width }] = useSize<HTMLDivElement>(box);
  const [from, to] = [heat.from, heat.from + heat.bins * heat.binUs];
  const at = (px: number): number => from + (px / Math.max(1, width)) * (to - from);
  const show = (left: number, right: number): void => {
    if (band.current === null) return;
    band.current.hidden = right <= left;
    Object.assign(band.current.style, { left: `${left}px`, width: `${right - left}px` });
  };
  useRangeDrag(
    box,
    {
      onDrag: show,
      onEnd: (period) => {
        show(0, 0);
        if (period !== null) setView({ range: [at(period[0]), at(period[1])] });
      },
    },
    false,
  );
  const ticks = timeAxis(from, to, summary, Math.max(2, width / 90)).ticks;
  return (
    <div className="narrows">
      <div ref={plot} className={styles.heatPlot}>
        <CellsPicture
          counts={heat.counts}
          columns={heat.bins}
          rows={rows}
          color={stageColor(value.stage)}
          marks={mediansOf(heat.counts, heat.bins, rows)}
          height={HEIGHT}
          label={texts.overTimeValuesFigures(
            name,
            formatCount(heat.counts.reduce((sum, count) => sum + count, 0)),
          )}
        />
        <i className={styles.band} ref={band} hidden />
      </div>
      <div className={styles.axis} aria-hidden="true">
        {ticks.map(({ at: us, label }) => {
          const x = ((us - from) / (to - from)) * width;
          return x > width - 24 ? null : (
            <span key={us} style={{ left: x }} data-end={x < 14 ? "first" : undefined}>
              {label}
            </span>
          );
        })}
      </div>
    </div>
  );
}

const mediansOf = (counts: readonly number[], columns: number, rows: number): (number | null)[] =>
  Array.from({ length: columns }, (_, column) => medianRow(counts, column, rows));

function HeatTable({
  heat,
  name,
}: {
  readonly heat: Distribution["heat"];
  readonly name: string;
}): ReactNode {
  const { summary } = useCapture();
  const rows = heat.edges.length - 1;
  const columns = Array.from({ length: heat.bins }, (_, t) => ({
    t,
    n: columnTotal(heat.counts, t, rows),
    median: medianRow(heat.counts, t, rows),
  })).filter(({ n }) => n > 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={styles.tableBox} tabIndex={0} aria-label={texts.overTime(name)}>
      <FigureTable<(typeof columns)[number]>
        rows={columns}
        rowKey={({ t }) => t}
        columns={[
          {
            id: `From, ${zoneName(summary)}`,
            cell: ({ t }) => formatTime(summary, heat.from + t * heat.binUs),
          },
          { id: "n", cell: ({ n }) => formatCount(n) },
          {
            id: "Median in",
            cell: ({ median }) => {
              const row = Math.floor(median ?? 0);
              return binLengthText(heat.edges[row]!, heat.edges[row + 1]!);
            },
          },
        ]}
      />
    </section>
  );
}
