/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table of text would not be a grid of choices; cells select blocks */
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import type { Lane } from "../../../lanes/lanes.ts";
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import { positionOf, type Buffer } from "../../../charts/timeline/spans.ts";
import { formatOffset } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { classWord, laneText, lengthText } from "./block-tip.tsx";
import { cellsAround, type FocusedCell, stepOf } from "./grid-cells.ts";
import { selectedRows } from "../panes/selected-rows.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { barSpan, blockSpan, rowAt } from "../../../charts/timeline/buffered.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";

const MOST_CELLS = 200;

/**
 * The lanes as a grid for the keyboard and for screen readers: rows are lanes, cells blocks, at most 200 of them around
 * the one in focus. Arrows walk every block of the buffer; the canvas draws the ring.
 */
export function BlockGrid(): ReactNode {
  const { summary, view } = useCapture();
  const { range } = useTimelineView();
  const { selection, focus } = useTimelineSelection();
  const {
    buffer: { value: buffer },
    lanes: { shown },
  } = useTimelineData();
  const { cell: focused, focusCell } = focus;
  const grid = useRef<HTMLDivElement>(null);
  const lanes = useMemo(() => shown.filter((l) => l.shape !== "commits"), [shown]);
  const blocks = buffer?.blocks?.blocks;
  const inView = useMemo(
    () =>
      blocks
        ? ([firstAtOrAfter(blocks.time, range[0]), firstAtOrAfter(blocks.time, range[1])] as const)
        : null,
    [blocks, range],
  );
  // Keys change the cell; the browser's focus follows once it exists.
  useEffect(() => {
    const holder = grid.current;
    if (focused && holder?.contains(document.activeElement))
      holder.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [focused]);

  const rows = selectedRows(view);
  // A grid must have cells; without cells a sentence replaces it.
  if (!blocks || !inView) return null;
  if (blocks.length === 0) return <p className="sr-only">{texts.noLogBlocks}</p>;
  const last = blocks.length - 1;
  const inFocus = focused ? positionOf(buffer, focused.row) : -1;
  const chosen = positionOf(buffer, view.block);
  const home = chosen >= inView[0] && chosen < inView[1] ? chosen : Math.min(last, inView[0]);
  const center = inFocus >= 0 ? inFocus : home;
  const lane = Math.max(
    0,
    lanes.findIndex((l) => l.key === focused?.key),
  );
  const most = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, lanes.length)));
  const [from, to] = cellsAround(center, [0, blocks.length], most);
  const cellAt = (laneIndex: number, position: number): FocusedCell | null => {
    const at = lanes[Math.min(lanes.length - 1, Math.max(0, laneIndex))];
    return at ? { key: at.key, row: rowAt(buffer, Math.min(last, Math.max(0, position))) } : null;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return selection.toggle(rowAt(buffer, center));
    }
    const step = event.shiftKey || event.ctrlKey || event.altKey ? null : stepOf(event.key, center, inView);
    if (step === null && event.key !== "Enter") return;
    event.preventDefault();
    if (step === null) return selection.select(rowAt(buffer, center));
    focusCell(cellAt(lane + step.lane, step.position));
  };
  return (
    <div
      ref={grid}
      className="sr-only"
      role="grid"
      tabIndex={-1}
      aria-multiselectable="true"
      aria-label={texts.blocksByLaneArrow}
      aria-colcount={blocks.length}
      aria-rowcount={lanes.length}
      onKeyDown={onKey}
      onFocus={() => focused ?? focusCell(cellAt(lane, center))}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || focusCell(null)}
    >
      {lanes.map((l, laneIndex) => (
        <div role="row" key={l.key} aria-label={laneText(l, summary)} aria-rowindex={laneIndex + 1}>
          {Array.from({ length: to - from }, (_, i) => from + i).map((p) => (
            <div
              key={p}
              role="gridcell"
              aria-colindex={p + 1}
              aria-selected={rows.includes(rowAt(buffer, p))}
              tabIndex={laneIndex === lane && p === center ? 0 : -1}
            >
              {cellText(buffer, summary, l, p)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** "SQL2 log write, 438 ms, bad, +68.18 s". */
function cellText(buffer: Buffer, summary: Summary, lane: Lane, position: number): string {
  const [start, end] = barSpan(buffer, lane.key, position) ?? [Number.NaN, Number.NaN];
  const duration = end - start;
  const [begins] = blockSpan(buffer, position) ?? [Number.NaN];
  const word =
    Number.isNaN(duration) || duration < 0
      ? null
      : classWord(duration, lane.limitUs, lane.label === "Log write");
  const parts = [laneText(lane, summary), lengthText(duration), word, formatOffset(summary, begins)];
  return parts.filter((part) => part !== null).join(", ");
}
