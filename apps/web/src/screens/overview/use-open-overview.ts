import { useCallback, useMemo, useState } from "react";
import { minimapColumns, type MinimapColumns } from "@aglens/ag-model/minimap";
import {
  type BinWindow,
  type BlockWindow,
  firstView,
  type Overview,
  type SlowBlocks,
  type SlowCommits,
  type Summary,
  fullRange,
} from "@aglens/contract";
import { useCapture } from "../capture-view/capture-context.ts";
import { lostPlacesFor, overviewGround, uncoveredFor } from "../capture-view/coverage.ts";
import { databasesInRows } from "../capture-view/databases.ts";
import { useRoleNames } from "../capture-view/names.ts";
import { roleSwitches, switchPeriods } from "../capture-view/phases.ts";
import { rangeOfView, shownRange } from "../capture-view/shown-range.ts";
import { durationDomain } from "../../charts/duration-scale.ts";
import type { Ground } from "../../charts/overview/ground.ts";
import type { Metric } from "../../charts/overview/samples.ts";
import type { TimeRange } from "../../charts/time-scale.ts";
import { type Answer, useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { useSlowBlocks } from "../slowest/use-slow-blocks.ts";
import { useSlowCommits } from "../slowest/use-slow-commits.ts";
import { useSlowestKeys } from "../slowest/use-slowest-keys.ts";
import { useKeys } from "../../ui/keys.ts";
import type { OpenOverview } from "./overview-context.ts";
import { useSlowestKind } from "./slowest-card.tsx";
import { useBins, useChartAnswers } from "./charts/use-chart-answers.ts";
import { useJudged } from "./use-judged.ts";
import { useReplicaRows } from "./use-replica-rows.ts";

const MINIMAP_COLUMNS = 1_200;
/** A range that covers at least this share of the capture counts as the complete capture. */
const WHOLE_SHARE = 0.9999;

/** State and answers of the open capture's overview. */
export function useOpenOverview(): OpenOverview {
  const { source, summary, view, setView } = useCapture();
  const { secondary, metric } = view;
  const setMetric = (next: Metric): void => setView({ metric: next });
  const [hover, setHover] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const names = useRoleNames();
  const [from, to] = shownRange(view, summary);
  const scale = useMemo(() => ({ from, to }), [from, to]);
  const answers = useChartAnswers(scale, metric);
  const { overview, dots, whole } = answers;
  const ground = useGround(overview.value, scale);
  const breaks = useMemo(
    () => [...ground.idle.flatMap(([a, b]) => [a, b]), ...ground.episodes.flatMap((e) => [e.from, e.to])],
    [ground],
  );
  const bins = useBins(answers, scale, metric, breaks);
  const domain = useMemo(
    () => durationDomain([...(dots.value?.value ?? []), ...bins.map((b) => b.max)]),
    [dots.value, bins],
  );
  const minimap = useMinimap(whole, secondary, summary);
  const uncovered = useMemo(() => uncoveredFor(summary, secondary), [summary, secondary]);
  const lost = useMemo(() => lostPlacesFor(summary, secondary), [summary, secondary]);
  const switches = useMemo(() => switchPeriods(roleSwitches(summary)), [summary]);
  const statistics = useAnswer(source.statistics(scale), WHEN_DRAGGED);
  const judged = useJudged(scale, statistics);
  const replicaRows = useReplicaRows(scale);
  const slowestKind = useSlowestKind();
  const slowest = useSlowBlocks(scale, slowestKind === "blocks");
  const slowCommits = useSlowCommits(scale, slowestKind === "commits");
  const cursor = hover ?? pointed ?? selectedTime(slowest.answer.value, slowCommits.answer.value, view.block);
  const setRange = useSetRange();
  const databases = useMemo(() => databasesInRows(summary, view.database), [summary, view.database]);
  return {
    names,
    metric,
    setMetric,
    scale,
    setRange,
    ground,
    overview,
    dots,
    bins,
    breaks,
    domain,
    minimap,
    uncovered,
    lost,
    switches,
    statistics,
    judged,
    databases,
    replicaRows,
    slowest,
    slowCommits,
    cursor,
    setHover,
    setPointed,
  };
}

function useSetRange(): OpenOverview["setRange"] {
  const { summary, setView } = useCapture();
  return useCallback(
    (range, done) => {
      const isComplete = range !== null && range[1] - range[0] >= summary.durationUs * WHOLE_SHARE;
      const next =
        range === null ? null : rangeOfView(firstView(summary), isComplete ? fullRange(summary) : range);
      setView({ range: next }, done ? "push" : "replace");
    },
    [setView, summary],
  );
}

/** Periods that are drawn behind the data of the secondary that the view is about. */
function useGround(overview: Overview | null, { from, to }: TimeRange): Ground {
  const { summary, view } = useCapture();
  const { secondary } = view;
  return useMemo(
    () => overviewGround(summary, overview, secondary, { from, to }),
    [overview, summary, secondary, from, to],
  );
}

function useMinimap(
  whole: Answer<BlockWindow | BinWindow>,
  secondary: number,
  summary: Summary,
): Answer<MinimapColumns> {
  const columns = useMemo(
    () =>
      whole.value
        ? minimapColumns(whole.value, secondary, MINIMAP_COLUMNS, summary, {
            from: 0,
            to: summary.durationUs,
          })
        : null,
    [whole.value, secondary, summary],
  );
  return { ...whole, value: columns };
}

/** When the selected block, or the longest commit of it, began, if a list contains it, µs. */
function selectedTime(
  blocks: SlowBlocks | null,
  commits: SlowCommits | null,
  selected: number | null,
): number | null {
  if (selected === null) return null;
  return (
    blocks?.rows.find(({ row }) => row === selected)?.time ??
    commits?.rows.find(({ block }) => block === selected)?.start ??
    null
  );
}

/** The overview's keys: they move along the slowest blocks or commits, open one, and return to the complete capture. */
export function useOverviewKeys({ slowest, slowCommits, setRange }: OpenOverview): void {
  const { summary, view, setView } = useCapture();
  const ofList = useSlowestKeys(useSlowestKind() === "commits" ? slowCommits : slowest);
  useKeys({
    ...ofList,
    back: () => {
      if (view.block !== null) setView({ block: null });
      else if (view.where !== null) setView({ where: null });
      else setRange(null, true);
    },
    all: () => setRange(fullRange(summary), true),
  });
}
