import type { ReactNode } from "react";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button, Card, Kbd } from "../../ui/controls.tsx";
import { formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { uncoveredPeriods } from "../capture-view/coverage.ts";
import { HOLE_WORDS, joint, type Neighbors, neighborsOf } from "../capture-view/found-blocks.ts";
import { useOverview } from "./overview-context.ts";
import styles from "./empty-range.module.css";

/** In time that every file covers, only the block ids before and after the gap show whether blocks were lost. */
function coveredWords(neighbors: Neighbors): string {
  const joined = joint(neighbors);
  if (joined === "hole") return HOLE_WORDS;
  return `Every file covers this time: the database wrote no log here.${joined === "gapless" ? " Nothing was lost." : ""}`;
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
      <Card title="This capture holds no log block" className={styles.emptyRange}>
        <p>
          Its files have no event of a log block. Check that the session collects the data movement events.
        </p>
      </Card>
    );
  }
  const half = (to - from) / 2;
  const showAround = (instant: number) => () => setRange([Math.max(0, instant - half), instant + half], true);
  const covered = uncoveredPeriods(summary).every(([start, end]) => end <= from || start >= to);
  return (
    <Card
      title={`No log block between ${formatOffset(summary, from, 1e5)} and ${formatOffset(summary, to, 1e5)}`}
      className={styles.emptyRange}
      data-over="true"
    >
      <p>
        {covered
          ? beside.value && coveredWords(beside.value)
          : "Not every server has events of this time: blocks may be missing here."}
      </p>
      <div className="grid-box gap-6 space-12">
        <Problem sentence={beside.error} onRetry={beside.retry} />
        {previous && (
          <Button onClick={showAround(previous.time)}>
            Previous block, {formatOffset(summary, previous.time)}
          </Button>
        )}
        {next && (
          <Button onClick={showAround(next.time)}>Next block, {formatOffset(summary, next.time)}</Button>
        )}
        <Button onClick={() => setRange(null, true)}>
          Whole capture <Kbd>0</Kbd>
        </Button>
      </div>
    </Card>
  );
}
