import type { ReactNode, RefCallback } from "react";
import type { ReplicaRows } from "@aglens/contract";
import { LatencyChart } from "../../../charts/overview/time-charts.tsx";
import type { Samples } from "../../../charts/overview/latency-bins.ts";
import { Problem } from "../../../frame/problem.tsx";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { Value } from "../../../ui/controls.tsx";
import { formatCount, formatDuration } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { isFullRange } from "../../capture-view/shown-range.ts";
import { unknownReleases } from "../../capture-view/release.ts";
import { GroundLabels } from "./ground-labels.tsx";
import { DatabaseLatency, durationLabels, LatencyLegend, latencySentence, Spot } from "./latency-block.tsx";
import { emptyChartsNote } from "./empty-charts.ts";
import { useOverview } from "../overview-context.ts";
import { PathColors } from "./path-colors.tsx";
import { PlotArea, PlotNote, ScaleLabels, type ChartBlockProps } from "./plot-area.tsx";
import { rowHeights, useHeights } from "./use-heights.ts";
import styles from "../replica-matrix.module.css";
import { Term } from "../../../ui/term.tsx";

/** Properties of the plots that all rows of the matrix share. */
export type MatrixPlot = Pick<ChartBlockProps, "width" | "drag">;

interface Props {
  readonly rows: ReplicaRows;
  readonly plot: MatrixPlot;
  /** The element that determines the width of all plots. */
  readonly setPlot: RefCallback<HTMLDivElement>;
}

const NO_SAMPLES: Samples = { at: new Float64Array(), value: new Float64Array() };
const PERCENTILES = ["p50", "p95", "p99", "max"] as const;
/** The matrix has other rows to show, so its first chart is lower than the overview's. */
const HEIGHT_SHARE = 0.7;

/** Commit latency over time with its figures, and the meaning of the path colors. */
export function LatencyRow({ rows, plot, setPlot }: Props): ReactNode {
  const { summary, view } = useCapture();
  const { databases } = useOverview();
  const { count, gates } = summary.commits;
  // In a part of the time, releases are counted at their own time, not at the beginning of their commits.
  const unreleased = isFullRange(view, summary) ? unknownReleases(count, gates) : 0;
  return (
    <tbody>
      <tr className={styles.latency}>
        <th scope="row">
          <h2>
            <Term id="commit">{texts.commitLatency}</Term>
          </h2>
          <small>{texts.commits(formatCount(rows.latency.n))}</small>
          {unreleased > 0 && <small>{texts.releaseOfNotKnown(formatCount(unreleased))}</small>}
          {databases.length > 0 && <small>{texts.oneRowPerDatabasePart}</small>}
          <LatencyLegend metric="commit" />
        </th>
        <td className={styles.plot}>
          <div ref={setPlot}>
            {databases.length > 0 ? <LatencyOfDatabases {...plot} /> : <LatencyOfAll {...plot} />}
          </div>
        </td>
        <td colSpan={2} className={styles.percentiles}>
          <dl>
            {PERCENTILES.map((name) => (
              <div key={name}>
                <dt>
                  <Term id={name}>{name}</Term>
                </dt>
                <dd>
                  <Value figure={formatDuration(rows.latency[name])} />
                </dd>
              </div>
            ))}
          </dl>
        </td>
        <td colSpan={3} className={styles.colorsCell}>
          <PathColors />
        </td>
      </tr>
    </tbody>
  );
}

function LatencyOfAll(plot: MatrixPlot): ReactNode {
  const { summary, view } = useCapture();
  const { scale, ground, bins, dots, domain, statistics } = useOverview();
  const height = Math.round(useHeights().latency * HEIGHT_SHARE);
  return (
    <>
      <Problem sentence={dots.error} onRetry={dots.retry} />
      <PlotArea
        {...plot}
        sentence={latencySentence("commit", scale, statistics.value, view.secondary)}
        name={texts.commitLatency}
        over={<Spot width={plot.width} height={height} />}
      >
        <ScaleLabels labels={durationLabels(domain, height)} />
        <LatencyChart {...{ ground, bins, domain, height }} range={scale} dots={dots.value ?? NO_SAMPLES} />
        <GroundLabels width={plot.width} />
        <PlotNote text={emptyChartsNote(summary, view.secondary)?.latency} />
      </PlotArea>
    </>
  );
}

/** A row for each database, all on the scale of the slowest one. */
function LatencyOfDatabases(plot: MatrixPlot): ReactNode {
  const { databases } = useOverview();
  const { latency } = rowHeights(useHeights(), databases.length);
  return databases.map((database) => (
    <DatabaseLatency
      key={database}
      database={database}
      height={Math.round(latency * HEIGHT_SHARE)}
      name={texts.commitLatency}
      {...plot}
    />
  ));
}
