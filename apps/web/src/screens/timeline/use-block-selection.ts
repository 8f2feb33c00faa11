import { useCallback, useEffect, useMemo, useRef } from "react";
import { blockFilterText, type Sequence, type SlowBlocks } from "@aglens/contract";
import { pictureRange } from "../../charts/sequence/layout.ts";
import { blockSpan } from "../../charts/timeline/buffered.ts";
import { positionOf, type Buffer } from "../../charts/timeline/spans.ts";
import type { CaptureSource } from "../../data/capture-source.ts";
import type { Question } from "../../data/use-answer.ts";
import { useRequest, type Request } from "../../data/use-request.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import { rowBefore, rowFrom } from "../capture-view/found-blocks.ts";
import type { View } from "../../state/view.ts";
import { slowestSort } from "./lanes/lane-order.ts";
import { withKept, withToggled } from "./panes/selected-rows.ts";
import { clampRange, type Range, type Viewport } from "./viewport.ts";

/** Free space on either side of a fitted block, as a share of its own length. */
const FIT_MARGIN = 0.35;

/** Slow blocks that the keys step through. */
const MOST_STEPS = 200;

export interface BlockSelection {
  /** The range that is selected on the lanes, µs. */
  readonly selectedRange: Range | null;
  readonly selectRange: (range: Range | null) => void;
  /** Moves an edge of the selected range, without an entry in the browser's history. */
  readonly adjustRange: (range: Range) => void;
  /** Pans so that a range is in view; the zoom stays unless the range does not fit. */
  readonly reveal: (from: number, to: number) => void;
  /** Selects a block by its row in the capture and brings it into view; null selects none. */
  readonly select: (row: number | null) => void;
  /** Adds a block to the selected ones, or removes it from them. */
  readonly toggle: (row: number) => void;
  /** Keeps the selected block in addition to the next one that the user selects, or no longer keeps it. */
  readonly keep: () => void;
  /** Selects the block that a request finds, and brings it into view. */
  readonly selectFound: (question: Question<number | null>) => void;
  /** Selects the slowest block of a lane within a range, in addition to the selected ones or alone. */
  readonly selectSlowest: (lane: Lane, within: Range, isAdded: boolean) => void;
  /** Selects the next or previous of the slowest blocks. */
  readonly toSlow: (by: 1 | -1) => void;
  /** Selects the next or previous block in time. */
  readonly inTime: (by: 1 | -1) => void;
  /** Makes the view as long as the selection. */
  readonly fit: () => void;
  /** Whether a block is being searched, why it could not be found, and a function to retry. */
  readonly search: Pick<Request, "isAsking" | "error" | "retry">;
}

/**
 * The selection on the timeline, and the actions that change it.
 * @param range of the view once it rests, µs
 * @param sequence of the selected block, null until it has been read
 */
export function useBlockSelection(
  viewport: Viewport,
  range: Range,
  buffer: Buffer | null,
  sequence: Sequence | null,
): BlockSelection {
  const { source, summary, view, setView } = useCapture();
  const { selectedRange, selectRange, adjustRange } = useSelectedRange();
  const request = useRequest();
  const reveal = useCallback((from: number, to: number) => moveInto(viewport, from, to), [viewport]);
  const revealOnceRead = useLateReveal(viewport, view.block, sequence, reveal);
  const choose = (selected: Pick<View, "block" | "kept">): void => {
    const { block: row } = selected;
    setView({ ...selected, selected: null }, "replace");
    const period = periodOf(buffer, row);
    if (period) reveal(...period);
    else revealOnceRead(row);
  };
  const select = (row: number | null): void => {
    request.cancel();
    choose({ block: row, kept: [] });
  };
  const toggle = (row: number): void => {
    request.cancel();
    choose(withToggled(view, row));
  };
  /** As with stepping, the kept blocks stay. */
  const goTo = (row: number | null): void => {
    request.cancel();
    choose({ block: row, kept: view.kept });
  };
  const find = (question: Question<number | null>, found: (row: number) => void): void =>
    request.send(question, (row) => (row === null ? undefined : found(row)));
  const selectFound = (question: Question<number | null>): void =>
    find(question, (row) => choose({ block: row, kept: [] }));
  const toSlow = useSlowSteps(request, selectedRange ?? range, goTo);
  const inTime = (by: 1 | -1): void => {
    const last = summary.blocks.total - 1;
    if (view.block !== null) goTo(Math.min(last, Math.max(0, view.block + by)));
    // Without a selection the first step enters the view from its start or end, or leaves an empty view.
    else selectFound(by === 1 ? rowFrom(source, range[0]) : rowBefore(source, range[1]));
  };
  const fitBlock = useFit(viewport, buffer, view.block, sequence);
  const fit = (): void => {
    if (selectedRange) viewport.set(selectedRange);
    else if (view.block !== null || request.isAsking) fitBlock();
  };
  const selectSlowest = (lane: Lane, within: Range, isAdded: boolean): void => {
    const { database } = lane;
    const own =
      database === null ? source : source.scoped({ database, phase: phaseIndex(summary, view.phase) });
    find(slowestOf(own, lane, clampRange(within, Math.max(1, summary.durationUs))), (row) =>
      choose(isAdded ? withToggled(view, row) : { block: row, kept: [] }),
    );
  };
  return {
    selectedRange,
    selectRange,
    adjustRange,
    reveal,
    select,
    toggle,
    keep: () => setView({ ...withKept(view) }, "replace"),
    selectFound,
    selectSlowest,
    toSlow,
    inTime,
    fit,
    search: request,
  };
}

