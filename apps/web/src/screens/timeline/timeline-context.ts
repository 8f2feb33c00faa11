import { type Context, createContext, use } from "react";
import type { MarkerWindow, RangeStatistics, Sequence } from "@aglens/contract";
import type { EqualBlock } from "../../charts/timeline/equal-lsn-marks.ts";
import type { ChosenBars, Hits } from "../../charts/timeline/scene.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";
import type { Answer } from "../../data/use-answer.ts";
import type { PlacedNote } from "../../notes/placed-note.ts";
import type { NotesOfCapture } from "../../notes/use-notes.ts";
import type { UncoveredRole } from "../capture-view/coverage.ts";
import type { RoleSwitch } from "../capture-view/phases.ts";
import type { HitList } from "../capture-view/found-blocks.ts";
import type { Cursor } from "./cursor.ts";
import type { EventSelection } from "./happened/use-event-selection.ts";
import type { Happened } from "./happened/use-happened.ts";
import type { BlockSelection } from "./use-block-selection.ts";
import type { GridFocus } from "./lanes/use-grid-focus.ts";
import type { DatabaseStatistics } from "./panes/use-database-statistics.ts";
import type { PartedStatistics } from "./panes/use-parted-statistics.ts";
import type { Rulers } from "./use-rulers.ts";
import type { TimelineLanes } from "./lanes/use-lanes.ts";
import type { Range, Viewport } from "./viewport.ts";

/** The drawn and listed data of the range in view. Instants and lengths in µs. */
export interface TimelineData {
  readonly lanes: TimelineLanes;
  readonly uncovered: readonly UncoveredRole[];
  readonly buffer: Answer<Buffer>;
  /** The filter's blocks where the others are dimmed; null without a filter, or where the others are skipped. */
  readonly hitBuffer: Buffer | null;
  /** The value that the filter compares a stage with, and the lanes of that stage. */
  readonly threshold: Hits["threshold"];
  /** Keys of the isolated lanes; empty where all lanes are equal. */
  readonly isolated: readonly string[];
  /** Statistics of the range in view. */
  readonly statistics: Answer<RangeStatistics>;
  /** Changes of roles, in the order of time. */
  readonly switches: readonly RoleSwitch[];
  /** Statistics by phase of the selected range, else of the range in view; null where the range is within one phase. */
  readonly parted: PartedStatistics | null;
  /** Statistics of the selected range, else of the range in view, for each database that has lanes of its own. */
  readonly ofDatabases: DatabaseStatistics;
  readonly markers: Answer<MarkerWindow>;
  /** Facts of the capture's evidence files; null where it has none. */
  readonly happened: Happened | null;
  /** Loaded blocks whose LSN also names a loaded block of another database. */
  readonly equalLsns: readonly EqualBlock[];
  /** No block is in view. */
  readonly isEmpty: boolean;
}

/** The range in view, and its movement. */
export interface TimelineView {
  /** The time in view while it moves. */
  readonly viewport: Viewport;
  /** Length of the capture. */
  readonly duration: number;
  /** The time in view once it rests. */
  readonly range: Range;
  readonly cursor: Cursor;
  /** Level of detail of the lanes; null before they are drawn. */
  readonly level: Level | null;
  readonly setLevel: (level: Level) => void;
  /** Commits have the color of the cause that released them. */
  readonly gates: boolean;
}

/** State of selection, keyboard focus, rulers and notes. */
export interface TimelineSelection {
  readonly selection: BlockSelection;
  /** The filter's blocks, listed. */
  readonly hits: HitList;
  /** The selected block from commit to commit. */
  readonly sequence: Answer<Sequence>;
  /** The selected block's own bars, for when the window has bins. */
  readonly chosenPath: ChosenBars | null;
  /** The blocks that are selected in addition to it, and their bars. */
  readonly kept: Answer<readonly Sequence[]>;
  readonly keptPaths: readonly ChosenBars[];
  /** The selected event of evidence files. */
  readonly events: EventSelection;
  readonly rulers: Rulers;
  readonly focus: GridFocus;
  readonly notes: NotesOfCapture;
  /** Selects the target of a note, and brings it into view. */
  readonly openNote: (note: PlacedNote) => void;
  /** Begins a note on the selection, else on the range in view. */
  readonly beginNote: () => void;
}

/**
 * State that the parts of the timeline share. It has three contexts, so that a selection does not render the parts that
 * show the range in view.
 */
export interface Timeline {
  readonly data: TimelineData;
  readonly view: TimelineView;
  readonly selection: TimelineSelection;
}

export const DataContext = createContext<TimelineData | null>(null);
export const ViewContext = createContext<TimelineView | null>(null);
export const SelectionContext = createContext<TimelineSelection | null>(null);

function useInside<T>(context: Context<T | null>): T {
  const value = use(context);
  if (value === null) throw new Error("No timeline is around this component.");
  return value;
}

/** The drawn and listed data of the timeline around this component. */
export const useTimelineData = (): TimelineData => useInside(DataContext);

/** The range in view of the timeline around this component. */
export const useTimelineView = (): TimelineView => useInside(ViewContext);

/** The selection of the timeline around this component. */
export const useTimelineSelection = (): TimelineSelection => useInside(SelectionContext);
