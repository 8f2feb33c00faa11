import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the first screen, recognized files and damaged files. */
export const capturesTexts = {
  // Ago
  justNow: "just now",
  minAgo: (minutes: number): string => `${minutes} min ago`,
  hAgo: (hours: number): string => `${hours} h ago`,
  daysAgo: (hours: number): string => `${hours} days ago`,

  // Capture card
  recognizedFiles: "Recognized files",
  otherFiles: "Other files",
  nameOfTheCapture: "Name of the capture",
  noTimeInCommon: "no time in common",
  inCommon: (common: string): string => `${common} in common`,

  // Capture groups
  withoutAPrimary: (from: string): string => `, ${from} without a primary`,
  failoverAtFromTo: (at: string, name: string, otherName: string, without: string): string =>
    `Failover at ${at} from ${name} to ${otherName}${without}.`,
  theseFiles: (fileCount: number): string => plural(fileCount, "this file", "these # files"),
  cannotBeRead: (these: string): string => `${these} cannot be read`,
  noLogTransportIn: (these: string): string => `No log transport in ${these}`,
  capture: (groupCount: number): string => plural(groupCount, "# capture"),
  file: (fileCount: number): string => plural(fileCount, "# file"),
  giveNames: (names: number): string => plural(names, "# gives names", "# give names"),
  cannotBeReadPart: (broken: number): string => plural(broken, "# cannot be read", "# cannot be read"),
  areSkipped: (out: number): string => plural(out, "# is skipped", "# are skipped"),
  noFileIsUsed: (parts: string): string => `No file is used: ${parts}.`,
  filesAreUsed: (used: number): string => plural(used, "# file is used", "# files are used"),
  namesAndRoles: (all: string): string => `Names and roles are from the files. ${all}.`,

  // Captures screen
  whichStep: "Which step of the commit waits, and on which replica?",
  agLensReadsExtended: "AG Lens reads Extended Events files (.xel) from each replica.",
  allCaptures: "All captures",
  capturesThatAreShared: "Captures that are shared with you",
  yourRoleOpensCaptures:
    "Your role opens captures; it uploads and attaches nothing. Ask who runs this server for the role contributor.",
  captureGuide: "Capture guide",
  readsXelWithoutSql: "Reads .xel without SQL Server, Windows or .NET",
  addFiles: "Add files",
  dropXelFilesFolders: "Drop .xel files, folders, or zips",
  filesOfAllReplicas: "Files of all replicas at once. Rollover files in any order.",
  chooseFiles: "Choose files",
  analyzeCaptures: (groupCount: number): string => `Analyze ${groupCount} captures`,
  analyze: "Analyze",
  changeRolesAndFiles: "Change roles and files",
  startOver: "Start over",
  filesAreStillBeing: "The files are still being sent.",
  noFileThatCan: "No file that can be read yet.",

  // Damage
  rolloverOf: (at: number, fileCount: number): string => `, rollover ${at} of ${fileCount}`,
  numberOfLostEvents: "the number of lost events is not known",
  fromTo: ({
    replica,
    from,
    to,
    us,
    what,
  }: {
    readonly replica: string;
    readonly from: string;
    readonly to: string;
    readonly us: string;
    readonly what: string;
  }): string => `${replica} from ${from} to ${to}${us}, ${what}`,
  afterTheOtherFiles: (replica: string, from: string, atMostUs: string, what: string): string =>
    `${replica} after ${from}: the other files continue for ${atMostUs}, ${what}`,
  after: (replica: string, from: string, what: string): string => `${replica} after ${from}, ${what}`,
  before: (replica: string, to: string, what: string): string => `${replica} before ${to}, ${what}`,
  aboutEvents: (events: string): string => `about ${events} events`,
  noCommitAndNo: "no commit and no send",
  noLogWrite: "no log write and no acknowledgment on this replica",
  blocksOfUp: (atMostUs: string, missing: string): string =>
    `Blocks of up to ${atMostUs} at the end have ${missing}. The verdict rests on the time before.`,
  blocksOfTheLost: (missing: string): string => `Blocks of the lost time have ${missing}.`,
  noneItLiesOutside: "None: it lies outside the time that all replicas cover.",
  blocks: (us: string, share: string, missing: string): string =>
    `Blocks of ${us}, ${share} of the time in common, have ${missing}. The verdict rests on the others.`,
  fileIsDamaged: "The file is damaged. The readable part is usable.",
  filesDamaged: (count: string, of: string, damaged: number): string =>
    `${count} of ${of} files ${plural(damaged, "is", "are")} damaged. The rest is usable.`,
  events: (events: string): string => `${events} events`,
  fileOfRole: (role: string): string => `The ${role}'s file`,
  fileOf: (name: string): string => `A file of ${name}`,
  endsEarlyAfter: (whose: string, events: string): string => `${whose} ends early, after ${events}.`,
  couldBeRead: (whose: string, read: string, all: string, events: string): string =>
    `${whose} could be read in part: ${read} of ${all}, ${events}.`,
  offsetBytes: (offset: number, hexOffset: string, bytes: number, message: string): string =>
    `  offset ${offset} (${hexOffset}), ${bytes} bytes: ${message}`,

  // Damage screen
  reportCopied: "Report copied",
  copyReport: "Copy report",
  gapStaysHatched:
    "The gap stays hatched on every chart. A file is often cut when it is copied while the session runs. Stop the session first, or copy it again.",
  sending: (name: string, share: string): string => `Sending ${name}, ${share}`,
  reading: (name: string): string => `Reading ${name}`,
  openTheCapture: (isOneGap: boolean): string =>
    `Open the capture with ${isOneGap ? "this gap" : "these gaps"}`,
  leaveOutFiles: (otherCount: number): string =>
    `Leave ${otherCount === 0 ? "this file" : "these files"} out`,

  // Damaged file
  readEvents: (events: string): string => `0, read: ${events} events`,
  notReadable: (lostBytes: string, fileCount: string): string => `${lostBytes} not readable, ${fileCount}`,
  andMoreGaps: (gapCount: string): string => `and ${gapCount} more gaps; the report names each`,
  problem: "Problem",
  where: "Where",
  byteOffset: (offset: string): string => `byte offset ${offset}`,
  lastGoodEvent: "Last good event",
  noneInThisFile: "none in this file",
  lostData: "Lost data",
  effectOnTheVerdict: "Effect on the verdict",

  // Draft words
  draftDeleted: (day: string, at: string): string => `Draft. Deleted on ${day} at ${at} unless analyzed.`,

  // Files words
  upToBetweenThem: (count: string, hole: string): string => `${count}, up to ${hole} between them`,
  noEvent: "no event with a time",
  fileOfLabel: (index: number, fileCount: number): string => `File ${index} of ${fileCount}`,
  utc: (instant: string, otherInstant: string): string => `${instant} ${otherInstant} UTC`,

  // Guide screen
  secondariesFirst: "1. Secondaries first",
  thenThePrimary: "2. Then the primary",
  runOneScript: "Run one script on each secondary replica, then one on the primary replica.",
  sqlServerVersion: "SQL Server version",
  versions2014To2019: "2014 SP2 to 2019",
  role: "Role",
  allReplicas: "All replicas",
  secondaries: "Secondaries",
  primary: "Primary",
  eventsOfEachCommit: "Events of each commit. Without them, files are smaller and group commit isn't shown.",
  numberOfEachEvent:
    "Number of each event (event_sequence). It shows exactly how many events were lost, and when.",
  sessionOfEachCommit: "Session of each commit (session_id). It shows which sessions waited.",
  applicationOfEachCommit:
    "Application of each commit (client_app_name). It shows which applications waited.",
  actions: "Actions",
  actionsCost:
    "event_sequence: 24 bytes per event. session_id: 10 per commit event. client_app_name: 8, and 2 per character. These are calculated",
  fileWritesOfEach: "File writes of each log write. They split a log write into SQL Server and the log disk.",
  fileWrites: "File writes",
  fileWritesCost: "2 more per log write on each replica, if they are recorded",
  afterFiveMinutesStop: "3. After five minutes, stop and fetch the files",
  replaceTheServerNames:
    "Replace the server names, and run it in Windows PowerShell. It stops the primary first and the secondaries last. It needs Windows authentication, and an administrator of each server for the share of its drive (C$). It can't reach SQL Server on Linux or closed file shares.",
  orStopByHand: "Or stop by hand",
  stopThePrimaryFirst: "Stop the primary first and the secondaries last.",
  findTheFiles: "Find the files",
  filesInLogFolder:
    "AGLens_0_*.xel is in the log folder of each instance, next to ERRORLOG. Stop the session before you copy a file, or its end is missing.",
  dropTheSession: "4. Drop the session",
  filesStay: "The files stay on the server until someone deletes them.",
  permissions: "Permissions",
  grantThemOnEvery:
    "Grant them on every replica: logins are not replicated. A member of sysadmin has all of them.",
  eventsPerLogBlock: "15 to 20 per log block on the primary, 12 on a secondary, each under 200 bytes",
  diskPerReplica: "At most 2 GB per replica: four files of 500 MB",
  memoryPerReplica: "16 MB per replica. Full buffers lose events, which are counted",
  noCommitWaits: "No commit waits for the session",
  unknownEvent: "Unknown event",
  download: "Download:",

  // Kept captures
  recentInThisBrowser: "Recent in this browser",
  showAll: (keptCount: string): string => `Show all ${keptCount}`,
  removeAllPermanently: "Remove all permanently",
  forgetAll: "Forget all",
  thisBrowserKeepsNothing:
    "This browser keeps nothing of a page like this one, so captures are gone when the page is closed. A window that is not private keeps them.",
  openAgain: (name: string): string => `Open ${name} again`,
  openAgainLabel: "Open again",
  forget: (name: string): string => `Forget ${name}`,
  forgetLabel: "Forget",
  toBeAgain: (what: string, hasHandles: boolean, verdict: string): string =>
    `${what}, to be ${hasHandles ? "read" : "given"} again. ${verdict}`,
  resultsAndNotes: (what: string, bytes: string, mostBytes: string): string =>
    `Results and notes of ${what} are kept in this browser: ${bytes} of at most ${mostBytes}. Event files are not.`,

  // Left sessions
  eventSessionsLeft: "Event sessions left on servers",
  itIsBeingTried: "It is being tried again now.",
  itIsTriedAgain: (retryIn: number): string =>
    `It is tried again in ${retryIn} s, for as long as this server of AG Lens runs.`,
  itIsNotTried: "It is not tried again: run this there, or check the server under Attach live.",
  liveRunLeft: (session: string, server: string, problem: string, isTriedAgain: string): string =>
    `A live run left the event session ${session} on ${server}. ${problem} ${isTriedAgain}`,
  dropOf: (session: string): string => `DROP of ${session}`,
  isDropped: (session: string): string => `${session} is dropped`,
  itIsDropped: "It is dropped",

  // Lost captures
  filesThatAreNot: "Files that are not in the catalog",
  filesOfCapture: (captureCount: number): string =>
    `Files of ${plural(captureCount, "# capture")} are not in this server's catalog. Restore them, or delete them.`,
  filePart: (files: number, bytes: string, since: string): string =>
    `${plural(files, "# file")}, ${bytes}${since}`,
  restore: (name: string): string => `Restore ${name}`,
  restoreLabel: "Restore",
  deletePermanently: (name: string): string => `Delete ${name} permanently`,
  delete: (name: string): string => `Delete ${name}`,
  deletePermanentlyLabel: "Delete permanently",
  deleteLabel: "Delete",

  // Parts screen
  cancel: "Cancel",
  sentInParts: "Sent in parts of 16 MiB, each on the server's disk before the next",
  capturesAreShownWhen: "The captures are shown when all files are complete",
  eventsPerSecond:
    "Events per second of capture time, as square roots. Hatched has not arrived or is not read yet; where a file ends is estimated from its bytes, rounded up.",
  ifItBreaksAgain: "If it breaks again",
  nextSteps: "Next steps",
  dropTheSameFiles: (keptUntil: string): string =>
    `${keptUntil} Drop the same files on any page of AG Lens, on this or another computer, and the upload continues.`,
  resume: "Resume",
  pause: "Pause",
  tryNow: "Try now",
  discardTheReceivedPart: "Discard the received part",
  discard: "Discard",
  kept: (kept: string): string => `kept, ${kept}`,
  atS: (rate: string): string => ` at ${rate}/s`,
  newAtS: (sent: string, rate: string): string => `new, ${sent}${rate}`,
  secondary: "Secondary",
  of: (sent: ReactNode, size: string): ReactNode => sentence`${sent} of ${size}`,
  sendThisOne: "Send this one",
  dismiss: "Dismiss",
  nothingSoFar: "Nothing so far.",
  serverKeepsWhat: "The server keeps what it has for a while.",
  serverKeepsWhatIt: (untilMs: string): string => `The server keeps what it has until ${untilMs}.`,

  // Recent captures
  recentOnThisServer: "Recent on this server",
  recentOnThisPage: "Recent on this page",
  allCapturesLabel: (count: string): string => `All ${count} captures`,
  deletedItCan: "Deleted. It can be restored for a week.",
  undoRestore: (name: string): string => `Undo: restore ${name}`,
  undo: "Undo",
  notAnalyzedYet: (files: string): string => `${files}, not analyzed yet.`,

  // Recognition place
  filesWait: (waiting: number): string => plural(waiting, "# file waits", "# files wait"),
  nextAfterOfOther: (before: string): string => `, the next after ${before} of other captures`,
  toBeRecognized: (files: string, turn: string): string => `${files} to be recognized${turn}.`,

  // Replica row
  eventsPart: (events: ReactNode): ReactNode => sentence`${events} events`,
  addFileTo: (name: string): string => `Add file to ${name}`,
  addFile: "Add file",
  nameRememberedFromAnother: "Name remembered from another capture.",
  changeTheName: (of: string): string => `Change the name ${of}`,
  change: "Change",
  thenPart: "then",
  ofPart: (of: string): string => ` of ${of}`,
  roleOfReplica: (isPrimary: boolean, of: string): string => `${isPrimary ? "Primary" : "Secondary"}${of}`,
  roleNotKnown: "Role not known from the events",
  detected: (detectedRole: string): string => ` (detected: ${detectedRole})`,
  roleOf: (name: string): string => `Role of ${name}`,
  leaveOut: "Leave out",
  replicaOf: (name: string): string => `Replica of ${name}`,
  remove: (name: string): string => `Remove ${name}`,
  removeLabel: "Remove",
  replica: (replica: string): string => `Replica ${replica}`,

  // Replica row words
  statementTextsHost: "statement texts, host and login names",
  withTheirUploaderKeeps: (sensitive: string): string => `With ${sensitive}: their uploader keeps them.`,
  receivedByAnEarlier: (sensitive: string): string =>
    `Received by an earlier version, which dropped no ${sensitive}.`,
  values: (values: string, sensitive: string): string => `${values} values (${sensitive})`,
  thatHoldNoReadable: (bytes: string): string => `${bytes} that hold no readable event`,
  droppedOnReceipt: (what: string): string => `Dropped on receipt: ${what}.`,
  byte: (sum: number): string => plural(sum, "# byte"),
  event: (sum: number): string => plural(sum, "# event"),
  andMore: (more: number): string => ` and ${more} more`,
  noColumnClaims: (bytes: string, events: string, named: string): string =>
    `No column claims ${bytes} in ${events} (${named}). Values of this file may be wrong.`,

  // Rest row
  includeFile: "Use it",
  xmlFiles: (fileCount: number): string => `${fileCount} XML files`,
  namesFrom: (these: string): string => `Names from ${these}`,
  filesCantBeRead: (fileCount: string, hasNoReason: boolean, reason: string): string =>
    `${fileCount} files can't be read${hasNoReason ? ", for other reasons." : "."} ${reason}`,
  removeAllFiles: (fileCount: number, reason: string): string =>
    `Remove all ${fileCount} files that can't be read${reason}`,
  removeAll: "Remove all",
  cannotBeReadSentence: "cannot be read.",
  isSkipped: "is skipped.",
  holdsNoEvent: (inSentence: string): string =>
    `holds no event that can be read (${inSentence}). It was cut, or copied while the server wrote it: stop the session and copy it again.`,
  holdsNoEventsNothing: "holds no events: nothing was recorded, or the session was stopped at once.",
  holdsOfAnAvailability: (events: number): string =>
    `holds ${plural(events, "# event, and it is not a data-movement event", "# events, none of them")} of an availability group: another session wrote it. The capture guide has the session that AG Lens reads.`,

  // Verdict line
  commitP95: "commit p95",

  // Verdict words
  beingAnalyzed: "Being analyzed.",
  analysisFailed: "The analysis failed.",
  notAnalyzedYetLabel: "Not analyzed yet.",

  // Verdicts screen
  captures: (captureCount: number): string => `${captureCount} captures`,
  cantOpenTheseCaptures: "Can't open these captures.",
  analyzingCaptures: (captureCount: number): string => `Analyzing ${captureCount} captures`,
  verdictsAppearHereWhen: "The verdicts appear here when all of them are ready.",
  stopAnalysis: "Stop analysis",
  analyzed: (name: string): string => `${name} analyzed`,
  capturesAnalyzed: (readyCount: number): string => `${readyCount} captures analyzed`,
  ofCapturesAnalyzed: (readyCount: number, captureCount: number): string =>
    `${readyCount} of ${captureCount} captures analyzed`,
  slowestCaptureIsFirst: "The slowest capture is first.",
  open: (name: string): string => `Open ${name}`,
  openLabel: "Open",
  compareBoth: "Compare both",

  // Ways in
  startWithoutFiles: "Start without files",
  openTheSample: "Open the sample",
  slowNetworkBetweenTwo: "A slow network between two replicas.",
  attachLive: "Attach live",
  readTheEvents: "Read the events from running servers.",
  scriptsForTheSecondaries: "Scripts for the secondaries and the primary.",

  // Where runs
  filesGo: "Files go to this server only.",
  filesStayOn: "Files stay on this computer.",
  runOnThisComputer: "Run on this computer, single file, and other options",
  whereTheAnalysisRuns: "Where the analysis runs",
  onThisComputer: "On this computer",
  onThisServer: "On this server",
  filesGoTo: (host: string): string =>
    `Files go to ${host} and to no other place. For links and for captures that stay.`,
  topologyXmlIsOptional:
    "Topology XML is optional and only adds names. A saved capture (.aglens) opens at once.",
  filesAreRead:
    "Files are read in the browser and never leave it. Results and notes stay in this browser until you forget them.",
  takeAgLens: "Take AG Lens with you",
  asAFolder: "as a folder",
  oneHtmlFile: (takeAg: ReactNode, asA: ReactNode): ReactNode =>
    sentence`${takeAg}: one HTML file that opens from a disk and asks nothing of a network. Or ${asA} for any web server, where browsers can install it.`,
  keepStatementTextsHost:
    "Keep statement texts, host and login names in files added from now on. Otherwise they are overwritten before a file is kept.",
} as const;
