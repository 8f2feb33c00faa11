import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the timeline's lanes. */
export const timelineLanesTexts = {
  stages: "Stages",
  allSources: "All sources",
  eventsOfServers: "events of all servers",
  noDataMovementEvents: "No data-movement events in these files. Commit latency and stages can't be shown.",
  // Bin grid
  noLogBlock: (lane: string, when: string): string => `${lane}, no log block, ${when}`,
  maximum: (max: string): string => `maximum ${max}`,
  blocksAroundTheView: (count: string): string =>
    `${count} blocks around the view, too many to walk one by one. Arrow keys move by range and lane. Enter selects the slowest block of a range`,

  // Block grid
  noLogBlocks: "No log blocks in view",
  blocksByLaneArrow: "Blocks by lane: arrow keys move, Enter selects, Shift+Enter adds",

  // Block tip
  overItsLimit: "over its limit",
  arrivesBeforeItLeaves: (us: string): string => `arrives ${us} before it leaves`,
  releasedBy: (release: string): string => `released by ${release}`,
  notAcknowledged: "not acknowledged in this capture",
  alignedItTakes: (aligned: string): string => `aligned it takes ${aligned}`,
  otherStages: (duration: string): string => `other stages ${duration}`,
  largestOfThisPixel: "Largest of this pixel; click for its block",

  // Equal lsns lane
  equalLsns: "Equal LSNs",
  inSeveralTwoDatabases: (count: string, databaseCount: number): string =>
    `${count} in ${databaseCount > 2 ? "several" : "two"} databases`,
  tooMany: "Too many to be marked in this view: zoom in, or select a block",
  eachDatabase: (lsn: string, name: string): string =>
    `${lsn} ${name}: each database has a log of its own, so this LSN names a block in another one too.`,

  // Gutter
  limit: (limitUs: string): string => `Limit ${limitUs}. `,
  lostEvents: (count: number, isCounted: boolean): string => {
    if (count === 0) return "";
    return isCounted
      ? `${plural(count, "# event")} of this server lost, by event_sequence. `
      : `${plural(count, "At least # event")} lost. `;
  },
  pressForATall: (limit: string, index: number, pinned: boolean): string =>
    `${limit}Press ${index} for a tall or thin lane. ${pinned ? "This lane is pinned." : "Drag it up, or open its menu (Shift+F10, right click), to pin it above the others."}`,
  pinned: (replica: string, pinned: boolean): string => `${replica}${pinned ? ", pinned" : ""}`,
  farOverItsLimit: ", far over its limit",
  lanesOf: (folded: boolean, name: string): string => `${folded ? "Unfold" : "Fold"} the lanes of ${name}`,
  shift: (does: string, replica: number): string => `${does} (Shift+${replica})`,
  lane: (quietCount: number): string => plural(quietCount, "lane"),
  thinOverTheLimit: (quietCount: number, lanes: string, over: number): string =>
    `${quietCount} thin ${lanes}, ${over} over the limit at p95`,
  quiet: (quietCount: number, lanes: string, most: number, otherMost: string): string =>
    `${quietCount} quiet ${lanes}${most > 0 ? `, up to ${otherMost}` : ""}`,
  lanes: "Lanes",
  thisReplica: "this replica",

  // Lane menu
  ofBlock: (what: string, lsn: ReactNode): ReactNode => sentence`${what} of block ${lsn}`,
  laneLabel: (label: string): string => `Lane ${label}`,
  thisInstant: "This instant",
  ofBlockPart: (what: string, lsn: string): string => `${what} of block ${lsn}`,
  copyTime: "Copy time",
  copyTimeOf: "Copy time of its start",
  copy: "Copy",
  measureFromHere: "Measure from here",
  snapsToEdges: "snaps to edges",
  filterToBlocksLike: "Filter to blocks like it",
  addToTheSelection: "Add to the selection",
  ctrlClick: "Ctrl click",
  openSequence: "Open sequence",
  unpinLane: "Unpin lane",
  pinLaneAbove: "Pin lane above the others",
  makeLaneThin: "Make lane thin",
  makeLaneTall: "Make lane tall",
  copied: "copied",
  browserDoesNotAllow: "the browser does not allow copying here",

  // Lanes view
  hits: "hits",
  inSelection: "in selection",
  readingLogBlocks: (total: string): string => `Reading ${total} log blocks of the capture`,
  ms: "10 ms",

  // Legend
  solidPrimaryDotsNetwork: "Solid: primary; dots: network; diagonal: secondary",
  inCommitsWhen: "in commits: when the isolated stage ran",
  othersAt20Figures: "others at 20\u2009%; figures at the left: hits only",
  lineP50StrokesMaximum: "line p50, strokes maximum",
  logHeightCapOver: "log height; cap: over its limit",
  oneBarPerBlock: "one bar per block",
  softEdgeClockUncertainty: "soft edge: clock uncertainty",
  allStages: "All stages",
  aloneTheOthersSet: (words: string): string => `${words} alone, the others set back`,

  // Markers lane
  primary: "the primary",
  filesHaveNoEvents: (name: string): string => `The files have no events of ${name} at this time`,
  noFlowControlVlf:
    "No flow control, VLF switch, still-waiting event, new primary, clock step or pause in view",
  markers: "Markers",

  // Menu target
  offset: "Offset",
  lsnHex: "LSN, hex",
  lsnDecimal: "LSN, decimal",
  rowWithAllStages: "Row, with all stages",
  lsnDecimalLabel: "LSN decimal",
  offsetS: "Offset µs",
  releasedByLabel: "Released by",
  releasedByPart: (release: string): string => `, released by ${release}`,
  from: (end: string, start: string, released: string): string => `${end} from ${start}${released}`,
  fromOn: (lane: string, least: string): string => `${lane} from ${least} on`,

  // Minimap strip
  markedBelow: (marked: number): string => `${plural(marked, "# hit")} marked below`,
  isolatedStagesOnlyLog: "isolated stages only, log scale",
  slowestBlockPerPixel: "slowest block per pixel, log scale",
  slowestBlockPerPixelPart: (duration: string): string => `${duration}, slowest block per pixel`,
  sAroundTheView: "4 s around the view",
  sameScaleOfDuration: "same scale of duration",

  // More lanes
  moreLane: (hidden: number): string => plural(hidden, "# more lane"),

  // States of time
  noBars: "no bars",

  // Switch overlay
  bothFilesCover: "both files cover this time",
  someEvents: "some events of it are missing",
  showAllPhases: "Show all phases",
  alone: (phaseName: string): string => `${phaseName} alone`,
} as const;
