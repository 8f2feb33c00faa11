import { useCallback, useState } from "react";
import { isStretchId, type StretchId } from "@aglens/ag-model/columns";
import type { StageId } from "@aglens/ag-model/replication";
import type { Lane } from "../../lanes/lanes.ts";
import { positionOf, type Buffer } from "../../charts/timeline/spans.ts";
import type { ScreenProps } from "../screen.ts";
import { rowBefore, rowFrom, useSlowSteps } from "./use-answers.ts";
import { clampRange, type Range, type Viewport } from "./viewport.ts";

/** A fitted block leaves so much of its own length free on either side. */
const FIT_MARGIN = 0.35;

/** Order of the slow blocks that finds the largest of a lane whose figure is no order of its own. */
const SORT_OF: Readonly<Record<StretchId, StageId>> = {
  acknowledge: "ackSend",
  unseen: "remoteHarden",
  ackWakeUp: "ackReceive",
};

export interface BlockSelection {
  /** A stretch chosen on the lanes, µs. */
  readonly selectedRange: Range | null;
  readonly selectRange: (range: Range | null) => void;
  /** Pans so that a stretch is in view; the zoom stays unless it does not fit. */
  readonly reveal: (from: number, to: number) => void;
  /** Selects a block by its row in the capture and brings it into view; null selects none. */
  readonly select: (row: number | null) => void;
  /** Selects the slowest block of a lane within a stretch. */
  readonly selectSlowest: (lane: Lane, within: Range) => void;
  /** Selects the next or previous of the slowest blocks. */
  readonly toSlow: (by: 1 | -1) => void;
  /** Selects the next or previous block in time. */
  readonly inTime: (by: 1 | -1) => void;
  /** Makes the view as long as what is selected. */
  readonly fit: () => void;
}

/** What is selected on the timeline, and the ways to select. */
export function useBlockSelection(
  { source, summary, view, setView }: ScreenProps,
  viewport: Viewport,
  range: Range,
  buffer: Buffer | null,
): BlockSelection {
  const [selectedRange, selectRange] = useState<Range | null>(null);
  const reveal = useCallback(
    (from: number, to: number) => {
      const [a, b] = viewport.get();
      if (Number.isNaN(from + to) || (from >= a && to <= b)) return;
      const span = Math.max(b - a, (to - from) * (1 + 2 * FIT_MARGIN));
      const centre = (from + to) / 2;
      viewport.set([centre - span / 2, centre + span / 2]);
    },
    [viewport],
  );
  const choose = async (row: number | null): Promise<void> => {
    selectRange(null);
    setView({ block: row }, "replace");
    if (row === null) return;
    const loaded = stretchOf(buffer, row);
    if (loaded) return reveal(...loaded);
    const { time } = await source.sequence(row);
    reveal(time, time + 1);
  };
  // A question that fails selects nothing; the screen says elsewhere that the capture cannot be read.
  const select = (row: number | null) => void choose(row).catch(() => undefined);
  const selectWhen = (asked: Promise<number | null>) =>
    void asked.then((row) => (row === null ? undefined : choose(row))).catch(() => undefined);
  const stepSlow = useSlowSteps(source, view, range);
  const inTime = (by: 1 | -1) => {
    const last = summary.blocks.total - 1;
    if (view.block !== null) return select(Math.min(last, Math.max(0, view.block + by)));
    // Without a selection the first step enters the view from its own side, or leaves an empty one.
    selectWhen(by === 1 ? rowFrom(source, range[0]) : rowBefore(source, range[1]));
  };
  const fit = () => {
    const block = stretchOf(buffer, view.block);
    if (selectedRange) viewport.set(selectedRange);
    else if (block) {
      const margin = (block[1] - block[0]) * FIT_MARGIN;
      viewport.set([block[0] - margin, block[1] + margin]);
    }
  };
  return {
    selectedRange,
    selectRange,
    reveal,
    select,
    selectSlowest: (lane, within) =>
      selectWhen(slowestOf(source, lane, clampRange(within, Math.max(1, summary.durationUs)))),
    toSlow: (by) => selectWhen(stepSlow(by).then((found) => found?.row ?? null)),
    inTime,
    fit,
  };
}

/** From a loaded block's first event to its last, µs; null when it is not loaded. */
function stretchOf(buffer: Buffer | null, row: number | null): [number, number] | null {
  const position = positionOf(buffer, row);
  if (position < 0 || !buffer?.blocks) return null;
  const { time, timeEnd } = buffer.blocks.blocks;
  return [time[position], timeEnd[position]];
}

/** Bins know no blocks: the slowest of a lane within a pixel is asked for. */
async function slowestOf(
  source: ScreenProps["source"],
  lane: Lane,
  [from, to]: Range,
): Promise<number | null> {
  const { rows } = await source.slowest({
    range: { from, to },
    sort: isStretchId(lane.figure) ? SORT_OF[lane.figure] : lane.figure,
    descending: true,
    secondary: Math.max(0, lane.secondary),
    limit: 1,
    offset: 0,
  });
  return rows[0]?.row ?? null;
}