/**
 * Makes the view as long as the selected block, at once or when it is found and read; clearing the selection cancels
 * this.
 */
function useFit(
  viewport: Viewport,
  buffer: Buffer | null,
  selected: number | null,
  sequence: Sequence | null,
): () => void {
  const { view } = useCapture();
  const { secondary } = view;
  const wanted = useRef(false);
  const fitNow = useCallback((): void => {
    const period = periodOf(buffer, selected) ?? readPeriod(sequence, selected, secondary);
    if (!wanted.current || period === null) return;
    wanted.current = false;
    const margin = (period[1] - period[0]) * FIT_MARGIN;
    viewport.set([period[0] - margin, period[1] + margin]);
  }, [viewport, buffer, selected, sequence, secondary]);
  useEffect(fitNow, [fitNow]);
  const before = useRef(selected);
  useEffect(() => {
    if (before.current !== null && selected === null) wanted.current = false;
    before.current = selected;
  }, [selected]);
  return () => {
    wanted.current = true;
    fitNow();
  };
}

/** From the first instant of a block that has been read to its last; null when another block has been read. */
function readPeriod(sequence: Sequence | null, row: number | null, secondary: number): Range | null {
  if (sequence === null || sequence.row !== row) return null;
  return pictureRange(
    sequence,
    sequence.hops.find((hop) => hop.secondary === secondary),
  );
}

/** The selected range of the address; a new selection adds an entry to the browser's history. */
function useSelectedRange(): Pick<BlockSelection, "selectedRange" | "selectRange" | "adjustRange"> {
  const { view, setView } = useCapture();
  const [from, to] = view.selected ?? [];
  // Compared by value: every change of the address decodes the view again.
  const selectedRange = useMemo(
    (): Range | null => (from === undefined || to === undefined ? null : [from, to]),
    [from, to],
  );
  const selectRange = useCallback(
    (next: Range | null) => setView({ selected: next }, next === null ? "replace" : "push"),
    [setView],
  );
  const adjustRange = useCallback((next: Range) => setView({ selected: next }, "replace"), [setView]);
  return { selectedRange, selectRange, adjustRange };
}

function moveInto(viewport: Viewport, from: number, to: number): void {
  const [a, b] = viewport.get();
  if (Number.isNaN(from + to) || (from >= a && to <= b)) return;
  const span = Math.max(b - a, (to - from) * (1 + 2 * FIT_MARGIN));
  const center = (from + to) / 2;
  viewport.set([center - span / 2, center + span / 2]);
}

/**
 * Brings a block into view that is not among the loaded ones, once it has been read. If the user chooses another block
 * or moves the view before that, the view stays where it is.
 */
function useLateReveal(
  viewport: Viewport,
  selected: number | null,
  sequence: Sequence | null,
  reveal: BlockSelection["reveal"],
): (row: number | null) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => viewport.subscribe(() => (wanted.current = null)), [viewport]);
  const revealNow = useCallback(
    (read: Sequence | null): void => {
      if (wanted.current === null || read?.row !== wanted.current || selected !== wanted.current) return;
      wanted.current = null;
      reveal(read.time, read.time + 1);
    },
    [selected, reveal],
  );
  useEffect(() => revealNow(sequence), [revealNow, sequence]);
  return (row) => {
    wanted.current = row;
    revealNow(sequence);
  };
}

/** Steps through the slow blocks of the range in the order of the slowest table; the list stays during the steps. */
function useSlowSteps(
  request: Request,
  range: Range,
  select: (row: number | null) => void,
): (by: 1 | -1) => void {
  const { source, view } = useCapture();
  const list = useRef<{ readonly order: string; readonly rows: SlowBlocks["rows"] } | null>(null);
  const { sort, descending, secondary, where } = view;
  const order = `${sort} ${descending} ${secondary} ${where === null ? "" : blockFilterText(where)}`;
  return (by) => {
    const rows = list.current?.order === order ? list.current.rows : [];
    const position = rows.findIndex(({ row }) => row === view.block);
    if (position >= 0) {
      const next = rows[position + by];
      if (next !== undefined) select(next.row);
      return;
    }
    const within = { from: range[0], to: range[1] };
    request.send(
      source.slowest({ range: within, sort, descending, secondary, limit: MOST_STEPS, where }),
      (found) => {
        list.current = { order, rows: found.rows };
        if (found.rows[0] !== undefined) select(found.rows[0].row);
      },
    );
  };
}

/** From a loaded block's first event to its last, µs; null when it is not loaded. */
function periodOf(buffer: Buffer | null, row: number | null): Range | null {
  return blockSpan(buffer, positionOf(buffer, row));
}

/** Bins contain no blocks, so the slowest block of a lane within a pixel is requested. */
function slowestOf(source: CaptureSource, lane: Lane, [from, to]: Range): Question<number | null> {
  const slowest = source.slowest({
    range: { from, to },
    sort: slowestSort(lane),
    descending: true,
    secondary: Math.max(0, lane.secondary),
    limit: 1,
  });
  return { key: slowest.key, ask: async (signal) => (await slowest.ask(signal)).rows[0]?.row ?? null };
}
