import type { ReactNode } from "react";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Button, Card, Kbd } from "../../ui/controls.tsx";
import { formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { uncoveredPeriods } from "../capture-view/coverage.ts";
import { HOLE_WORDS, joint, type Neighbors, neighborsOf } from "../capture-view/found-blocks.ts";
import { useOverview } from "./overview-context.ts";
import styles from "./empty-range.module.css";

/** In time that every file covers, only the block ids before and after the gap show whether blocks were lost. */
function coveredText(neighbors: Neighbors): string {
  const joined = joint(neighbors);
  if (joined === "hole") return HOLE_WORDS;
  return texts.everyFileCovers(joined === "gapless");
}

/** Shows why the range is empty, and the place of the next block. */
export function EmptyRange(): ReactNode {
  const { source, summary } = useCapture();
  const { scale, setRange } = useOverview();
  const { from, to } = scale;
  const beside = useAnswer(summary.blocks.total === 0 ? null : neighborsOf(source, scale), {
    keepsValue: false,
  });
  const { previous, next } = beside.value ?? { previous: null, next: null };
  if (summary.blocks.total === 0) {
    return (
      <Card title={texts.thisCaptureHoldsNo} className={styles.emptyRange}>
        <p>{texts.itsFilesHaveNo}</p>
      </Card>
    );
  }
  const half = (to - from) / 2;
  const showAround = (instant: number) => () => setRange([Math.max(0, instant - half), instant + half], true);
  const covered = uncoveredPeriods(summary).every(([start, end]) => end <= from || start >= to);
  return (
    <Card
      title={texts.noLogBlockBetween(formatOffset(summary, from, 1e5), formatOffset(summary, to, 1e5))}
      className={styles.emptyRange}
      data-over="true"
    >
      <p>{covered ? beside.value && coveredText(beside.value) : texts.notEveryServer}</p>
      <div className="grid-box gap-6 space-12">
        <Problem sentence={beside.error} onRetry={beside.retry} />
        {previous && (
          <Button onClick={showAround(previous.time)}>
            {texts.previousBlock(formatOffset(summary, previous.time))}
          </Button>
        )}
        {next && (
          <Button onClick={showAround(next.time)}>{texts.nextBlock(formatOffset(summary, next.time))}</Button>
        )}
        <Button onClick={() => setRange(null, true)}>
          {texts.wholeCapture} <Kbd>0</Kbd>
        </Button>
      </div>
    </Card>
  );
}
