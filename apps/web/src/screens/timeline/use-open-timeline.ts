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
import type { Timeline } from "./timeline-context.ts";
import { blocksOf, selectedRows } from "./selected-rows.ts";
import { openGroups, releasingInView } from "./open-groups.ts";
import { useBlockSelection } from "./use-block-selection.ts";
import { thresholdOf } from "./threshold.ts";
import { useBuffer } from "./use-buffer.ts";
import { useGridFocus } from "./use-grid-focus.ts";
import { useLanes } from "./use-lanes.ts";
import { useDatabaseStatistics } from "./use-database-statistics.ts";
import { usePartedStatistics } from "./use-parted-statistics.ts";
import { useRulers } from "./use-rulers.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { useTimelineNotes } from "./use-timeline-notes.ts";
import { useZoomStepKeys } from "./use-zoom-steps.ts";
import { useViewRange } from "./use-view-range.ts";

/** Everything the timeline of the open capture knows; its keys act as long as it is open. */
export function useOpenTimeline(): Timeline {
  const { source, summary, view, setView } = useCapture();
  const duration = Math.max(1, summary.durationUs);
  const { range, viewport } = useViewRange(duration);
  const [cursor] = useState(createCursor);
  const [level, setLevel] = useState<Level | null>(null);
  const lanes = useLanes(summary, view);
  const { all, shift } = lanes;
  const { where, others } = view;
  const isDimmed = where !== null && others === "dim";
  const allBlocks = useBuffer(viewport, all, shift, duration, null, where === null || isDimmed);
  const hitBlocks = useBuffer(viewport, all, shift, duration, where, where !== null);
  const buffer = where === null || isDimmed ? allBlocks : hitBlocks;
  const hits = useHits();
  const isolated = useIsolated(view, all);
  const threshold = useMemo(() => thresholdOf(where, all), [where, all]);
  const markers = useAnswer(source.markers());
  const loaded = buffer.value?.blocks ?? null;
  const hasSeveral = summary.databases.length > 1;
  const equalLsns = useMemo(() => (loaded && hasSeveral ? equalBlocks(loaded) : []), [loaded, hasSeveral]);
  const uncovered = useMemo(() => uncoveredByRole(summary), [summary]);
  const statistics = useAnswer(source.statistics({ from: range[0], to: range[1] }, view.where));
  const hasNone = !statistics.isStale && statistics.value?.blocks === 0;
  // Where others are dimmed a view without hits is not empty as long as it has any block.
  const ofAll = useAnswer(hasNone && isDimmed ? source.statistics({ from: range[0], to: range[1] }) : null, {
    keepsValue: false,
  });
  const isEmpty = hasNone && (!isDimmed || ofAll.value?.blocks === 0);
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
  const switches = useMemo(() => roleSwitches(summary), [summary]);
  const parted = usePartedStatistics(selection.selectedRange ?? range);
  const ofDatabases = useDatabaseStatistics(selection.selectedRange ?? range, lanes.all);
  const notes = useTimelineNotes(range, sequence.value, selection);
  const rulers = useRulers();
  const focus = useGridFocus(buffer.value, range, selection.reveal);
  const setLane = (lane: Lane, tall: boolean): void =>
    setView({ lanes: { ...view.lanes, [lane.key]: tall } }, "replace");
  const toggleGroup = (replica: number): void => {
    if (all.some((lane) => lane.replica === replica))
      setView({ open: toggled(openGroups(summary, view.open), replica) }, "replace");
  };
  const openReleasing = (): void => {
    if (statistics.value !== null) setView({ open: releasingInView(summary, statistics.value) }, "replace");
  };
  const timeline: Timeline = {
    viewport,
    duration,
    range,
    cursor,
    lanes,
    uncovered,
    buffer,
    hitBuffer: isDimmed ? hitBlocks.value : null,
    threshold,
    isolated,
    hits,
    statistics,
    switches,
    parted,
    ofDatabases,
    markers,
    equalLsns,
    ...notes,
    sequence,
    chosenPath,
    kept,
    keptPaths,
    isEmpty,
    selection,
    rulers,
    focus,
    level,
    setLevel,
    gates: view.gates,
    setLane,
    toggleGroup,
    openReleasing,
  };
  useZoomStepKeys();
  useTimelineKeys(timeline, () => setView({ gates: !view.gates }, "replace"));
  return timeline;
}

/** The view's isolated lanes that the capture has, the same list as long as they stay. */
function useIsolated(view: View, lanes: readonly Lane[]): readonly string[] {
  const keys = lanes
    .filter((lane) => view.isolated.includes(lane.key) || view.isolated.includes(unsplitKey(lane)))
    .map(({ key }) => key)
    .join("*");
  return useMemo(() => (keys === "" ? [] : keys.split("*")), [keys]);
}

/** The list with a number added, or without it; ascending. */
function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter((each) => each !== number);
  return rest.length < list.length ? rest : [...rest, number].toSorted((a, b) => a - b);
}
