import { type ReactNode, useEffect, useState } from "react";
import { isWritePart } from "@aglens/ag-model/replication";
import type { Distribution } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { Button, Card, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { formatCount, formatUncertainty } from "../../ui/words.ts";
import type { View } from "../../state/view.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { shownRange, WHOLE_CAPTURE, fullRangeOf } from "../capture-view/shown-range.ts";
import { commitsText } from "../capture-view/figures.ts";
import { useRoleNames } from "../capture-view/names.ts";
import { BinTable } from "./bin-table.tsx";
import { DistributionChoices } from "./distribution-choices.tsx";
import { isLogWrite, distributionStageName } from "../capture-view/stage-means.ts";
import { FiguresCard } from "./figures-card.tsx";
import { HeatCard } from "./heat-card.tsx";
import { SizeCard } from "./size-card.tsx";
import { StageRows } from "./stage-rows.tsx";
import styles from "./distribution.module.css";
import { FigureTerm } from "../../ui/term.tsx";

/** Pause before a request, ms, because a dragged range, or keys that step through stages, send many requests. */
const PAUSE_MS = 60;

/** Durations of each stage over all blocks: histograms of all stages, one of them also by time and by size. */
export function DistributionScreen(): ReactNode {
  const { source, summary, view } = useCapture();
  const [from, to] = shownRange(view, summary);
  const answer = useAnswer(
    source.distribution({
      range: { from, to },
      other: view.other === null ? null : { from: view.other[0], to: view.other[1] },
      secondary: view.secondary,
      axis: view.axis,
      stage: view.stage,
    }),
    { pauseMs: PAUSE_MS },
  );
  const { error, isStale, retry } = answer;
  const value = answer.value === null ? null : shownRows(answer.value, view);
  useStageKeys(value);
  useStatus(value);
  return (
    <div className={styles.screen} aria-busy={error === null && (value === null || isStale)}>
      <h1 className="sr-only">{texts.distributionOfDurations}</h1>
      <Problem sentence={error} onRetry={retry} />
      {value === null ? <Placeholder hasFailed={error !== null} /> : <Answered value={value} />}
    </div>
  );
}

/** Rows of parts are shown while log writes are split, and where one is chosen. */
const shownRows = (value: Distribution, { split, stage }: Pick<View, "split" | "stage">): Distribution =>
  split === "log"
    ? value
    : { ...value, rows: value.rows.filter((row) => !isWritePart(row.stage) || row.stage === stage) };

/** Reserves the space of the cards, so that nothing moves when the answer arrives. */
function Placeholder({ hasFailed }: { readonly hasFailed: boolean }): ReactNode {
  return (
    <div className={styles.grid}>
      <Card
        className={styles.placeholder}
        title={texts.durationPerStage}
        aside={hasFailed ? undefined : texts.reading}
      >
        {null}
      </Card>
      <Card title={texts.percentiles}>{null}</Card>
    </div>
  );
}

function Answered({ value }: { readonly value: Distribution }): ReactNode {
  const { summary, setView, view } = useCapture();
  const names = useRoleNames();
  const [asTable, setAsTable] = useState(false);
  const chosen = value.rows.find(({ stage }) => stage === view.stage) ?? value.rows[0]!;
  const rangeIsEmpty = value.rows.every(({ ranges: [range] }) => range!.n + range!.missing === 0);
  const name = distributionStageName(chosen.stage, names);
  return (
    <>
      <div className={styles.grid}>
        <Card>
          <DistributionChoices value={value} asTable={asTable} onTable={() => setAsTable(!asTable)} />
          {rangeIsEmpty ? (
            <p className={styles.empty}>
              {texts.noLogBlock}{" "}
              <Button onClick={() => setView({ range: fullRangeOf(summary) })}>{WHOLE_CAPTURE}</Button>
            </p>
          ) : asTable ? (
            <BinTable value={value} chosen={chosen} name={name} />
          ) : (
            <StageRows value={value} chosen={chosen.stage} />
          )}
        </Card>
        <FiguresCard value={value} isSplit={view.split === "log"} />
      </div>
      <div className={isLogWrite(chosen.stage) ? styles.below : styles.belowOne}>
        <HeatCard value={value} name={name} asTable={asTable} />
        {value.sizes === null ? null : (
          <SizeCard sizes={value.sizes} stage={value.stage} name={name} asTable={asTable} />
        )}
      </div>
    </>
  );
}

function useStageKeys(value: Distribution | null): void {
  const { view, setView, open } = useCapture();
  const stages = value?.rows.map(({ stage }) => stage) ?? [];
  const choose = (index: number): void => {
    const stage = stages[index];
    if (stage !== undefined) setView({ stage }, "replace");
  };
  const step = (by: 1 | -1) => (event: KeyboardEvent) => {
    event.preventDefault();
    choose(stages.indexOf(view.stage) + by);
  };
  useKeys({
    stageRow: ({ key }) => choose(Number(key) - 1),
    previousStage: step(-1),
    nextStage: step(1),
    splitWrites: () => setView({ split: view.split === "log" ? null : "log" }),
    open: () => open("timeline"),
    back: () => open("overview"),
  });
}

function useStatus(value: Distribution | null): void {
  const { summary, view, setStatus } = useCapture();
  const ofStage = (id: string) => value?.rows.find(({ stage }) => stage === id)?.ranges[0];
  const [blocks, commits] = [ofStage("localFlush"), ofStage("commit")];
  const counts =
    value === null
      ? null
      : texts.blocks(
          formatCount((blocks?.n ?? 0) + (blocks?.missing ?? 0)),
          commitsText(summary, (commits?.n ?? 0) + (commits?.missing ?? 0)),
        );
  const isSplit = (value?.splits.length ?? 0) > 0;
  const clock = summary.clocks.find(({ secondary }) => secondary === view.secondary);
  const uncertainty = clock?.status === "aligned" ? clock.strictUncertaintyUs : null;
  useEffect(() => {
    if (counts === null) {
      setStatus(null);
      return;
    }
    setStatus(
      <>
        <span>{counts}</span>
        <span>
          <Kbd>1</Kbd> {texts.toPart} <Kbd>9</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> {texts.stagePart}
        </span>
        <span>{texts.dragOverBarsFilter}</span>
        {isSplit ? (
          <span>
            <Kbd>s</Kbd> {texts.splitOnOff}
          </span>
        ) : null}
        <span>
          <Kbd>Esc</Kbd> {texts.overview}
        </span>
      </>,
      uncertainty === null || uncertainty === undefined ? null : (
        <FigureTerm>{texts.networkRoundTrip(formatUncertainty(uncertainty))}</FigureTerm>
      ),
    );
  }, [setStatus, counts, isSplit, uncertainty]);
}
