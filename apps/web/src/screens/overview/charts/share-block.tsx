import type { ReactNode } from "react";
import type { Overview } from "@aglens/contract";
import { ShareChart } from "../../../charts/overview/time-charts.tsx";
import { SHARE_ORDER, stagesOf } from "../../../charts/overview/shares.ts";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { Swatch } from "../../../ui/controls.tsx";
import { Term } from "../../../ui/term.tsx";
import { formatPart } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { ShareTable } from "./chart-tables.tsx";
import { colorName } from "../../../lanes/palette.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { emptyChartsNote } from "./empty-charts.ts";
import { useOverview } from "../overview-context.ts";
import { useHasPhases } from "../phase-figures.tsx";
import { type ChartBlockProps, ChartHead, PlotArea, PlotNote, ScaleLabels } from "./plot-area.tsx";
import { type Standstill, standstillOf, standstillText } from "../../capture-view/stage-means.ts";
import styles from "./charts.module.css";

/** Stages of the time to harden on the secondary. */
export function ShareBlock({ overview, width, height, drag, asTables }: ChartBlockProps): ReactNode {
  const { summary, view } = useCapture();
  const { scale, ground, names, statistics } = useOverview();
  const standstill = standstillOf(statistics.value, view.secondary, summary);
  const hasLegend = useHasPhases();
  const labels = [
    { y: 5, text: "100 %" },
    { y: height / 2, text: "50 %" },
    { y: height - 4, text: "0 %" },
  ];
  return (
    <>
      <ChartHead
        title={<Term id="share">{texts.shareOfRemoteHarden}</Term>}
        legend={hasLegend ? <ShareLegend names={names} /> : null}
      />
      {asTables ? (
        <>
          <ShareTable overview={overview} />
          {standstill === null ? null : <p className="quiet text">{standstillText(standstill)}.</p>}
        </>
      ) : (
        <PlotArea
          drag={drag}
          width={width}
          sentence={shareSentence(overview, names, standstill)}
          name={texts.shareOfRemoteHarden}
        >
          <ScaleLabels labels={labels} />
          <ShareChart range={scale} ground={ground} overview={overview} height={height} />
          <PlotNote
            text={
              emptyChartsNote(summary, view.secondary)?.share ?? (standstill && standstillText(standstill))
            }
          />
        </PlotArea>
      )}
    </>
  );
}

/** Meaning of the colors, shown where the rail is by phase and role; otherwise the rail's lines show it. */
function ShareLegend({ names }: { readonly names: ReplicaNames }): ReactNode {
  return (
    <span className={styles.legend}>
      {SHARE_ORDER.toReversed().map((token) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {colorName(token, names)}
        </span>
      ))}
    </span>
  );
}

/** Description of the chart: the parts of the range in view, largest first. */
function shareSentence(overview: Overview, names: ReplicaNames, standstill: Standstill | null): string {
  const sums = SHARE_ORDER.map((token) => ({
    token,
    sum: stagesOf(token).reduce((sum, id) => sum + overview.stageSums[id].reduce((a, b) => a + b, 0), 0),
  })).toSorted((a, b) => b.sum - a.sum);
  const whole = sums.reduce((sum, s) => sum + s.sum, 0);
  if (whole === 0) return texts.noRemoteHarden;
  const parts = sums.map(({ token, sum }) => `${colorName(token, names)} ${formatPart(sum / whole)}`);
  const still = standstill === null ? "" : texts.whicheverPart(standstillText(standstill));
  return texts.sharesOfRemoteHarden(parts.join(", "), still);
}
