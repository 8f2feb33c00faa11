import { plural } from "@aglens/ag-model/words";

/** Texts of the timeline. */
export const timelineTexts = {
  // Band handles
  selectionBegins: "Selection begins",
  selectionEnds: "Selection ends",

  // Empty view
  fileCovers: "The file covers",
  bothReplicasFilesCover: "Both replicas' files cover",
  allFilesCover: "All files cover",
  replica: "a replica",
  filesCover: (names: string): string => `${names} files cover`,
  fileCoversPart: (names: string): string => `${names} file covers`,
  noBlock: "No block of the filter lies here. Others may: the filter's row above clears it.",
  filesHaveNoEvents: (names: string): string =>
    `The files have no events of ${names} at this time: what was written here is not in the capture.`,
  fileHasAGap: "A file has a gap: whether log was written here is not known.",
  coverWithoutReplica: (primariesCover: string, names: string): string =>
    `${primariesCover} this time: the database wrote no log here. The files have no events of ${names} at this time.`,
  coverWithoutHole: (covers: string): string =>
    `${covers} this time, and block ids continue without a hole: the database wrote no log here. Nothing was lost.`,
  coverThisTime: (covers: string): string => `${covers} this time: the database wrote no log here.`,
  nothingBetween: (hasNoWhere: boolean, offset: string, otherOffset: string): string =>
    `No ${hasNoWhere ? "log block" : "block of the filter"} between ${offset} and ${otherOffset}`,
  previousBlock: (previous: string): string => `Previous block${previous}`,
  nextBlock: (next: string): string => `Next block${next}`,
  wholeCapture: "Whole capture",

  // Phone bar
  blocks: "Blocks",
  previousSlowBlock: "Previous slow block",
  nextSlowBlock: "Next slow block",
  blocksPart: (blocks: string): string => `, ${blocks} blocks`,
  all: "All",
  fit: "Fit",
  sequence: "Sequence",

  // Status
  medianAndMaximumPer: "median and maximum per pixel",
  everyBlockDrawnTallest: "every block drawn, tallest on top",
  oneBarPerBlock: "one bar per block, right end: what released the commit",
  oneBarPerBlockWithItsEvents: "one bar per block with its events",
  offTheEdges: "off the edges of bars",
  end: "end",
  inView: (span: string): string => `${span} in view`,
  inViewHitOthers: (span: string, blocks: number, isDim: boolean): string =>
    `${span} in view, ${plural(blocks, "# hit")}, ${isDim ? "others dimmed" : "others hidden"}`,
  nextPreviousHit: "next, previous hit",
  sequencePart: "sequence",
  fitHits: "fit hits",
  filter: "filter",
  commitsColoredByWhat: "commits colored by what released them",
  inViewBlockCommits: (span: string, blocks: number, gates: string): string =>
    `${span} in view, ${plural(blocks, "# block")}, ${gates}`,
  zoom: "zoom",
  pan: "pan",
  nextPreviousSlowBlock: "next, previous slow block",
  changeOfRoles: "change of roles",
  fitPart: "fit",
  rulerChooseWhere: "Ruler: choose where it begins",
  rulerChooseWhereIt: "Ruler: choose where it ends",
  rawUtcSecondaryInstants: "Raw UTC: secondary instants as their own clock wrote them; figures stay aligned",
  secondary: "The secondary",
  asItsClockAllows: (name: string, abs: string, us: number): string =>
    `${name} ${abs} ${us < 0 ? "earlier" : "later"}, as its clock allows; round trips and sums stay`,
  sClock: (referenceName: string): string => `${referenceName}'s clock`,
  secondaryPart: "a secondary",
  timesOn: (clock: string): string => `Times on ${clock}`,
  notOnPlaced: (astray: string, clock: string): string => `${astray} not on ${clock}: placed by UTC`,
  primary: "the primary",

  // Timeline screen
  timelineOf: (name: string): string => `Timeline of ${name}`,
  inViewFromBlocks: (range: string, otherRange: string, blocks: string): string =>
    `${range} in view from ${otherRange}, ${blocks} blocks`,
  blocksSelected: (several: number, sequence: string): string => `${several} blocks selected; ${sequence}`,

  // Zoom row
  zoomsAndSelection: "Zooms and selection",
  zoomBack: "Zoom back",
  zoomBackBackspace: "Zoom back (Backspace)",
  zoomAheadAgain: "Zoom ahead again",
  zoomAheadAgainAlt: "Zoom ahead again (Alt+→)",
  zooms: "Zooms",
  back: "back",
  selection: (to: string): string => `Selection ${to}`,
  copyLinkToIt: "Copy link to it",
  clear: "Clear",
} as const;
