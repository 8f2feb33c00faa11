import type { ReactNode } from "react";
import type { Overview } from "@aglens/contract";
import { rateOf, rateTop } from "../../../charts/overview/paint-rates.ts";
import { RateChart } from "../../../charts/overview/time-charts.tsx";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { formatBytes, formatCount } from "../../../ui/words.ts";
import { RateTable } from "./chart-tables.tsx";
import { useCapture } from "../../capture-view/capture-context.ts";
import { databaseName } from "../../capture-view/databases.ts";
import { phaseIndex } from "../../capture-view/phases.ts";
import { useLatencyAnswers } from "./use-chart-answers.ts";
import { useOverview } from "../overview-context.ts";
import { type ChartBlockProps, ChartHead, PlotArea, RowName, ScaleLabels } from "./plot-area.tsx";
import styles from "./charts.module.css";

/** How many log blocks were written over time. */
export function RateBlock({ overview, width, height, drag, asTables }: ChartBlockProps): ReactNode {
  const { scale, ground, databases } = useOverview();
  const most = rateTop(overview);
  return (
    <>
      <ChartHead title={texts.logBlocksPerSecond} readout={<RateReadout overview={overview} />} />
      {asTables ? (
        <RateTable overview={overview} />
      ) : databases.length > 0 ? (
        databases.map((database) => (
          <DatabaseRate key={database} {...{ database, width, height, drag, most }} />
        ))
      ) : (
        <PlotArea drag={drag} width={width} sentence={rateSentence(overview)} name={texts.logBlocksPerSecond}>
          <ScaleLabels labels={[{ y: 5, text: formatCount(most) }]} />
          <RateChart range={scale} ground={ground} overview={overview} most={most} height={height} />
        </PlotArea>
      )}
    </>
  );
}

/** Log blocks of one database, on the scale of all of them together. @param height of its row, px */
function DatabaseRate({
  database,
  width,
  height,
  drag,
  most,
}: Pick<ChartBlockProps, "width" | "height" | "drag"> & {
  readonly database: number;
  readonly most: number;
}): ReactNode {
  const { source, summary, view } = useCapture();
  const { scale, ground, metric } = useOverview();
  const scope = { database, phase: phaseIndex(summary, view.phase) };
  const { overview } = useLatencyAnswers(source.scoped(scope), scale, metric);
  const own = databaseName(summary, database) ?? "";
  return (
    <PlotArea
      drag={drag}
      width={width}
      sentence={overview.value === null ? "" : rateSentence(overview.value)}
      name={`${texts.logBlocksPerSecond}, ${own}`}
    >
      <RowName>{own}</RowName>
      {overview.value === null ? (
        <div style={{ height }} />
      ) : (
        <RateChart range={scale} ground={ground} overview={overview.value} most={most} height={height} />
      )}
    </PlotArea>
  );
}

function RateReadout({ overview }: { readonly overview: Overview }): ReactNode {
  const { cursor } = useOverview();
  if (cursor === null) return null;
  const bin = Math.floor((cursor - overview.from) / overview.binUs);
  const blocks = overview.blocks[bin];
  if (blocks === undefined) return null;
  return (
    <span className={styles.readout}>
      {blocks === 0
        ? texts.noneAtTheCursor
        : texts.atTheCursorPer(
            formatCount(rateOf(overview, bin)),
            formatBytes(Math.round((overview.bytes[bin] ?? 0) / blocks)),
          )}
    </span>
  );
}

function rateSentence(overview: Overview): string {
  const total = overview.blocks.reduce((a, b) => a + b, 0);
  const most = Math.max(0, ...overview.blocks.map((_, bin) => rateOf(overview, bin)));
  return texts.logBlocksInView(formatCount(total), formatCount(most));
}
