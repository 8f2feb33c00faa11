import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the overview. */
export const overviewTexts = {
  // Asynchronous rows
  asynchronous: "Asynchronous",
  lagOldestLogBlock: "lag: oldest log block not acknowledged, and bytes",
  max: "max",
  asynchronousPathMeanOwn: "Asynchronous path, mean, own scale",
  howFarIsBehind: (name: string): string => `How far ${name} is behind, over time`,
  p50P95AtMost: (p50: string, p95: string, max: string, bytesMax: string): string =>
    `p50 ${p50}, p95 ${p95}, at most ${max} and ${bytesMax}.`,
  bytes: "bytes",
  bytesThatHasNot: (name: string): string => `Bytes that ${name} has not acknowledged, over time`,
  p50AtMost: (bytesP50: string, bytesMax: string): string => `p50 ${bytesP50}, at most ${bytesMax}.`,
  ackWaits: "ack waits",

  // Chart panel
  charts: "Charts",

  // Chart tables
  latency: "Latency",
  shareOfRemoteHarden: "Share of remote harden by stage",
  logBlocks: "Log blocks",
  perSecond: "Per second",

  // Charts pending
  commitLatency: "Commit latency",
  readingLogBlocks: (total: string): string => `Reading ${total} log blocks`,
  logBlocksPerSecond: "Log blocks per second",

  // Database figures
  toSameScale: (secondary: string): string => `to ${secondary}, same scale`,
  byDatabase: "By database",
  commitsLabel: "Commits",
  bytesPerSecond: "Bytes per second",
  commitLabel: (name: string): string => `Commit ${name}`,
  releasedByLocalWrite: "Released by local write",
  logWriters: "Log writers",

  // Empty charts
  withoutPrimaryFile: "Without a file of the primary there are no commits and no remote harden.",
  ownPartOnly: (name: string): string => `Without a file of the primary only ${name}'s own part is known.`,
  partNotSeparable: (name: string | undefined): string =>
    `Without a file of ${name} its part cannot be separated from the network's.`,
  withoutStartTimestamp: "Without start_timestamp neither commits nor remote harden can be followed.",
  withoutStartTimestampThe: (name: string): string =>
    `Without start_timestamp the way to ${name} and back is not known.`,

  // Empty range
  everyFileCovers: (isGapless: boolean): string =>
    `Every file covers this time: the database wrote no log here.${isGapless ? " Nothing was lost." : ""}`,
  thisCaptureHoldsNo: "This capture holds no log block",
  itsFilesHaveNo:
    "Its files have no event of a log block. Check that the session collects the data movement events.",
  noLogBlockBetween: (from: string, to: string): string => `No log block between ${from} and ${to}`,
  notEveryServer: "Not every server has events of this time: blocks may be missing here.",
  previousBlock: (time: string): string => `Previous block, ${time}`,
  nextBlock: (time: string): string => `Next block, ${time}`,
  wholeCapture: "Whole capture",

  // Findings
  finding: (foundCount: number): string => plural(foundCount, "# finding"),
  howThisWasMeasured: "How this was measured",
  ofLogBlocks: (onBoth: string, joinable: string): string =>
    `${onBoth} of ${joinable} log blocks of the common time are joined.`,
  howToCheck: "How to check",
  showIt: (to: string): string => `${to}: show it`,
  andMore: (windowCount: string): string => `and ${windowCount} more`,
  ofCommitLatency: (share: string): string => `${share} of commit latency`,
  commitP95Outside: (p95Inside: string, p95Outside: string): string =>
    `commit p95 ${p95Inside}, ${p95Outside} outside`,
  limit: (threshold: string, source: string): string => `limit: ${threshold} (${source})`,
  times: (windowCount: string, span: string): string => `${windowCount} times, ${span}`,

  // Ground labels
  noLogBlocksFor: (to: string): string => `no log blocks for ${to}`,
  blocks: (label: string, episodeLength: string, blocks: string): string =>
    `${label}, ${episodeLength}, ${blocks} blocks`,

  // Latency block
  remoteHarden: "Remote harden",
  oneRowPerDatabase: "one row per database, one scale",
  latencyOf: "Latency of",
  commit: "Commit",
  showAsCharts: "Show as charts",
  showAsTable: "Show as table",
  inView: (own: string, bins: string): string => `${own}: ${bins} in view.`,
  over: (metric: string, to: string): string => `${metric} over ${to}`,
  nothingToMeasure: (range: string): string => `${range}: nothing to measure.`,
  toP95: "to p95",
  toP99: "to p99",
  oneCommit: "one commit",
  oneBlock: "one block",
  thisOne: (isCommit: boolean, value: string): string =>
    `${isCommit ? "this commit " : "this block "}${value}`,

  // Latency row
  commits: (count: string): string => `${count} commits`,
  releaseOfNotKnown: (unreleased: string): string => `release of ${unreleased} not known`,
  oneRowPerDatabasePart: "one row per database",

  // Marks card
  marks: "Marks",
  setWhile: (markCount: string): string => `${markCount} set while it was recorded`,
  show5SBefore: "Show 5 s before and after it",
  mark: "Mark",
  byRule: "by rule",
  byHand: "by hand",

  // Overview screen
  averages: "Averages",
  moreAverages: "More averages",

  // Overview status
  inViewLabel: "In view",
  nextPrevious: (kind: string): string => `next, previous ${kind}`,
  open: "open",
  filter: "filter",
  wholeCapturePart: "whole capture",

  // Phase figures
  thePrimary: "the primary",
  theSecondary: "the secondary",
  perPhase: (pathMeanName: string): string => `${pathMeanName} per phase`,
  sameScale: "same scale",
  commitP50: "Commit p50",
  commitP95: "Commit p95",
  commitMax: "Commit max",
  releasedByASecondarys: (parts: string): string => `Released by a secondary's ack: ${parts}.`,
  sameLogDisk: "The same log disk in both roles",
  logWriteP50: "log write, p50 and p95",

  // Phone minimap
  recordedByTheWatch: (group: string, time: string): string =>
    `Recorded by the watch of ${group}, trigger ${time}`,
  watch: "Watch",
  triggerAt: (time: string): string => `trigger ${time}`,
  slowestBlockOverTime: "Slowest block over time",
  openTheTimeline: "open the timeline",

  // Rail
  whole: "Whole",
  otherwise: "Otherwise",
  to: (secondary: string): string => `to ${secondary}`,
  meanOfAllBlocks: "the mean of all blocks",
  meanInView: "the mean in view",
  otherStagesTogether: (rowCount: number, share: string): string =>
    `${rowCount} other stages: ${share} together.`,
  distribution: "Distribution",
  writesEach: (each: string): string => `${each} writes each`,
  logWritesByClass: "Log writes by class",
  averagesAsSsmsReports: "Averages as SSMS reports them",

  // Rate block
  noneAtTheCursor: "none at the cursor",
  atTheCursorPer: (rate: string, byte: string): string => `${rate} at the cursor, ${byte} per block`,
  logBlocksInView: (total: string, most: string): string =>
    `${total} log blocks in view, at most ${most} per second.`,

  // Release rows
  releasedTheCommits: "Released the commits",
  commitsReleasedPerSecond: "commits released per second",
  commitsPart: "commits",
  share: "share",
  synchronousPathMean: "Synchronous path, mean",
  commitsThatReleasedOver: (name: string): string => `Commits that ${name} released, over time`,
  commitsAtMostPer: (commits: string, share: string, count: string): string =>
    `${commits} commits, ${share}; at most ${count} per second.`,
  figuresOfOneSecondary: (name: string): string =>
    `${name}. Figures of one secondary, such as those of Distribution, are about it once it is chosen`,
  sAck: (name: string): string => `${name}'s ack`,
  syncOrUndetermined: "sync or undetermined",

  // Replica candidates
  localLogWrite: "Local log write",

  // Replica matrix
  replicasOnOneScale: "Replicas on one scale",
  pressOneToSee: "press one to see its time alone",

  // Roles ribbon
  roles: "Roles",
  availabilityModes: "Availability modes",
  colorFollowsTheRole: "color follows the role, name follows the server",
  switch: "switch",
  primary: "primary",
  secondary: "secondary",
  alone: (name: string, words: string, otherName: string): string => `${name}, ${words}: ${otherName} alone`,
  showAllPhases: "Show all phases",
  showTheFigures: (name: string): string => `Show the figures of ${name} alone`,
  noEventsOf: (name: string | undefined): string => `no events of ${name}`,

  // Share block
  noRemoteHarden: "No remote harden in view.",
  whicheverPart: (standstill: string): string => ` ${standstill}, whichever part it is in.`,
  sharesOfRemoteHarden: (parts: string, still: string): string =>
    `Shares of remote harden in view: ${parts}.${still}`,

  // Slowest card
  slowest: (kind: string): string => `slowest ${kind}`,
  listOfTheSlowest: "List of the slowest",
  blocksLabel: "Blocks",

  // Switch lines
  primaryPart: (name: string): string => `${name} primary`,

  // Unawaited replicas
  asynchronousCommitNoCommit: "Asynchronous-commit, no commit waits",
  lagP50P95: (name: ReactNode, p50: string, p95: string): ReactNode =>
    sentence`${name} lag ${p50} p50, ${p95} p95`,

  // Use judged
  inViewPart: (to: string, ofDatabase: string): string => `${to} in view${ofDatabase}`,

  // Verdict band
  verdict: "Verdict",
  warningsAboutThisCapture: (warningCount: number): string =>
    plural(warningCount, "# warning about this capture", "# warnings about this capture"),
  checkNext: "Check next",

  // View bar
  secondaryLabel: "Secondary",
  rangeInView: "Range in view",
  toPart: (from: string, to: string): string => `${from} to ${to}`,
} as const;
