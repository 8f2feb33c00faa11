import { useMemo, useState } from "react";
import { barsOfSequence } from "../../charts/timeline/chosen.ts";
import { equalBlocks } from "../../charts/timeline/equal-lsn-marks.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import { useAnswer } from "../../data/use-answer.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { unsplitKey } from "../../lanes/split-lanes.ts";
import type { View } from "../../state/view.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { uncoveredByRole } from "../capture-view/coverage.ts";
import { roleSwitches } from "../capture-view/phases.ts";
import { useHits } from "../capture-view/found-blocks.ts";
import { createCursor } from "./cursor.ts";
import { useEventSelection } from "./happened/use-event-selection.ts";
import { useHappened } from "./happened/use-happened.ts";
import type { Timeline, TimelineData, TimelineSelection, TimelineView } from "./timeline-context.ts";
import type { Range } from "./viewport.ts";
import { blocksOf, selectedRows } from "./panes/selected-rows.ts";
import { useBlockSelection } from "./use-block-selection.ts";
import { thresholdOf } from "./lanes/threshold.ts";
import { useBuffer } from "./use-buffer.ts";
import { useGridFocus } from "./lanes/use-grid-focus.ts";
import { useLanes } from "./lanes/use-lanes.ts";
import { useDatabaseStatistics } from "./panes/use-database-statistics.ts";
import { usePartedStatistics } from "./panes/use-parted-statistics.ts";
import { useRulers } from "./use-rulers.ts";
import { useTimelineNotes } from "./use-timeline-notes.ts";
import { useViewRange } from "./use-view-range.ts";

/** State and data of the open capture's timeline. */
export function useOpenTimeline(): Timeline {
  const { summary, view: shown } = useCapture();
  const { gates } = shown;
  const duration = Math.max(1, summary.durationUs);
  const { range, viewport } = useViewRange(duration);
  const [cursor] = useState(createCursor);
  const [level, setLevel] = useState<Level | null>(null);
  const view = useMemo(
    () => ({ viewport, duration, range, cursor, level, setLevel, gates }),
    [viewport, duration, range, cursor, level, gates],
  );
  const data = useData(view, shown.selected ?? range);
  return { data, view, selection: useSelection(view, data) };
}

/**
 * The drawn and listed data. @param judged the range that figures by phase cover: the selected one, else the range in
 * view; µs
 */
function useData({ viewport, duration, range }: TimelineView, judged: Range): TimelineData {
  const { source, summary, view } = useCapture();
  const lanes = useLanes(summary, view);
  const { all, shift } = lanes;
  const { where, others } = view;
  const isDimmed = where !== null && others === "dim";
  const loading = { viewport, lanes: all, shift, duration };
  const allBlocks = useBuffer({ ...loading, where: null, isWanted: where === null || isDimmed });
  const hitBlocks = useBuffer({ ...loading, where, isWanted: where !== null });
  const buffer = where === null || isDimmed ? allBlocks : hitBlocks;
  const isolated = useIsolated(view, all);
  const threshold = useMemo(() => thresholdOf(where, all), [where, all]);
  const markers = useAnswer(source.markers());
  const happened = useHappened();
  const loaded = buffer.value?.blocks ?? null;
  const hasSeveral = summary.databases.length > 1;
  const equalLsns = useMemo(() => (loaded && hasSeveral ? equalBlocks(loaded) : []), [loaded, hasSeveral]);
  const uncovered = useMemo(() => uncoveredByRole(summary), [summary]);
  const statistics = useAnswer(source.statistics({ from: range[0], to: range[1] }, where));
  const hasNone = !statistics.isStale && statistics.value?.blocks === 0;
  // Where other blocks are dimmed, a view without hits is not empty while it has any block.
  const ofAll = useAnswer(hasNone && isDimmed ? source.statistics({ from: range[0], to: range[1] }) : null, {
    keepsValue: false,
  });
  const isEmpty = hasNone && (!isDimmed || ofAll.value?.blocks === 0);
  const switches = useMemo(() => roleSwitches(summary), [summary]);
  const parted = usePartedStatistics(judged);
  const ofDatabases = useDatabaseStatistics(judged, all);
  const hitBuffer = isDimmed ? hitBlocks.value : null;
  return useMemo(
    () => ({
      lanes,
      uncovered,
      buffer,
      hitBuffer,
      threshold,
      isolated,
      statistics,
      switches,
      parted,
      ofDatabases,
      markers,
      happened,
      equalLsns,
      isEmpty,
    }),
    [
      lanes,
      uncovered,
      buffer,
      hitBuffer,
      threshold,
      isolated,
      statistics,
      switches,
      parted,
      ofDatabases,
      markers,
      happened,
      equalLsns,
      isEmpty,
    ],
  );
}

/** The selection, and the actions that change it. */
function useSelection(
  { viewport, range }: TimelineView,
  { lanes, buffer, happened }: TimelineData,
): TimelineSelection {
  const { source, view } = useCapture();
  const { all, shift } = lanes;
  const sequence = useAnswer(view.block === null ? null : source.sequence(view.block), {
    keepsValue: false,
  });
  const chosenPath = useMemo(
    () => (sequence.value === null ? null : barsOfSequence(sequence.value, all, shift)),
    [sequence.value, all, shift],
  );
  const beside = selectedRows(view).filter((row) => row !== view.block);
  const kept = useAnswer(blocksOf(source, beside), { keepsValue: false });
  const keptPaths = useMemo(
    () => (kept.value ?? []).map((each) => barsOfSequence(each, all, shift)),
    [kept.value, all, shift],
  );
  const selection = useBlockSelection(viewport, range, buffer.value, sequence.value);
  return {
    selection,
    hits: useHits(),
    sequence,
    chosenPath,
    kept,
    keptPaths,
    events: useEventSelection(happened, viewport, selection),
    rulers: useRulers(),
    focus: useGridFocus(buffer.value, range, selection.reveal),
    ...useTimelineNotes(range, sequence.value, selection),
  };
}

/** The view's isolated lanes that the capture has; the same array while they do not change. */
function useIsolated(view: View, lanes: readonly Lane[]): readonly string[] {
  const keys = lanes
    .filter((lane) => view.isolated.includes(lane.key) || view.isolated.includes(unsplitKey(lane)))
    .map(({ key }) => key)
    .join("*");
  return useMemo(() => (keys === "" ? [] : keys.split("*")), [keys]);
}
