/** Common parts of the lists of slow blocks and of slow commits: the bar above them, their keys, their range. */
import { type ReactNode, useEffect } from "react";
import type { SlowBlocks, SlowCommits } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import { useCommand } from "../../data/use-command.ts";
import { saveFile } from "../../frame/save-file.ts";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { shownRange } from "../capture-view/shown-range.ts";
import type { SlowBlockList } from "../slowest/use-slow-blocks.ts";
import type { SlowCommitList } from "../slowest/use-slow-commits.ts";
import { useSlowestKeys } from "../slowest/use-slowest-keys.ts";
import { tableFile } from "../capture-view/table-file.ts";
import { RangeChip, RowsChoice } from "./range-chip.tsx";
import { around, useBack } from "./ways.ts";
import styles from "./raw.module.css";

/** The range that is listed. */
export function useListedRange(): TimeRange {
  const { summary, view } = useCapture();
  const [from, to] = shownRange(view, summary);
  return { from, to };
}

interface Props {
  readonly table: "blocks" | "commits";
  readonly range: TimeRange;
  /** Total number of rows; null until it is known. */
  readonly total: number | null;
  readonly children?: ReactNode;
}

/** The kind of rows, their range and their number, and a button that saves all of them. */
export function ListBar({ table, range, total, children }: Props): ReactNode {
  const { view } = useCapture();
  return (
    <div className={styles.bar}>
      <RowsChoice />
      <RangeChip />
      {children}
      <output>
        {total === null ? (
          "–"
        ) : (
          <>
            <b>{formatCount(total)}</b> {texts.ofTheFilter(table, view.where === null, table === "blocks")}
          </>
        )}
      </output>
      <TableCsv table={table} range={range} />
    </div>
  );
}

/** Saves the table of the range as CSV; absent behind a link. */
function TableCsv({ table, range }: Pick<Props, "table" | "range">): ReactNode {
  const file = tableFile(useCapture(), table, "csv", range);
  const { run, isRunning, error } = useCommand(async () => {
    if (file !== null) saveFile(await file.ask(new AbortController().signal));
  });
  if (file === null) return null;
  return (
    <>
      <Button title={texts.saveAll(table)} aria-busy={isRunning} onClick={() => run()}>
        CSV
      </Button>
      <span aria-live="polite">{error}</span>
    </>
  );
}

/** Keys: n, p, J and K move along the rows, Enter opens a block, L shows it on the timeline. */
export function useListKeys(list: SlowBlockList | SlowCommitList): void {
  const { summary, view, open, setStatus } = useCapture();
  const keys = useSlowestKeys(list);
  const back = useBack();
  const at = timeOf(list.answer.value, view.block);
  useKeys({
    ...keys,
    ...(keys.nextSlow === undefined ? {} : { nextEvent: keys.nextSlow }),
    ...(keys.previousSlow === undefined ? {} : { previousEvent: keys.previousSlow }),
    timelineAt: () => at !== null && open("timeline", around(summary, at)),
    back,
  });
  useEffect(() => {
    setStatus(
      <>
        <span>
          <Kbd>n</Kbd> <Kbd>p</Kbd> {texts.nextPrevious}
        </span>
        <span>
          <Kbd>Enter</Kbd> {texts.sequenceOfItsBlock}
        </span>
        <span>
          <Kbd>L</Kbd> {texts.timelinePart}
        </span>
      </>,
      texts.sessionIdsWhere,
    );
  }, [setStatus]);
}

/** Beginning of the selected block's row, µs; null without a selection. */
function timeOf(list: SlowBlocks | SlowCommits | null, block: number | null): number | null {
  if (list === null || block === null) return null;
  for (const row of list.rows) {
    if (!("start" in row)) {
      if (row.row === block) return row.time;
    } else if (row.block === block) return row.start;
  }
  return null;
}
