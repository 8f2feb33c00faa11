import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import type { RangeStatistics } from "@aglens/contract";
import { durationTicks } from "../../../charts/axis.ts";
import { type TimeRange, xOf } from "../../../charts/time-scale.ts";
import type { Samples } from "../../../charts/overview/latency-bins.ts";
import { type Metric, sampleNear } from "../../../charts/overview/samples.ts";
import { LatencyChart } from "../../../charts/overview/time-charts.tsx";
import { latencyScale } from "../../../charts/overview/paint-latency.ts";
import { TableIcon } from "../../../frame/icons.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { Segmented, Value } from "../../../ui/controls.tsx";
import { Term, termProps } from "../../../ui/term.tsx";
import type { TermId } from "../../../messages/terms.ts";
import { durationText, formatCount, formatDuration, formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { LatencyTable } from "./chart-tables.tsx";
import { GroundLabels } from "./ground-labels.tsx";
import { backedPercentiles } from "../../capture-view/figures.ts";
import { databaseName } from "../../capture-view/databases.ts";
import { phaseIndex } from "../../capture-view/phases.ts";
import { useBins, useLatencyAnswers } from "./use-chart-answers.ts";
import { emptyChartsNote } from "./empty-charts.ts";
import { useOverview } from "../overview-context.ts";
import { ChartHead, type ChartBlockProps, PlotArea, PlotNote, RowName, ScaleLabels } from "./plot-area.tsx";
import { SwitchPlates } from "./switch-lines.tsx";
import styles from "./charts.module.css";

const METRIC_WORDS: Readonly<Record<Metric, string>> = {
  commit: texts.commitLatency,
  harden: texts.remoteHarden,
};
const METRIC_TERMS: Readonly<Record<Metric, TermId>> = { commit: "commit", harden: "remoteHarden" };
const NO_SAMPLES: Samples = { at: new Float64Array(), value: new Float64Array() };

interface Props extends ChartBlockProps {
  /** Switches between figures and drawings. */
  readonly onTables: () => void;
}

/** Latency over time: single commits, and percentiles of those around them. */
export function LatencyBlock({ width, height, drag, asTables, onTables }: Props): ReactNode {
  const { summary, view } = useCapture();
  const { scale, ground, bins, dots, domain, metric, setMetric, statistics, databases } = useOverview();
  const name = METRIC_WORDS[metric];
  return (
    <>
      <ChartHead
        title={<Term id={METRIC_TERMS[metric]}>{name}</Term>}
        legend={
          <>
            {databases.length > 0 ? <span>{texts.oneRowPerDatabase}</span> : null}
            <LatencyLegend metric={metric} />
          </>
        }
        readout={<LatencyReadout width={width} />}
      >
        <Segmented
          label={texts.latencyOf}
          value={metric}
          options={[
            { value: "commit", label: texts.commit, term: "commit" },
            { value: "harden", label: texts.remoteHarden, term: "remoteHarden" },
          ]}
          onChange={setMetric}
        />
        <button
          type="button"
          className={styles.asTable}
          aria-label={asTables ? texts.showAsCharts : texts.showAsTable}
          title={asTables ? texts.showAsCharts : texts.showAsTable}
          aria-pressed={asTables}
          onClick={onTables}
        >
          <TableIcon />
        </button>
      </ChartHead>
      <Problem sentence={dots.error} onRetry={dots.retry} />
      {asTables ? (
        <LatencyTable bins={bins} />
      ) : databases.length > 0 ? (
        databases.map((database) => (
          <DatabaseLatency key={database} {...{ database, width, height, drag, name }} />
        ))
      ) : (
        <PlotArea
          drag={drag}
          width={width}
          sentence={latencySentence(metric, scale, statistics.value, view.secondary)}
          name={name}
          over={<Spot width={width} height={height} />}
        >
          <ScaleLabels labels={durationLabels(domain, height)} />
          <LatencyChart {...{ ground, bins, domain, height }} range={scale} dots={dots.value ?? NO_SAMPLES} />
          <GroundLabels width={width} />
          <SwitchPlates width={width} />
          <PlotNote text={emptyChartsNote(summary, view.secondary)?.latency} />
        </PlotArea>
      )}
    </>
  );
}

/** Latencies of one database, on the scale that all of them share. @param height of its row, px */
export function DatabaseLatency({
  database,
  width,
  height,
  drag,
  name,
}: Pick<Props, "width" | "height" | "drag"> & {
  readonly database: number;
  readonly name: string;
}): ReactNode {
  const { source, summary, view } = useCapture();
  const { scale, ground, domain, metric, breaks } = useOverview();
  const scope = { database, phase: phaseIndex(summary, view.phase) };
  const answers = useLatencyAnswers(source.scoped(scope), scale, metric);
  const bins = useBins(answers, scale, metric, breaks);
  const { dots } = answers;
  const own = databaseName(summary, database) ?? "";
  return (
    <>
      <Problem sentence={dots.error} onRetry={dots.retry} />
      <PlotArea
        drag={drag}
        width={width}
        sentence={texts.inView(own, formatCount(bins.reduce((sum, { n }) => sum + n, 0)))}
        name={`${name}, ${own}`}
      >
        <ScaleLabels labels={durationLabels(domain, height).filter(({ y }) => y > ROW_NAME_PX)} />
        <RowName>{own}</RowName>
        <LatencyChart {...{ ground, bins, domain, height }} range={scale} dots={dots.value ?? NO_SAMPLES} />
        <GroundLabels width={width} />
        <SwitchPlates width={width} />
      </PlotArea>
    </>
  );
}

/** Minimum distance of a scale label from the top, where the row's name is, px. */
const ROW_NAME_PX = 20;

/** Labels of a logarithmic axis of durations, at their heights. */
export function durationLabels(
  domain: readonly [number, number],
  height: number,
): { y: number; text: string }[] {
  return durationTicks(...domain)
    .filter(({ label }) => label !== "")
    .map(({ at, label }) => ({
      y: Math.min(height - 5, Math.max(6, latencyScale(domain, height)(at))),
      text: label,
    }));
}

/** Description of the chart for screen readers. */
export function latencySentence(
  metric: Metric,
  { from, to }: TimeRange,
  statistics: RangeStatistics | null,
  secondary: number,
): string {
  const figures =
    metric === "commit" ? statistics?.commitLatency : statistics?.stages[secondary]?.["remoteHarden"];
  const period = texts.over(METRIC_WORDS[metric], durationText(to - from));
  if (!figures || figures.n === 0) return texts.nothingToMeasure(period);
  const backed = backedPercentiles(figures);
  const named = (["p50", "p95", "max"] as const).filter((name) => backed[name] !== null);
  const words = named.map((name) => `${named.length === 1 ? "" : `${name} `}${durationText(backed[name])}`);
  return `${period}: ${words.join(", ")} of ${plural(figures.n, metric === "commit" ? "# commit" : "# block")}.`;
}

/** Ring around the commit that the readout names. */
export function Spot({ width, height }: { readonly width: number; readonly height: number }): ReactNode {
  const { cursor, dots, scale, domain } = useOverview();
  const sample = cursor === null || !dots.value ? null : sampleNear(dots.value, scale, cursor, width);
  if (!sample) return null;
  return (
    <div
      className={styles.spot}
      style={{ left: xOf({ ...scale, width }, sample.at), top: latencyScale(domain, height)(sample.value) }}
    />
  );
}

/** Meaning of bands, line and dots. */
export function LatencyLegend({ metric }: { readonly metric: Metric }): ReactNode {
  return (
    <span className={styles.legend} aria-hidden="true">
      <span {...termProps("p50")}>
        <i className={styles.line} /> p50
      </span>
      <span {...termProps("p95")}>
        <i className={`${styles.band} p95`} /> {texts.toP95}
      </span>
      <span {...termProps("p99")}>
        <i className={`${styles.band} ${styles.p99}`} /> {texts.toP99}
      </span>
      <span {...termProps(metric === "commit" ? "commit" : "remoteHarden")}>
        <i className={styles.dot} /> {metric === "commit" ? texts.oneCommit : texts.oneBlock}
      </span>
    </span>
  );
}

/** Instant, percentiles and the commit at the cursor. */
function LatencyReadout({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { cursor, scale, bins, dots, metric } = useOverview();
  if (cursor === null) return <span className={styles.readout} />;
  const bin = bins.find((b) => cursor >= b.from && cursor < b.to);
  const one = dots.value && sampleNear(dots.value, scale, cursor, width);
  return (
    <span className={styles.readout}>
      <b>{formatTime(summary, cursor)}</b>
      {bin && bin.p50 !== null && (
        <>
          <span>
            p50 <Value figure={formatDuration(bin.p50)} />
          </span>
          <span>
            p95 <Value figure={formatDuration(bin.p95)} />
          </span>
        </>
      )}
      {bin && <span>n {formatCount(bin.n)}</span>}
      {one !== null && <b>{texts.thisOne(metric === "commit", durationText(one.value))}</b>}
    </span>
  );
}
