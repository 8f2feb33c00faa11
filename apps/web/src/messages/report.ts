import { plural } from "@aglens/ag-model/words";

/** Texts of the report. */
export const reportTexts = {
  // All blocks part
  allBlocks: "All blocks of the timeline",
  towards: (rowCount: number, hasNoFilter: boolean, secondary: string): string =>
    `${plural(rowCount, "# block")}${hasNoFilter ? "" : " of the filter"} towards ${secondary}`,

  // Blocks part
  sequences: "Sequences",
  toScaleEachBlock: "to scale; each block on its own time axis",
  releasedByTheLocal: "released by the local log write",
  secondary: "a secondary",
  releasedBySAcknowledgment: (replica: string): string => `released by ${replica}'s acknowledgment`,
  slowestBlocks: "Slowest blocks",
  ofStagesToOne: (rowCount: string, total: string, hasNoFilter: boolean, isPartOfCapture: boolean): string =>
    `${rowCount} of ${total}${hasNoFilter ? "" : " of the filter"}${isPartOfCapture ? " in the common time" : ""}; stages to one scale, local log write below`,

  // Chosen blocks
  slowestBlock: "Slowest block",
  slowestOnTheNetwork: "Slowest on the network alone",
  typicalBlock: "A typical block",

  // Contents
  stagesOverTime: "Stages over time",
  stageTables: "Stage tables",
  howThisWasMade: "How this was made",
  partsOfTheReport: "Parts of the report",

  // Happened part
  fromEvidenceFiles: "from evidence files, on the clock of the primary replica; no figure uses them",
  moreSources: (count: number): string => plural(count, "# more"),
  moreRules: (count: number): string =>
    `${plural(count, "# more comparison isn't", "# more comparisons aren't")} shown.`,

  // Notes part
  notes: "Notes",
  writtenByWhoLooked: "written by people who looked at the capture, not from events",
  noteOn: (placeInDay: string): string => `Note on ${placeInDay}.`,
  block: (lsn: string, from: string): string => `block ${lsn}, ${from}`,

  // Overview drawings
  ofTheWholeCapture: "of the whole capture: ",
  commitLatencyOverP50: ({
    to,
    of,
    p50,
    p95,
    count,
  }: {
    readonly to: string;
    readonly of: string;
    readonly p50: string;
    readonly p95: string;
    readonly count: string;
  }): string => `Commit latency over ${to}: ${of}p50 ${p50}, p95 ${p95} of ${count} commits.`,
  shareOfRemoteHarden: "Share of remote harden by stage; the table of stages has the figures.",
  slowestBlockPerPixel:
    "The slowest block per pixel of the whole capture; the frame is the range of the timeline below.",
  noLogBlocksFor: (to: string): string => `no log blocks for ${to}`,

  // Overview part
  dotsTheLongestCommits: "dots: the longest commits",
  dotsOneCommitEach: "dots: one commit each",
  commitLatencyOverThe: (isPartOfCapture: boolean): string =>
    `Commit latency over the ${isPartOfCapture ? "common time" : "capture"}`,
  noCommitKnown: "no commit known",
  lineP50Bands: (dots: string): string => `${dots}; line p50, bands to p95 and p99; log scale`,
  shareOfRemoteHardenByStage: "Share of remote harden by stage",
  towardsPart: (secondary: string): string => `towards ${secondary}`,
  blocks: (label: string, to: string, blocks: string): string => `${label}, ${to}, ${blocks} blocks`,
  blocksPart: (label: string, blocks: string): string => `${label}, ${blocks} blocks`,
  otherwiseBlocks: (total: string): string => `Otherwise, ${total} blocks`,
  whereRemoteHardenGoes: "Where remote harden goes",
  meanPerBlockOne: "mean per block, one scale",

  // Report
  agLensReport: (name: string): string => `${name}: AG Lens report`,
  agLensReportLabel: "AG Lens report",
  filterOfLogBlocks: (words: string, blocks: string, total: string): string =>
    `Filter: ${words}, ${blocks} of ${total} log blocks. The slowest blocks, their sequences and the table of all blocks are of these alone. Verdict, charts and figures are of all blocks.`,
  timeline: (times: string): string => `Timeline, ${times}`,
  rangeBlocksData: (to: string, blocks: string, data: string): string => `${to}, ${blocks} blocks, ${data}`,
  liveRun: "a live run",
  writtenByAgLens: (madeAt: string, files: string, replacesNames: boolean): string =>
    `Written by AG Lens on ${madeAt} from ${files}. ${replacesNames ? "Names of servers, databases and the capture are replaced; also in notes; LSNs, sizes and times are as captured." : "Names are as in the capture."} This page holds its figures and pictures, loads nothing and sends nothing.`,

  // Sequence drawing
  logWrite: (primary: string): string => `${primary} log write`,
  commitWaits: "commit waits",
  commitsWaitUpTo: (allCount: number): string => `${allCount} commits wait up to`,

  // Tables part
  stages: "Stages",
  towardsP95FromValues: (secondary: string, leastP95: number, leastP99: number): string =>
    `towards ${secondary}; p95 from ${leastP95} values, p99 from ${leastP99}; percentiles are interpolated between ranks`,
  thisMean: "this mean",
  shareIsAStages: (
    pathMeanName: string,
    pathMean: string,
    isTotalKnown: boolean,
    standstill: string,
  ): string =>
    `${pathMeanName} ${pathMean}${isTotalKnown ? "; a share is a stage's mean of it, over blocks of which every stage is known." : "; of remote harden, which is not known, there are no shares."}${standstill}`,
  logWritesByClass: "Log writes by class",
  numberOfWrites: "number of writes",
  asSsmsReportsThem: "As SSMS reports them",
  averagesOfThe: (choice: string): string => `averages of the ${choice}`,
  clock: "Clock",
  thereIsOneClock: "There is one clock: no secondary was given.",
  completeness: "Completeness",
  secondaryPart: "the secondary",
  primary: "the primary",
  clockCannotBeAligned: (name: string, other: string, reason: string): string =>
    `${name}'s clock cannot be aligned with ${other}'s: ${reason}`,
  wasAnd: (ahead: string): string => ` was ${ahead} and`,
  wholeCapture: "Whole capture: ",
  events: (name: string, count: string): string => `${name} ${count} events`,
  noFile: (name: string): string => `${name} no file`,
  replica: "a replica",
  filesHaveNoEvents: (name: string, from: string, to: string): string =>
    `The files have no events of ${name} from ${from}, ${to}: nothing is known of it there.`,
  file: (fileCount: number): string => plural(fileCount, "# file"),
  ofLogBlocksJoined: (of: string, onBoth: string, joinableBlocks: string, completeEndToEnd: string): string =>
    `${of}${onBoth} of ${joinableBlocks} log blocks joined on both sides, ${completeEndToEnd} complete from end to end.`,
  noCommitIsKnown: "No commit is known.",
  commitsBlocks: (count: string, withCommit: string): string =>
    `${count} commits, ${withCommit} blocks with a commit.`,
  blocksWithACommit: (of: string, withCommit: string): string => `${of}${withCommit} blocks with a commit.`,
  eventsOfNoLog: (outside: string): string => `Events of no log block, in no figure: ${outside}.`,
  noPart: "No part of a file was skipped as damaged.",
  damagedPartsWereSkipped: (gapCount: string, gaps: string): string =>
    `${gapCount} damaged parts were skipped: ${gaps}`,
  sClockIsAligned: ({
    name,
    offset,
    strictUncertaintyUs,
    blocksUsed,
    minNetworkRoundTripUs,
  }: {
    readonly name: string;
    readonly offset: string;
    readonly strictUncertaintyUs: string;
    readonly blocksUsed: string;
    readonly minNetworkRoundTripUs: string;
  }): string =>
    `${name}'s clock${offset} is aligned to ${strictUncertaintyUs} over ${blocksUsed} blocks; the least round trip was ${minNetworkRoundTripUs}. Round trips, log writes and every sum are exact; only the split into out and back carries the ±.`,

  // Timeline drawing
  timelineOfLogBlocks: (to: string, blocks: string, boxes: string): string =>
    `Timeline of ${to}, ${blocks} log blocks: ${boxes}.`,
  heightDurationLogScale: "height: duration, log scale; crimson cap: over its limit",
  barPerBlockLength: "a bar per block, length to scale; crimson cap: over its limit",

  // Verdict part
  checkNext: "Check next",
  allFindings: "All findings",
  howThisWasMeasured: "How this was measured",

  // Write report
  fileTitle: (data: string): string => `AG Lens report: ${data}`,
} as const;
