import type { ReactNode } from "react";
import { hasReplicaMatrix } from "@aglens/contract";
import { Problem } from "../../frame/problem.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { useMedia } from "../../ui/use-media.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { ChartPanel } from "./charts/chart-panel.tsx";
import { ChartsPending } from "./charts/charts-pending.tsx";
import { DatabaseFigures } from "./database-figures.tsx";
import { EmptyRange } from "./empty-range.tsx";
import { MarksCard } from "./marks-card.tsx";
import { OverviewContext, useOverview } from "./overview-context.ts";
import { OverviewStatus } from "./overview-status.tsx";
import { LogWrites, MeanRemoteHarden, SsmsAverages } from "./rail.tsx";
import { ReplicaMatrix } from "./replica-matrix.tsx";
import { PhaseFigures, useHasPhases } from "./phase-figures.tsx";
import { PhoneMinimap } from "./phone-minimap.tsx";
import { SlowestCard } from "./slowest-card.tsx";
import { panelHeight, useHeights } from "./charts/use-heights.ts";
import { useOpenOverview, useOverviewKeys } from "./use-open-overview.ts";
import { VerdictBand } from "./verdict-band.tsx";
import { ViewBar } from "./view-bar.tsx";
import { WatchBand } from "./watch-band.tsx";

import chartStyles from "./charts/charts.module.css";
import styles from "./overview-screen.module.css";

/** Screens whose rail has space for the averages as SSMS reports them; on others these are below the slowest blocks. */
const ROOM_IN_RAIL = "(min-width: 1680px), (min-width: 1024px) and (max-width: 1279px)";

/** Verdict, latency over time, stages of the path, and the slowest blocks of the range in view. */
export function OverviewScreen(): ReactNode {
  const { summary } = useCapture();
  const hasRail = useMedia(ROOM_IN_RAIL);
  const overview = useOpenOverview();
  useOverviewKeys(overview);
  return (
    <OverviewContext value={overview}>
      <div className="narrows">
        <WatchBand />
        <VerdictBand />
        <ViewBar />
        <div className={styles.overviewGrid}>
          {hasReplicaMatrix(summary) ? <ReplicaMatrix /> : <OneSecondary hasRail={hasRail} />}
          <SlowestCard />
          {hasReplicaMatrix(summary) ? <Averages /> : hasRail ? null : <BelowTheTable />}
        </div>
      </div>
      <OverviewStatus />
    </OverviewContext>
  );
}

/** Charts of the path to the secondary, with its averages next to them. */
function OneSecondary({ hasRail }: { readonly hasRail: boolean }): ReactNode {
  const { databases } = useOverview();
  const byPhase = useHasPhases();
  return (
    <>
      <div className={styles.overviewMain}>
        <Charts />
      </div>
      <aside className={styles.rail} aria-label={texts.averages}>
        <PhoneMinimap />
        {byPhase ? <PhaseFigures /> : databases.length > 0 ? <DatabaseFigures /> : <MeanRemoteHarden />}
        <MarksCard />
        {byPhase || databases.length > 0 ? null : <LogWrites />}
        {hasRail ? <SsmsAverages /> : null}
      </aside>
    </>
  );
}

/** Averages that do not fit in the rail. */
const BelowTheTable = (): ReactNode => (
  <aside className={`${styles.rail} ${styles.below}`} aria-label={texts.moreAverages}>
    <SsmsAverages />
  </aside>
);

/** Averages under the rows of replicas; with one secondary the rail has them next to the charts. */
function Averages(): ReactNode {
  const { databases } = useOverview();
  const byPhase = useHasPhases();
  return (
    <aside className={`${styles.rail} ${styles.below}`} aria-label={texts.averages}>
      {byPhase ? <PhaseFigures /> : null}
      {databases.length > 0 ? <DatabaseFigures /> : <LogWrites />}
      <MarksCard />
      <SsmsAverages />
    </aside>
  );
}

/** The charts of the range in view, or the reason why there are no charts. */
function Charts(): ReactNode {
  const { summary } = useCapture();
  const { overview } = useOverview();
  const heights = useHeights();
  if (overview.value === null && overview.error === null) return <ChartsPending heights={heights} />;
  if (overview.value === null) {
    return (
      <div className={`card ${chartStyles.charts}`} style={{ minHeight: panelHeight(heights) }}>
        <Problem sentence={overview.error} onRetry={overview.retry} />
      </div>
    );
  }
  return (
    <>
      <Problem sentence={overview.error} onRetry={overview.retry} />
      {summary.blocks.total > 0 ? <ChartPanel overview={overview.value} heights={heights} /> : null}
      {overview.value.blocks.every((n) => n === 0) ? <EmptyRange /> : null}
    </>
  );
}
