/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table of text would not be a grid of choices; cells select blocks */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { BinWindow, Summary } from "@aglens/contract";
import type { Lane } from "../../../lanes/lanes.ts";
import { layoutBins, type Heat } from "../../../charts/timeline/layout.ts";
import { durationText, formatCount, formatOffset } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { classWord, laneText } from "./block-tip.tsx";
import { SLOTS, slotRange, stepOf } from "./grid-cells.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import type { Range } from "../viewport.ts";
import { heatAt } from "../../../charts/timeline/buffered.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";

/** "SQL2 log write, p50 6.65 ms, maximum 524 ms, bad, +40.00 s to +44.00 s". */
export function slotText(heat: Heat, summary: Summary, lane: Lane, range: Range, slot: number): string {
  const [from, to] = slotRange(range, slot);
  const when = `${formatOffset(summary, from)} to ${formatOffset(summary, to)}`;
  const { p50, max } = heatAt(heat, slot);
  if (Number.isNaN(max)) return texts.noLogBlock(laneText(lane, summary), when);
  const word = classWord(max, lane.limitUs, lane.label === "Log write");
  const parts = [
    laneText(lane, summary),
    `p50 ${durationText(p50)}`,
    texts.maximum(durationText(max)),
    word,
    when,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/**
 * The lanes as a grid for the keyboard and for screen readers while too many blocks are in view to load. Each cell is a
 * slot of the view with its median and maximum; Enter selects the slowest block of a cell. The canvas draws the focus
 * ring.
 */
export function BinGrid({ bins }: { readonly bins: BinWindow }): ReactNode {
  const { summary } = useCapture();
  const { range } = useTimelineView();
  const { selection, focus } = useTimelineSelection();
  const lanes = useTimelineData().lanes.shown;
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ lane: 0, slot: 0 });
  const laneAt = Math.min(at.lane, lanes.length - 1);
  const rows = useMemo(
    () =>
      lanes.map((lane) => ({
        lane,
        heat: layoutBins(bins, lane, { from: range[0], to: range[1], width: SLOTS }),
      })),
    [bins, lanes, range],
  );
  const focused = (lane: number, slot: number): void => {
    const key = lanes[lane]?.key;
    if (key !== undefined) focus.focusSlot({ key, slot });
  };
  // Keys change the cell; the browser's focus follows.
  useEffect(() => {
    const holder = grid.current;
    if (!holder?.contains(document.activeElement)) return;
    const cell = holder.children[at.lane]?.children[at.slot];
    if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
  }, [at]);
  const onKey = (event: KeyboardEvent) => {
    const plain = !event.shiftKey && !event.ctrlKey && !event.altKey;
    if (event.key === "Enter") {
      event.preventDefault();
      const lane = lanes[laneAt];
      if (lane) selection.selectSlowest(lane, slotRange(range, at.slot), !plain);
      return;
    }
    const step = plain ? stepOf(event.key, at.slot, [0, SLOTS]) : null;
    if (step === null) return;
    event.preventDefault();
    const next = {
      lane: Math.min(lanes.length - 1, Math.max(0, laneAt + step.lane)),
      slot: Math.min(SLOTS - 1, Math.max(0, step.position)),
    };
    setAt(next);
    focused(next.lane, next.slot);
  };
  return (
    <div
      ref={grid}
      className="sr-only"
      role="grid"
      tabIndex={-1}
      aria-label={texts.blocksAroundTheView(formatCount(bins.count.reduce((sum, n) => sum + n, 0)))}
      aria-colcount={SLOTS}
      aria-rowcount={lanes.length}
      onKeyDown={onKey}
      onFocus={() => focused(laneAt, at.slot)}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || focus.focusSlot(null)}
    >
      {rows.map(({ lane, heat }, l) => (
        <div role="row" key={lane.key} aria-label={laneText(lane, summary)} aria-rowindex={l + 1}>
          {Array.from({ length: SLOTS }, (_, slot) => (
            <div
              key={slot}
              role="gridcell"
              aria-colindex={slot + 1}
              tabIndex={l === laneAt && slot === at.slot ? 0 : -1}
            >
              {slotText(heat, summary, lane, range, slot)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
