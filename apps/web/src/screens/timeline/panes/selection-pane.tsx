import { type ReactNode, useState } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { useAnswer, WHEN_DRAGGED } from "../../../data/use-answer.ts";
import { Problem } from "../../../frame/problem.tsx";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Kbd, Segmented } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatCount, formatDuration } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { backedPercentiles, commitsText, knownCommits, ratePerSecond } from "../../capture-view/figures.ts";
import { MeanBars } from "../../capture-view/mean-bars.tsx";
import { primaryMoved } from "../../capture-view/phases.ts";
import { unknownReleases } from "../../capture-view/release.ts";
import { useReplicaNames } from "../../capture-view/names.ts";
import { meansOf } from "../../capture-view/stage-means.ts";
import type { Percentile } from "../../capture-view/statistics-columns.tsx";
import { factorText, isLargeFactor, partsSentence, sideOf } from "./against.ts";
import { Answered, Facts, Readouts } from "./pane-parts.tsx";
import { PartedPane } from "./phases-pane.tsx";
import { releasedBy, ROLES } from "./released-by.ts";
import { restStatistics } from "./rest-statistics.ts";
import { stageColumn } from "./stage-columns.tsx";
import { PANE_STAGES } from "../stage-names.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { useSelectionStatistics } from "./use-selection-statistics.ts";
import type { Range } from "../viewport.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";

type Against = "view" | "capture";
/** Percentiles that the table of stages can show, in the order of the choice. */
const SHOWN = ["p50", "p95", "max"] as const satisfies readonly Percentile[];

/**
 * The selected range; by phase where roles or availability modes changed in it, because nothing is compared across a
 * change.
 */
export function SelectionPane({ selected }: { readonly selected: Range }): ReactNode {
  const { parted } = useTimelineData();
  if (parted === null) return <SelectionAgainst selected={selected} />;
  return (
    <>
      <PartedPane range={selected} parted={parted} where="selected" />
      <SelectionActions selected={selected} />
    </>
  );
}

/** Compares the selected range with the rest of the view or of the capture. */
function SelectionAgainst({ selected }: { readonly selected: Range }): ReactNode {
  const { source, summary, view } = useCapture();
  const { range, duration } = useTimelineView();
  const [against, setAgainst] = useState<Against>("view");
  const here = useSelectionStatistics();
  const whole: Range = against === "view" ? range : [0, duration];
  const asked = useAnswer(restStatistics(source, whole, selected, view.where), WHEN_DRAGGED);
  const rest = asked.value?.statistics;
  return (
    <>
      <div className={styles.againstHead}>
        <h2>{texts.inSelection}</h2>
        <span>{texts.against}</span>
        <Segmented
          label={texts.againstLabel}
          value={against}
          options={[
            { value: "view", label: texts.restOfView },
            { value: "capture", label: texts.ofCapture },
          ]}
          onChange={setAgainst}
        />
      </div>
      <Problem sentence={asked.error} onRetry={asked.retry} />
      <Answered answer={{ ...here, isStale: here.isStale || asked.isStale }}>
        {(statistics) => (
          <>
            <p className={laneFrame.sub}>
              {texts.blockRestAnd(
                durationText(selected[1] - selected[0]),
                statistics.blocks,
                commitsText(summary, statistics.commits),
                rest === undefined
                  ? ""
                  : texts.restAnd(formatCount(rest.blocks), formatCount(knownCommits(summary, rest.commits))),
              )}
            </p>
            {statistics.blocks === 0 ? (
              <p className={laneFrame.sub}>{texts.percentilesNeedBlocks}</p>
            ) : (
              <Figures selected={statistics} rest={rest ?? null} restUs={asked.value?.us ?? 0} />
            )}
          </>
        )}
      </Answered>
      <SelectionActions selected={selected} />
    </>
  );
}

interface Both {
  readonly selected: RangeStatistics;
  /** null until it is loaded. */
  readonly rest: RangeStatistics | null;
}

function Figures({ selected, rest, restUs }: Both & { readonly restUs: number }): ReactNode {
  const { summary, view } = useCapture();
  const given = useReplicaNames();
  const names = primaryMoved(summary) ? ROLES : given;
  const sentence = partsSentence(
    sideOf(selected, view.secondary),
    sideOf(rest, view.secondary),
    names,
    summary,
  );
  return (
    <>
      <Readouts
        figures={selected.commitLatency}
        shown={SHOWN}
        prefix="commit "
        single="commit"
        rest={rest && rest.commitLatency}
      />
      {sentence === null ? null : (
        <p className={styles.note} data-bad="true">
          <b>{sentence.here}</b> {sentence.there}
        </p>
      )}
      <MeansOfBoth selected={selected} rest={rest} />
      <StagesOfBoth selected={selected} rest={rest} names={names} />
      <FactsOfBoth selected={selected} rest={rest} restUs={restUs} />
    </>
  );
}

