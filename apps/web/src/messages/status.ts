import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the server's status screen. */
export const statusTexts = {
  // Audit card
  auditLog: "Audit log",
  searchTheAuditLog: "Search the audit log",
  whoWhatCapture: "User, action, capture",
  notSignedIn: "not signed in",
  noEntryYet: "No entry yet.",
  noEntryHas: (words: string): string => `No entry has “${words}”.`,
  newer: "Newer",
  older: "Older",

  // Disk card
  tablesAndPictures: "Tables and pictures",
  uploadsUnderWay: "Uploads under way",
  liveRuns: "Live runs",
  catalogAndReserveFile: "Catalog and reserve file",
  notKnown: "Not in the catalog",
  copiesOfCaptures: "Copies of captures",
  copiesOfTables: "Copies of tables and pictures",
  copiesOfWhat: "Copies of what is in the trash",
  disk: "Disk",
  ofUsed: (used: string, total: string, disk: string): string => `${used} of ${total} used; ${disk}`,
  partsAreBeingMeasured: "The parts are being measured.",
  lookAtThem: "Look at them",
  otherPrograms: (bytes: ReactNode): ReactNode => sentence`Other programs ${bytes}`,
  keptFreeOnlyDeleting: (keptFree: ReactNode): ReactNode =>
    sentence`Kept free, only deleting works ${keptFree}`,

  // Jobs card
  yoursWithTheirPlace: "yours, with their place among all",
  atMostAtOnce: (most: number): string => `at most ${most} at once, within their memory`,
  queueOfAnalyses: "Queue of analyses",
  noAnalysisRuns: "No analysis runs or waits.",
  running: "running",
  stop: (name: string): string => `Stop ${name}`,
  filesStay: "The files stay",
  stopPart: "stop",
  filesThatAreBeing: "Files that are being recognized, or wait for it",
  read: (name: string, share: string): string => `${name}: ${share} read`,
  isAboutToBegin: "is about to begin",
  decodeEvents: "decode events",
  findRolesAndReplicas: "find roles and replicas",
  joinLogBlocks: "join log blocks",
  alignClocks: "align clocks",
  measureStages: "measure stages",
  findTheVerdict: "find the verdict",
  storeTheTables: "store the tables",

  // Readouts
  readouts: "Readouts",
  diskFreeOf: (total: string): string => `Disk free of ${total}`,
  analysesRunning: "Analyses running",
  waiting: (waiting: string): string => `${waiting} waiting`,
  filesWait: (waiting: string): string => `${waiting} files wait`,
  answersP95Of5: "Answers, p95 of 5 min",
  mainThreadP99: "Main thread, p99 of 5 min",
  refusedOrFailed: (hours: number): string =>
    `Refused or failed ${hours >= 24 ? "in 24\u2009h" : "since start"}`,

  // Servers card
  servers: "Servers",
  ofDifferentVersions: "of different versions",
  allOfVersion: (version: string | undefined): string => `all of version ${version}`,
  shownHere: "shown here",
  showTheFiguresOf: (name: string): string => `Show the figures of ${name}`,
  show: "show",

  // Status screen
  status: "Status",
  statusCannotBeShown: "The status cannot be shown.",
  thisNeedsTheRole: "This needs the role contributor; yours opens captures.",
  allCaptures: "All captures",
  pausedTheServerContinues: "Paused. The server continues",
  every2S: "Every 2 s",
  hold: "hold",
  sameFigures: "The same figures are at /metrics",
  statusOfTheServer: "Status of the server",
  yourRoom: "Your room",
  noLimit: ", no limit",
  of: (limit: string): string => ` of ${limit}`,
  noLimitOf: (limit: string, trash: number, otherTrash: string): string =>
    `${limit}${trash === 0 ? "" : `; ${otherTrash} of it in the trash`}`,
  usersDontSign: "Users don't sign in on this server, so no name is recorded.",
  quotas: "Quotas",
  captures: "captures",

  // Status words
  notSeenFor: (seconds: string): string => `not seen for ${seconds}`,
  days: (seconds: number): string => `${seconds} days`,
  min: (seconds: number): string => `${seconds}\u2009min`,
  inTheReserve: "in the reserve",
  howFastItFills: "how fast it fills is known from the second day on",
  itDidNotGrow: "it did not grow within 14 days",
  growsByADay: (growthPerDay: string): string => `grows by ${growthPerDay} a day`,
  noNewCapturesUntil: (grows: string): string => `${grows}; no new captures until some are deleted`,
  day: "a day",
  newCapturesStop: (grows: string, days: string, keptFree: string): string =>
    `${grows}; new captures stop in about ${days}, at ${keptFree} free`,
  mainEventLoop: "main, event loop",
  beingRead: (running: number): string => `${running} being read`,
  wait: (waiting: number): string => plural(waiting, "# waits", "# wait"),
  nextAfterOfOther: (before: number): string => `, the next after ${before} of other captures`,

  // Threads card
  threads: "Threads",
  last60SBusy: "last 60 s; busy is the time at work of it",
  noThreadHasWorked: "No thread has worked yet.",

  // Unclaimed card
  unclaimedPayloadBytes: "Unclaimed payload bytes",
  noReceivedFile: "No received file has payload bytes that no column claims.",
  theseFiles: (files: number): string => plural(files, "this file", "these files"),
  in: (bytes: string, files: number): string => `${bytes} in ${plural(files, "# file")}`,
  decoderMayBeWrong: (which: string, xelCheck: ReactNode): ReactNode =>
    sentence`The decoder may be wrong for ${which}: no column claims these bytes. Run ${xelCheck} on ${which} and send its text to the AG Lens project.`,
  otherEvents: "Other events",
} as const;
