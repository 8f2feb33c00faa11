/** Texts of the export dialog. */
export const exportTexts = {
  // Export choice
  report: "Report",
  verdictChartsSequences: "verdict, charts, sequences, tables for a ticket: one HTML file",
  timelineAsAPicture: "Timeline as a picture",
  rangeWithNames: "the range, with names and figures",
  overviewAsAPicture: "Overview as a picture",
  capturesCharts: "the capture's charts",
  logBlocks: "Log blocks",
  rowPerBlock: "a row per block: the primary's instants",
  hops: "Hops",
  rowPerBlockAnd: "a row per block and replica: send to acknowledgment",
  commits: "Commits",
  rowPerCommit: "a row per commit, and what released it",
  evidenceEvents: "Events of evidence files",
  rowPerEvent: "a row per event of the servers, with its sources",
  evidenceSamples: "Samples of evidence files",
  rowPerSample: "a row per sample of waits and counters",
  captureItself: "The capture itself",
  aglensFileOpens: "an .aglens file: opens on any AG Lens, with its notes",
  verdictEvidenceCheckNext: "Verdict, evidence, check next",
  causesAndEvents: "Causes of failovers, events of the servers",
  overviewCharts: "Overview charts",
  timelineOfTheRange: "Timeline of the range",
  notes: "Notes",
  sequencesSlowestSlowest: "Sequences: slowest, slowest on the network, typical",
  slowestBlocks: "Slowest blocks",
  stageTablesAlso: "Stage tables, also as SSMS reports them",
  allBlocks: "All blocks of the range as a table",
  wholeCapture: "Whole capture",
  blocks: (durationUs: string, total: string): string => `${durationUs}, ${total} blocks`,
  coveredByEveryFile: (to: string): string => `${to}, covered by every file`,
  asOnScreen: "as on screen",

  // Export dialog
  export: "Export",
  cancel: "Cancel",
  table: "table",
  picture: "picture",
  save: (saved: string): string => `Save ${saved}`,
  onlyTheBlocks: (filter: string): string => `Only the blocks of the filter: ${filter}.`,
  slowestBlocksTheir: (filter: string): string =>
    `Slowest blocks, their sequences and the table of blocks are of the filter: ${filter}.`,
  allBlocksAreDrawn: (filter: string): string =>
    `All blocks are drawn, also those that the filter leaves out: ${filter}.`,
  writingTheFile: "Writing the file",
  leaveOutAPart: "Leave out a part",
  takesLeaveItOut: (label: string, sizes: string): string => `"${label}" takes ${sizes}: leave it out`,
  reportWouldBeMail: (bytes: string, mostReportBytes: string, largest: string): string =>
    `The report would be ${bytes}; mail and tickets often accept no more than ${mostReportBytes}. ${largest}, or choose a shorter range.`,
  what: "Content",
  notBehindALink: "not behind a link: ask who sent it for the file",
  arrow: "Arrow",
  parquet: "Parquet",
  format: "Format",
  png: "PNG",
  pngDouble: "PNG, double",
  svg: "SVG",
  eventFiles: "Event files",
  putTheXelFiles: "Put the .xel files in: raw events can be read",
  theyHoldTheNames:
    "They contain the names of servers and databases, and are excluded while names are replaced.",
  withoutThemEverythingBut: "Without them everything but raw events opens.",
  parts: "Parts",
  size: "size",
  noneInThisCapture: (label: string, isNotes: boolean, isOff: boolean, notes: string): string =>
    `${label}${isNotes ? `, ${isOff ? "none in this capture" : notes}` : ""}`,
  rangeOfTheTimeline: "Range of the timeline",
  range: "Range",
  verdictAndTablesStay: (tablesOf: string): string => `Verdict and tables stay those of the ${tablesOf}.`,
  names: "Names",
  replaceNamesOfServers: "Replace names of servers, databases and the capture",
  alsoInFileNames:
    "Also in file names. LSNs, sizes and times stay. The file does not hold what replaced what.",
  evidenceLeftOut: "Evidence files are excluded, because they contain further names.",
  namesAre: "Names are in the file as in the capture.",
  notesAsTheyWill: "Notes as they will read; a name that is written otherwise than above stays:",

  // Picture file
  allBlocksAreDrawnAlso: (words: string): string =>
    `all blocks are drawn, also those that the filter leaves out: ${words}`,
  logBlocksP50: (to: string, blocks: string, data: string): string =>
    `${to}, ${blocks} log blocks; ${data}; p50 and p95 of this range`,
  commitLatencyDotsP50: (isPartOfCapture: boolean, secondary: string): string =>
    `Commit latency${isPartOfCapture ? " over the common time" : ""} (dots, p50, bands to p95 and p99, log scale). Share of remote harden towards ${secondary} by stage. Slowest block per pixel (log scale)`,
} as const;
