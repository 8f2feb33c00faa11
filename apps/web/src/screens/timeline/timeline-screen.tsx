import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { chosenBars } from "../../charts/timeline/chosen.ts";
import type { Lane } from "../../lanes/lanes.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import { useSize } from "../../ui/use-size.ts";
import { durationText, formatCount, formatOffset } from "../../ui/words.ts";
import { uncoveredStretches } from "../coverage.ts";
import type { ScreenProps } from "../screen.ts";
import { selectedWords, useAnnouncement } from "./announcement.ts";
import { BinGrid } from "./bin-grid.tsx";
import { BlockGrid } from "./block-grid.tsx";
import { createCursor } from "./cursor.ts";
import { EmptyView } from "./empty-view.tsx";
import { LanesView, MARGIN_PX } from "./lanes-view.tsx";
import { Legend } from "./legend.tsx";
import { MarkersLane } from "./markers-lane.tsx";
import { MinimapStrip } from "./minimap-strip.tsx";
import { SidePane } from "./side-pane.tsx";
import { clockWords, StatusLeft } from "./status.tsx";
import { useMarkers, useNeighbours, useSequence, useStatistics } from "./use-answers.ts";
import { useBlockSelection } from "./use-block-selection.ts";
import { useBuffer } from "./use-buffer.ts";
import { useGridFocus } from "./use-grid-focus.ts";
import { useLanes } from "./use-lanes.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { useViewRange } from "./use-view-range.ts";
import type { Range } from "./viewport.ts";
import "../../charts/timeline/timeline.css";

const GUTTER_PX = 222;

/** Lanes of the whole path from commit to commit on one time axis, from the whole capture down to microseconds. */
export function TimelineScreen(screen: ScreenProps): ReactNode {
  const { source, summary, view, setView, setStatus } = screen;
  const duration = Math.max(1, summary.durationUs);
  const { range, viewport } = useViewRange(screen, duration);
  const [cursor] = useState(createCursor);
  const [gates, setGates] = useState(false);
  const [level, setLevel] = useState<Level>(1);
  const [mainRef, { width: mainWidth }] = useSize<HTMLDivElement>();
  const plotWidth = Math.max(0, mainWidth - GUTTER_PX - MARGIN_PX);

  const { all, shown, shift, uncertainty, preview } = useLanes(summary, view);
  const { buffer, error } = useBuffer(source, viewport, all, shift, duration, summary.blocks.total);
  const markers = useMarkers(source);
  const uncovered = useMemo(() => uncoveredStretches(summary), [summary]);
  const statistics = useStatistics(source, range);
  const isEmpty = statistics?.blocks === 0 && statistics.from === range[0] && statistics.to === range[1];
  const neighbours = useNeighbours(source, isEmpty ? range : null);
  const sequence = useSequence(source, view.block);
  const path = useMemo(
    () => (sequence === null || sequence instanceof Error ? null : chosenBars(sequence, all, shift)),
    [sequence, all, shift],
  );
  const selection = useBlockSelection(screen, viewport, range, buffer);
  const focus = useGridFocus(buffer, range, selection.reveal);

  useEffect(() => {
    setStatus(
      <StatusLeft
        span={range[1] - range[0]}
        blocks={statistics?.blocks ?? null}
        level={level}
        gates={gates}
      />,
      clockWords(view.clock, preview, summary),
    );
  }, [setStatus, range, level, gates, statistics, view.clock, preview, summary]);

  const onLane = (lane: Lane, tall: boolean) =>
    setView({ lanes: { ...view.lanes, [lane.key]: tall } }, "replace");
  const onGroup = (replica: number) => {
    if (all.some((lane) => lane.replica === replica))
      setView({ collapsed: toggled(view.collapsed, replica) }, "replace");
  };
  useTimelineKeys(screen, {
    viewport,
    duration,
    cursor,
    selection,
    lanes: shown,
    onGates: () => setGates((on) => !on),
    onLane,
    onGroup,
  });
  const onMinimap = useCallback((next: Range) => viewport.set(next), [viewport]);
  const said = useAnnouncement(
    view.block === null
      ? `${durationText(range[1] - range[0])} in view from ${formatOffset(range[0])}, ${formatCount(statistics?.blocks)} blocks`
      : selectedWords(sequence, view.secondary),
  );
  const grid = { summary, lanes: shown, range };
  return (
    <div className="tl">
      <div className="tl-main" ref={mainRef}>
        <MinimapStrip
          source={source}
          summary={summary}
          secondary={view.secondary}
          viewport={viewport}
          cursor={cursor}
          width={plotWidth}
          onRange={onMinimap}
        />
        <LanesView
          summary={summary}
          viewport={viewport}
          buffer={buffer}
          failed={error !== null}
          lanes={shown}
          chosen={view.lanes}
          statistics={statistics}
          selectedRow={view.block}
          chosenPath={path}
          uncertainty={uncertainty}
          gates={gates}
          uncovered={uncovered}
          secondary={view.secondary}
          time={view.time}
          selectedRange={selection.selectedRange}
          focused={focus.cell}
          focusedSlot={focus.slot}
          onCursor={cursor.set}
          onSelect={selection.select}
          onSelectSlowest={selection.selectSlowest}
          onSelectRange={selection.selectRange}
          onZoomTo={(next) => {
            selection.selectRange(null);
            viewport.set(next);
          }}
          rested={range}
          idle={isEmpty}
          over={
            isEmpty ? (
              <EmptyView
                range={range}
                summary={summary}
                uncovered={uncovered}
                neighbours={neighbours}
                keysLead={view.block === null}
                onSelect={selection.select}
                onWhole={() => viewport.set([0, duration])}
              />
            ) : null
          }
          onLane={onLane}
          onLevel={setLevel}
          collapsed={view.collapsed}
          onGroup={onGroup}
        />
        {error ? (
          <p className="tl-error" role="alert">
            {error.message}
          </p>
        ) : null}
        <MarkersLane
          markers={markers}
          summary={summary}
          range={range}
          uncovered={uncovered}
          width={plotWidth}
        />
        <Legend summary={summary} secondary={view.secondary} level={level} />
        {buffer?.bins ? (
          <BinGrid
            {...grid}
            bins={buffer.bins}
            onFocus={focus.focusSlot}
            onSelect={selection.selectSlowest}
          />
        ) : (
          <BlockGrid
            {...grid}
            buffer={buffer}
            selectedRow={view.block}
            focused={focus.cell}
            onFocus={focus.focusCell}
            onSelect={selection.select}
          />
        )}
        <div className="sr-only" aria-live="polite">
          {said}
        </div>
      </div>
      <SidePane
        screen={screen}
        selection={selection}
        sequence={sequence}
        range={range}
        statistics={statistics}
        buffer={buffer}
      />
    </div>
  );
}

/** The list with a number added, or without it; ascending. */
function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter((each) => each !== number);
  return rest.length < list.length ? rest : [...rest, number].toSorted((a, b) => a - b);
}
