import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import { type EqualBlock, equalBlocksInView, equalMarks } from "../../../charts/timeline/equal-lsn-marks.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { formatCount, formatOffset } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { databaseName } from "../../capture-view/databases.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import styles from "./markers-lane.module.css";

/** The blocks in view that share their LSN with a block of another database there; null where no block does. */
export function useEqualLsns(): readonly EqualBlock[] | null {
  const { equalLsns } = useTimelineData();
  const { range } = useTimelineView();
  const { sequence } = useTimelineSelection();
  const selected = sequence.value?.lsn ?? null;
  return useMemo(() => {
    const inView = equalBlocksInView(equalLsns, range, selected);
    return inView.length === 0 ? null : inView;
  }, [equalLsns, range, selected]);
}

/** LSNs that name a block in several databases: a mark for each block, which a press selects. `width` of the plot, px. */
export function EqualLsnsLane({ width }: { readonly width: number }): ReactNode {
  const { summary, view } = useCapture();
  const { range } = useTimelineView();
  const { sequence, selection } = useTimelineSelection();
  const inView = useEqualLsns();
  if (inView === null || width < 1) return null;
  const nameOf = (database: number): string => databaseName(summary, database) ?? "";
  const selected = sequence.value?.lsn ?? null;
  const marks = equalMarks(inView, range, width, selected, nameOf);
  const count = new Set(inView.map(({ lsn }) => lsn)).size;
  // Tab reaches one of them, arrow keys the others.
  const first = Math.max(
    0,
    marks.findIndex(({ row }) => row === view.block),
  );
  return (
    <div className={styles.markers}>
      <span>
        <b id="equal-lsns-name">{texts.equalLsns}</b>
        <small>{texts.inSeveralTwoDatabases(formatCount(count), summary.databases.length)}</small>
      </span>
      <div style={{ width }}>
        {marks.length > 0 ? null : <p>{texts.tooMany}</p>}
        <ul aria-labelledby="equal-lsns-name">
          {marks.map(({ row, lsn, database, time, x, name, isNameBefore }, i) => (
            <li key={row} data-kind="equalLsn" style={{ left: x }}>
              <button
                type="button"
                tabIndex={i === first ? 0 : -1}
                aria-pressed={row === view.block}
                aria-label={`${lsn} ${nameOf(database)}, ${formatOffset(summary, time)}`}
                title={texts.eachDatabase(lsn, nameOf(database))}
                onClick={() => selection.select(row)}
                onKeyDown={toNeighbor}
              />
              {name === null ? null : (
                <span aria-hidden="true" data-before={isNameBefore}>
                  <code>{lsn}</code> <b>{nameOf(database)}</b>
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Arrow keys move from mark to mark instead of panning. */
function toNeighbor(event: KeyboardEvent<HTMLButtonElement>): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const mark = event.currentTarget.closest("li");
  const next = by > 0 ? mark?.nextElementSibling : mark?.previousElementSibling;
  next?.querySelector("button")?.focus();
}