/** Mean remote harden of both on one scale. */
function MeansOfBoth({ selected, rest }: Both): ReactNode {
  const { view } = useCapture();
  const bars = [
    { name: "Selection", ...sideOf(selected, view.secondary) },
    { name: "Rest", ...sideOf(rest, view.secondary) },
  ].flatMap(({ name, stages, paused }) => {
    const us = stages?.remoteHarden?.mean ?? null;
    const label = texts.meanRemoteHarden(name);
    return us === null
      ? []
      : [{ name: texts.meanRemoteHardenOf(name), us, stages: meansOf(stages), paused, label }];
  });
  return <MeanBars names="above" bars={bars} />;
}

function StagesOfBoth({ selected, rest, names }: Both & { readonly names: ReplicaNames }): ReactNode {
  const { view } = useCapture();
  const [percentile, setPercentile] = useState<(typeof SHOWN)[number]>("p50");
  const [here, there] = [selected.stages[view.secondary], rest?.stages[view.secondary]];
  const figureOf = (figures: RangeStatistics["commitLatency"] | undefined): number | null => {
    if (figures === undefined || figures.n === 0) return null;
    // A single value is not a percentile, but it is the only figure.
    return figures.n === 1 ? figures.max : backedPercentiles(figures)[percentile];
  };
  const rows = PANE_STAGES.filter((id) => (here?.[id]?.n ?? 0) > 0).map((id) => ({
    id,
    mine: figureOf(here?.[id]),
    other: figureOf(there?.[id]),
  }));
  return (
    <>
      <Segmented
        label={texts.figureOfStages}
        value={percentile}
        options={SHOWN.map((value) => ({ value, label: value }))}
        onChange={setPercentile}
      />
      <FigureTable<(typeof rows)[number]>
        data-names="wrap"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          stageColumn(`Stage, ${percentile}`, names),
          { id: "Selection", cell: ({ mine }) => formatDuration(mine) },
          { id: "Rest", cell: ({ other }) => formatDuration(other) },
          {
            id: "Factor",
            cell: ({ mine, other }) => factorText(mine, other),
            cellProps: ({ mine, other }) => ({ "data-strong": isLargeFactor(mine, other) }),
          },
        ]}
      />
    </>
  );
}

function FactsOfBoth({ selected, rest, restUs }: Both & { readonly restUs: number }): ReactNode {
  const { summary, view } = useCapture();
  const rate = ratePerSecond(selected.blocks, selected.to - selected.from);
  const unreleased = unknownReleases(selected.commits, selected.gates);
  const restRate = rest && ratePerSecond(rest.blocks, restUs);
  const ofCommits = (n: number): string => `${formatCount(n)} of ${formatCount(selected.commits)}`;
  const ofRest = (gate: number): string =>
    rest === null ? "" : texts.restOf(formatCount(rest.gates[gate]), formatCount(rest.commits));
  return (
    <Facts
      facts={[
        ...selected.gates.map(
          (n, gate) => [releasedBy(summary, gate), n === 0 ? null : ofCommits(n) + ofRest(gate)] as const,
        ),
        [texts.releaseNotKnown, unreleased === 0 ? null : ofCommits(unreleased)],
        [
          texts.logBlocksPerSecond,
          rate === null || view.where !== null
            ? null
            : `${rate}${restRate === null ? "" : texts.restPart(restRate)}`,
        ],
      ]}
    />
  );
}

function SelectionActions({ selected }: { readonly selected: Range }): ReactNode {
  const { open } = useCapture();
  const { selection } = useTimelineSelection();
  return (
    <div className={styles.actions}>
      <Button kind="primary" onClick={selection.fit}>
        {texts.zoom} <Kbd>f</Kbd>
      </Button>
      <Button onClick={() => selection.toSlow(1)}>
        {texts.slowest} <Kbd>n</Kbd>
      </Button>
      <Button onClick={() => open("compare", { sideA: selected, sideB: null })}>{texts.compare}</Button>
    </div>
  );
}
