import { useMemo, type ReactNode } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { logHeight } from "../../../charts/duration-scale.ts";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { rowOf } from "../../../charts/timeline/pointed-row.ts";
import type { Level } from "../../../charts/timeline/layout.ts";
import { amountText } from "../../../filter/filter-text.ts";
import { AXIS_PX } from "../../../charts/timeline/paint-axis.ts";
import { thresholdTop } from "../../../charts/timeline/paint-hits.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { NOTE_LIST_ID } from "../../../notes/note-list.tsx";
import { NoteRow, NoteStems } from "../../../notes/note-row.tsx";
import { formatCount } from "../../../ui/words.ts";
import { hasP95 } from "../../capture-view/capture-lanes.ts";
import { namesOfSlots, phaseName } from "../../capture-view/phases.ts";
import { isAlone, useCapture } from "../../capture-view/capture-context.ts";
import { BandHandles } from "../band-handles.tsx";
import { BlockTip } from "./block-tip.tsx";
import { EmptyView } from "../empty-view.tsx";
import { HappenedNames, HappenedScale } from "../happened/happened-names.tsx";
import { RuleLabels } from "../happened/rule-labels.tsx";
import { foldedGroups } from "./open-groups.ts";
import { Gutter } from "./gutter.tsx";
import { HitRow } from "../panes/hit-row.tsx";
import { LaneMenu } from "./lane-menu.tsx";
import { MoreLanes } from "./more-lanes.tsx";
import { ReleaseNames } from "../panes/release-names.tsx";
import { StagesAbsent } from "./stages-absent.tsx";
import { SwitchOverlay } from "./switch-overlay.tsx";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { useLaneChoice } from "./use-lane-choice.ts";
import { QUIET_PX, type LaneStack } from "./use-lane-stack.ts";
import { widestPair } from "../panes/use-parted-statistics.ts";
import { useSelectionStatistics } from "../panes/use-selection-statistics.ts";
import type { Releases } from "../use-releases.ts";
import { belowLanes, usePlot, type Plot } from "../use-plot.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./lanes-view.module.css";
import { termProps } from "../../../ui/term.tsx";

/** Width of the scale margin, px. */
export const MARGIN_PX = 32;

/** Axis, gutter and lanes. Movement paints the canvas directly; React renders only when lanes, level or selection change. */
export function LanesView(): ReactNode {
  const plot = usePlot();
  const { measureRoom, stack, happened, level, isPlaced } = plot;
  const { isEmpty } = useTimelineData();
  const { summary } = useCapture();
  return (
    <div className={laneFrame.lanes} data-tour="timeline">
      <AxisRow plot={plot} />
      {isAlone(summary) ? <StagesAbsent /> : null}
      <NotesInView width={plot.width} />
      <HitRow width={plot.width} />
      <div className={laneFrame.scroll} ref={measureRoom}>
        <div className={laneFrame.stack} style={{ height: stack.height + (happened.stack?.height ?? 0) }}>
          <LaneNames
            onMenu={plot.menu.openOfLane}
            stack={stack}
            isPlaced={isPlaced}
            releases={plot.releases}
          />
          <LanePlot plot={plot} />
          <SwitchOverlay boxes={stack.boxes} width={plot.width} />
          {isPlaced ? <ScaleMargin plot={plot} level={level} /> : null}
          <HappenedNames plot={happened} top={stack.height} />
        </div>
      </div>
      {isPlaced ? <MoreLanes boxes={allBoxes(plot)} scroller={plot.scroller} room={plot.room} /> : null}
      {isEmpty && !isAlone(summary) ? <EmptyView /> : null}
    </div>
  );
}

/** Places of the lanes of log blocks and of evidence files. */
const allBoxes = ({ stack, happened }: Plot): readonly Pick<LaneBox, "top" | "height">[] => [
  ...stack.boxes,
  ...(happened.stack?.boxes ?? []).map(({ top, height }) => ({ top: stack.height + top, height })),
];

/** Figures of the selected range, else of the range in view. */
function useShownFigures(): RangeStatistics | null {
  const { statistics } = useTimelineData();
  const { selectedRange } = useTimelineSelection().selection;
  const ofSelection = useSelectionStatistics();
  return selectedRange === null ? statistics.value : ofSelection.value;
}

function AxisRow({ plot }: { readonly plot: Plot }): ReactNode {
  const { base, axis, axisPlot, readout, pointing, width } = plot;
  const isOfHits = useCapture().view.where !== null;
  const { parted } = useTimelineData();
  const { selection } = useTimelineSelection();
  const figures = useShownFigures();
  const isOfSelection = selection.selectedRange !== null;
  const sides = widestPair(parted);
  const { summary } = useCapture();
  return (
    <div className={laneFrame.axis}>
      <div className={laneFrame.axisBase}>
        <span ref={base} />
        {isOfHits ? <i>{texts.hits}</i> : null}
        {isAlone(summary) ? null : sides === null ? (
          <>
            <i {...termProps("p50")}>p50</i>
            <i {...termProps("p95")}>{hasP95(figures) ? "p95" : ""}</i>
          </>
        ) : (
          sides.map(({ phase }, i) => (
            <i key={phase} className={styles.side} {...termProps("p95")}>
              {i === 0 ? "p95 " : ""}
              {phaseName(summary, phase).toLowerCase()}
            </i>
          ))
        )}
        {isOfSelection ? <small className={styles.of}>{texts.inSelection}</small> : null}
      </div>
      <div className={laneFrame.axisPlot} data-testid="axis" ref={axisPlot} {...pointing}>
        <canvas ref={axis} style={{ width, height: AXIS_PX }} aria-hidden="true" />
        <RuleLabels width={width} />
        <BandHandles band={plot.band} />
        <div ref={readout} className={styles.readoutCursor} hidden />
      </div>
    </div>
  );
}

