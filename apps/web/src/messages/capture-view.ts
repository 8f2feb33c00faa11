import type { ReactNode } from "react";
import { sentence } from "./sentence.ts";
import { plural } from "@aglens/ag-model/words";

/** Texts of parts that the screens of a capture have in common. */
export const captureViewTexts = {
  logWrite: "Log write",
  logWriteSplit: "Log write, split",
  splitOn: (server: string): string => `Log write on ${server}, split`,
  share: "Share",
  partTakes: (part: string, share: string, server: string): string =>
    `${part === "SQL Server's queue" ? part : `The ${part.toLowerCase()}`} takes ${share} of the log writes on ${server}.`,
  otherPart: (part: string, p95: string): string => `${part}: p95 ${p95}.`,
  noPartTakesHalf: (server: string): string => `No part takes half of the log writes on ${server}.`,
  notRecorded: "Not recorded.",
  noFileHasFileWrites: "Without file writes, a log write is one bar: SQL Server and the log disk together.",
  timesOfOneClock: "All times are from the clock of one server: exact.",
  addToRecording: "Add to recording",
  splitIn: (split: string, writes: string): string => `Log write split in ${split} of ${writes} writes`,
  partOfWrite: (write: string, part: string): string => `${write}: ${part}`,
  // Capture context
  whatIf: "What if",
  rawEvents: "Raw events",
  howThisWasRead: "How this was read",

  // Capture links
  anotherDatabase: "another database",
  andMore: (otherCount: number): string => ` and ${otherCount} more`,
  lsnNamesABlock: (lsn: string): string =>
    `The LSN ${lsn} names a block in each of these databases: each has a log of its own.`,
  alsoIn: (name: string): string => `also in ${name}`,

  // Coverage
  noEventsOf: (names: string): string => `no events of ${names}`,
  eventsOfLost: (names: string): string => `events of ${names} lost`,
  notArrivedOnYet: (names: string): string => `not arrived on ${names} yet`,
  replica: "a replica",

  // Databases
  wholeCapture: "whole capture",
  wholePhase: "whole phase",

  // Figures
  noCommitKnown: "no commit known",
  commit: (count: number): string => plural(count, "# commit"),
  upTo10: "up to 10",
  to20: "10 to 20",
  to50: "20 to 50",
  over50Ms: "over 50 ms",

  // Found blocks
  blockIds: "Block ids have a hole here: log blocks of this time are missing in the files.",

  // Names
  secondary: "secondary",
  secondaryPart: (slot: number): string => `secondary ${slot}`,
  behind: "behind",
  ahead: "ahead",
  aheadOf: "ahead of",
  onAverage: "on average",

  // Phases
  commits: "commits",
  knownCommit: "known commit",
  phase: (phase: number): string => `Phase ${phase}`,
  replicaLabel: "A replica",
  commitPart: (name: string, isAsync: boolean): string =>
    `${name} ${isAsync ? "asynchronous" : "synchronous"}-commit`,
  from: (replica: string, at: string): string => `${replica} from ${at}`,
  until: (ends: string, when: string): string => `${ends} until ${when}`,

  // Release
  noCommit: "no commit of this block in the capture",
  whatReleasedItsCommits: "what released its commits is not known",
  secondaryLabel: "The secondary",
  theSecondary: "the secondary",

  // Shown range
  wholeCaptureLabel: "Whole capture",
  commonTime: "Common time",

  // Stage means
  ack: (secondary: string): string => `${secondary} ack`,
  networkAnd: (secondary: string): string => `Network and ${secondary}`,
  knownStages: "the known stages",
  sPart: (secondary: string): string => `${secondary}'s part`,
  meanRemoteHarden: "Mean remote harden",
  meanOf: (part: string): string => `Mean of ${part}`,
  meanOfPart: (name: string, part: string | null): string => `${name}: mean of ${part}.`,
  server: "A server",
  wasUnresponsive: (server: string, share: string): string => `${server} was unresponsive for ${share} of it`,
  wasUnresponsiveFor: (server: string, us: string, mean: string): string =>
    `${server} was unresponsive for ${us} of ${mean}. Stages and network did not need this time.`,
  queueToRelease: "queue to release",
  remoteHardenTime: "Remote harden (time_to_commit)",
  toAndBack: (secondary: string): string => `to ${secondary} and back`,
  primaryLogFlush: "Primary log flush",
  secondaryLogFlush: "Secondary log flush",
  secondaryProcessing: "Secondary processing",
  receiveToAcknowledgment: "receive to acknowledgment sent",
  wasUnresponsivePart: (server: string): string => `${server} was unresponsive`,

  // Table file
  where: (words: string): string => ` where ${words}`,

  // Table tools
  copy: (name: string): string => `Copy: ${name}`,
  copyLabel: "Copy",
  saveAsCsv: (name: string): string => `Save as CSV: ${name}`,

  // Time choice
  range: "Range",
  inView: (shown: string): string => `In view, ${shown}`,

  // Zones
  thisBrowser: (zoneName: string): string => `${zoneName}, this browser`,
  fromTheStart: "From the start",
} as const;

/** Texts of the lists of slowest blocks and commits. */
export const slowestTexts = {
  // Commit columns
  slowestCommitHoldsHalf: "The slowest commit holds half of all waiting.",
  slowestCommitsHoldHalf: (half: string): string => `The ${half} slowest commits hold half of all waiting.`,
  openBlock: (blockName: string): string => `Open block ${blockName}`,
  notKnown: "not known",
  localLogWrite: "local log write",
  selectCommit: (index: number, start: string): string => `Select commit ${index}, ${start}`,

  // Ranked list
  first: (words: string, otherwise: string | undefined): string => `The first ${words}. ${otherwise}`,
  showMore: (words: string): string => `Show more, ${words}`,

  // Slowest commits
  slowestCommits: "Slowest commits",
  noCommit: "No commit of this capture is known.",
  noCommitInView: "No commit in view.",
  paths: "Paths",
  synchronousPathsOnOne: "synchronous paths on one scale, from the start of the commit",
  earlier: (name: string, earlierUs: ReactNode): ReactNode => sentence`${name}, ${earlierUs} earlier`,
  commit: "commit",
  releasesTheCommit: "releases the commit",
  releasesCommits: (commits: string): string => `releases ${commits} commits`,

  // Slowest table
  slowestBlocks: "Slowest blocks",
  zoomInOrChange: "Zoom in or change the order to see others.",
  fastestBlocks: "Fastest blocks",
  remoteHarden: "Remote harden",
  secondaryLogWrite: "Secondary log write",
  orderBy: "Order by",
  commitLabel: "Commit",
  blockRemoteHardenOf: (blockName: string, stage: string, position: number, total: string): string =>
    `Block ${blockName}, remote harden ${stage}, ${position} of ${total}`,
} as const;
