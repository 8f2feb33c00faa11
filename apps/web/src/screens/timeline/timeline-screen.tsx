import { memo, useEffect, type ReactNode } from "react";
import { Problem } from "../../frame/problem.tsx";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import { NoteDialog } from "../../notes/note-dialog.tsx";
import { PHONE_ON_ITS_SIDE, UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { durationText, formatCount, formatOffset, formatTime } from "../../ui/words.ts";
import { isAlone, useCapture } from "../capture-view/capture-context.ts";
import { useEvidenceAnswer } from "../capture-view/use-evidence.ts";
import { HappenedTable } from "./happened/happened-table.tsx";
import { useLaneSamples } from "./happened/use-happened-plot.ts";
import { useReferenceSamples } from "./happened/use-references.ts";
import { selectedText, useAnnouncement } from "./panes/announcement.ts";
import { BinGrid } from "./lanes/bin-grid.tsx";
import { BlockGrid } from "./lanes/block-grid.tsx";
import { EqualLsnsLane } from "./lanes/equal-lsns-lane.tsx";
import { LanesView, MARGIN_PX } from "./lanes/lanes-view.tsx";
import { Legend } from "./lanes/legend.tsx";
import { MarkersLane } from "./lanes/markers-lane.tsx";
import { MinimapStrip } from "./lanes/minimap-strip.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { PhoneSheet } from "./panes/phone-sheet.tsx";
import { selectedRows } from "./panes/selected-rows.ts";
import { SidePane } from "./panes/side-pane.tsx";
import { clockText, measuringText, StatusLeft } from "./status.tsx";
import {
  DataContext,
  SelectionContext,
  useTimelineData,
  useTimelineSelection,
  useTimelineView,
  ViewContext,
} from "./timeline-context.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { useZoomStepKeys } from "./use-zoom-steps.ts";
import { useOpenTimeline } from "./use-open-timeline.ts";
import laneFrame from "../lane-view/lane-frame.module.css";

/** As `--gutter` in tokens.css. */
const GUTTER_PX = 222;
/**
 * On an upright phone the lanes reach from edge to edge, and contain their names. In landscape they have a narrow
 * gutter.
 */
const UPRIGHT_GUTTER_PX = 0;
const SIDE_GUTTER_PX = 120;

/**
 * Lanes of the complete path from commit to commit on one time axis, from the complete capture down to microseconds.
 */
export function TimelineScreen(): ReactNode {
  return (
    <OpenTimeline>
      <TimelinePage />
    </OpenTimeline>
  );
}

/** Provides the timeline of the open capture to its children. */
export function OpenTimeline({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, view, selection } = useOpenTimeline();
  return (
    <DataContext value={data}>
      <ViewContext value={view}>
        <SelectionContext value={selection}>{children}</SelectionContext>
      </ViewContext>
    </DataContext>
  );
}

/** Its parts render when the values that they read change, not with every change of the timeline. */
const TimelinePage = memo(function TimelinePage(): ReactNode {
  const { summary } = useCapture();
  const alone = isAlone(summary);
  const [mainRef, { width }] = useSize<HTMLDivElement>();
  const isUpright = useMedia(UPRIGHT_PHONE);
  const isOnItsSide = useMedia(PHONE_ON_ITS_SIDE);
  const gutter = isUpright ? UPRIGHT_GUTTER_PX : isOnItsSide ? SIDE_GUTTER_PX : GUTTER_PX;
  const plotWidth = Math.max(0, width - gutter - MARGIN_PX);
  return (
    <>
      <div className={laneFrame.page} data-edge-to-edge="true">
        <h1 className="sr-only">{texts.timelineOf(summary.name)}</h1>
        <div className={laneFrame.main} ref={mainRef}>
          <MinimapStrip width={plotWidth} />
          <LanesView />
          <TimelineProblems />
          <EqualLsnsLane width={plotWidth} />
          {alone ? null : (
            <>
              <MarkersLane width={plotWidth} />
              <Legend />
              <Grid />
            </>
          )}
          <HappenedTable />
          <Announcement />
        </div>
        <SidePane />
        <PhoneSheet />
        <PhoneBar />
      </div>
      <TimelineStatus />
      <TimelineKeys />
      <NoteBeingWritten />
    </>
  );
});

/** The lanes for the keyboard and for screen readers. */
function Grid(): ReactNode {
  const bins = useTimelineData().buffer.value?.bins;
  return bins ? <BinGrid bins={bins} /> : <BlockGrid />;
}

function NoteBeingWritten(): ReactNode {
  const { writing } = useTimelineSelection().notes;
  return writing ? <NoteDialog writing={writing} /> : null;
}

/** The keys act as long as the timeline is open. */
function TimelineKeys(): ReactNode {
  useZoomStepKeys();
  useTimelineKeys();
  return null;
}

/** Errors of data that could not be read for the lanes, below them. */
function TimelineProblems(): ReactNode {
  const { buffer } = useTimelineData();
  const { selection } = useTimelineSelection();
  const evidence = useEvidenceAnswer();
  const samples = useLaneSamples().answer;
  const references = useReferenceSamples().answer;
  const retryBoth = (): void => {
    if (samples.error !== null) samples.retry();
    if (references.error !== null) references.retry();
  };
  return (
    <div className={laneFrame.problems}>
      <Problem sentence={buffer.error} onRetry={buffer.retry} />
      <Problem sentence={evidence.error} onRetry={evidence.retry} />
      <Problem sentence={samples.error ?? references.error} onRetry={retryBoth} />
      <Problem sentence={selection.search.error} onRetry={selection.search.retry} />
    </div>
  );
}

/** Shows the range in view in the page's status bar. */
function TimelineStatus(): ReactNode {
  const { summary, view, setStatus } = useCapture();
  const { statistics, lanes, switches, happened } = useTimelineData();
  const { range, level, gates } = useTimelineView();
  const { rulers, events } = useTimelineSelection();
  const hasEvents = events.isActive;
  const hasHappened = happened !== null;
  const hasSwitch = switches.length > 0;
  const { preview } = lanes;
  const { measuring } = rulers;
  const blocks = statistics.value?.blocks ?? null;
  const others = view.where === null ? null : view.others;
  useEffect(() => {
    setStatus(
      <StatusLeft
        span={range[1] - range[0]}
        blocks={blocks}
        level={level}
        gates={gates}
        measuring={measuring}
        others={others}
        hasSwitch={hasSwitch}
        hasEvents={hasEvents}
        hasHappened={hasHappened}
        alone={isAlone(summary)}
      />,
      isAlone(summary) ? null : clockText(view.clock, preview, summary),
    );
  }, [
    setStatus,
    range,
    level,
    gates,
    blocks,
    measuring,
    others,
    hasSwitch,
    hasEvents,
    hasHappened,
    view.clock,
    preview,
    summary,
  ]);
  return null;
}

/** Announces the selected block, or the range in view, to screen readers. */
function Announcement(): ReactNode {
  const { summary, view } = useCapture();
  const { statistics, happened } = useTimelineData();
  const { range } = useTimelineView();
  const { sequence, rulers, events } = useTimelineSelection();
  const event = events.selected === null ? undefined : happened?.answer.events[events.selected];
  const several = selectedRows(view).length;
  const said = useAnnouncement(
    rulers.measuring !== null
      ? measuringText(rulers.measuring)
      : event !== undefined && events.isActive
        ? `${formatTime(summary, event.at, 3)}: ${event.text}`
        : view.block === null
          ? texts.inViewFromBlocks(
              durationText(range[1] - range[0]),
              formatOffset(summary, range[0]),
              formatCount(statistics.value?.blocks),
            )
          : several > 1
            ? texts.blocksSelected(several, selectedText(sequence, view.secondary))
            : selectedText(sequence, view.secondary),
  );
  return (
    <div className="sr-only" aria-live="polite">
      {said}
    </div>
  );
}