function NotesInView({ width }: { readonly width: number }): ReactNode {
  const { range, viewport } = useTimelineView();
  const { notes, openNote } = useTimelineSelection();
  return (
    <NoteRow
      notes={notes.notes}
      range={range}
      width={width}
      viewport={viewport}
      onOpen={openNote}
      onMore={() => document.getElementById(NOTE_LIST_ID)?.focus()}
    />
  );
}

interface NamesProps {
  readonly onMenu: (key: string) => void;
  readonly stack: LaneStack;
  readonly isPlaced: boolean;
  readonly releases: Releases;
}

function LaneNames({ onMenu, stack, isPlaced, releases }: NamesProps): ReactNode {
  const { summary, view, setView } = useCapture();
  const { lanes, parted, ofDatabases } = useTimelineData();
  const { setLane, toggleGroup } = useLaneChoice();
  const replicaNames = useMemo(() => namesOfSlots(summary), [summary]);
  const figures = useShownFigures();
  const names =
    stack.releasesTop === null ? null : (
      <ReleaseNames candidates={releases.candidates} top={stack.releasesTop} gates={figures?.gates ?? null} />
    );
  return (
    <Gutter
      boxes={stack.boxes}
      isPlaced={isPlaced}
      numbered={lanes.shown}
      quiet={stack.quiet}
      quietTop={stack.height - QUIET_PX}
      showsQuiet={stack.showsQuiet}
      onQuiet={stack.toggleQuiet}
      statistics={figures}
      ofDatabases={ofDatabases}
      sides={widestPair(parted)?.map((side) => side.statistics) ?? null}
      underCommits={names}
      onLane={setLane}
      pinned={view.pinned}
      onMenu={onMenu}
      onPinned={(pinned) => setView({ pinned }, "replace")}
      folded={foldedGroups(summary, view.open)}
      replicaNames={replicaNames}
      onGroup={toggleGroup}
    />
  );
}

function LanePlot({ plot }: { readonly plot: Plot }): ReactNode {
  const { summary } = useCapture();
  const { value: buffer, error } = useTimelineData().buffer;
  const { viewport } = useTimelineView();
  const { notes } = useTimelineSelection().notes;
  const { canvas, ghost, band, line, tip, stack, width, measurePlot, pointing } = plot;
  const { canvas: eventCanvas, stack: eventStack } = plot.happened;
  const below = belowLanes(stack);
  const { band: selectedBand } = band;
  const { opened, close, openers } = plot.menu;
  const { canvas: rulers, isShown: showsRulers, beginAt } = plot.rulerCanvas;
  return (
    <div ref={measurePlot} className={laneFrame.plot} data-testid="lanes" {...pointing} {...openers}>
      <canvas ref={canvas} style={{ width, height: stack.height }} aria-hidden="true" />
      <canvas ref={ghost} className={styles.ghost} aria-hidden="true" />
      {eventStack === null ? null : (
        <canvas
          ref={eventCanvas}
          style={{
            width,
            height: eventStack.height + below,
            top: stack.height - below,
          }}
          aria-hidden="true"
        />
      )}
      {showsRulers ? (
        <canvas
          ref={rulers}
          className="no-pointer"
          style={{ width, height: stack.height }}
          aria-hidden="true"
        />
      ) : null}
      <div ref={selectedBand} className={styles.band} hidden />
      <div ref={line} className={laneFrame.cursor} hidden />
      <NoteStems notes={notes} width={width} viewport={viewport} height={stack.boxes[0]?.height ?? 0} />
      {buffer || error !== null ? null : (
        <output className={styles.reading}>
          {texts.readingLogBlocks(formatCount(summary.blocks.total))}
        </output>
      )}
      {opened === null ? null : <LaneMenu opened={opened} onClose={close} onMeasure={beginAt} />}
      {tip && buffer && opened === null ? (
        <BlockTip
          {...tip}
          width={width}
          height={stack.height}
          row={rowOf(tip.pointed, buffer)}
          buffer={buffer}
          summary={summary}
        />
      ) : null}
    </div>
  );
}

function ScaleMargin({ plot, level }: { readonly plot: Plot; readonly level: Level }): ReactNode {
  const { threshold, hitBuffer } = useTimelineData();
  const { stack, happened } = plot;
  const samples = <HappenedScale plot={happened} top={stack.height} />;
  if (level >= 2) return <div className={laneFrame.margin}>{samples}</div>;
  return (
    <div className={laneFrame.margin} aria-hidden="true">
      {samples}
      {stack.boxes
        .filter((b) => b.tall)
        .flatMap((b) => {
          const at = hitBuffer === null ? null : thresholdTop(b, level, threshold);
          const marks = [100_000, 10_000]
            .map((us) => ({ us, top: b.top + b.height * (1 - logHeight(us)) }))
            // The nearest ordinary mark is not drawn.
            .filter(({ top }) => at === null || Math.abs(top - at) >= MARK_PX);
          return [
            ...marks.map(({ us, top }) => (
              <span key={`${b.lane.key}${us}`} style={{ top: top - 6 }}>
                {us === 100_000 ? "100" : texts.ms}
              </span>
            )),
            at === null ? null : (
              <span key={`${b.lane.key} threshold`} className="ink strong" style={{ top: at - 6 }}>
                {amountText(threshold!.us)}
              </span>
            ),
          ];
        })}
    </div>
  );
}

/** Height of a mark of the scale, px. */
const MARK_PX = 12;
