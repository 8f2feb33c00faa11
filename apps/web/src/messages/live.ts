import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the live screen. */
export const liveTexts = {
  // Database filter
  all: (nameCount: number): string => `All ${nameCount}`,
  database: "Database",
  containedSystem: (name: string): string => `${name} (contained system)`,

  // Gauges
  sessionsWaitingMean: "sessions waiting, mean",
  transactionDelay: "Transaction delay",
  perMirroredWriteMean: "per mirrored write, mean of 5 s",
  transactionDelayMirrored: "Transaction Delay, Mirrored Write Transactions/sec",
  bytesSentTo: (name: string): string => `Bytes sent to ${name}`,
  perSecondMean: "per second, mean of 5 s",
  bytesSentToReplica: "Bytes Sent to Replica/sec",
  logSendQueue: (name: string): string => `Log send queue, ${name}`,
  logNotSentYet: "log not sent yet",
  redoQueue: (name: string): string => `Redo queue, ${name}`,
  logNotRedoneYet: "log not redone yet",
  flowControlTime: (name: string): string => `Flow control time, ${name}`,
  waitingToSendMean: "waiting to send, mean of 5 s",
  flowControlTimeLabel: "Flow Control Time",
  redoRate: (name: string): string => `Redo rate, ${name}`,
  perSecondWhileRedo: "per second while redo is active",
  secondaryLag: (name: string): string => `Secondary lag, ${name}`,
  largestOfItsDatabases: "largest of its databases",
  logWriteTime: (name: string): string => `Log write time, ${name}`,
  perWriteToLog: "per write to log files",
  runnableTasks: (name: string): string => `Runnable tasks, ${name}`,
  tasksWaiting: "tasks waiting for a CPU",

  // Lane remarks
  suspendedOn: (suspended: string, name: string): string => `${suspended} suspended on ${name}`,
  sessionEnded: "session ended",
  connectionLost: "connection lost",
  noEventsReceived: (name: string, now: number): string => `${name}: no events received for ${now}\u2009s`,
  sendsItsBufferEvery: (name: string): string => `${name} sends its buffer every 1\u2009s`,
  eventsDelayedBySql: (name: string, seconds: string): string =>
    `${name}: events delayed by SQL Server for ${seconds}`,
  noEventFor: (name: string, seconds: string): string => `${name}: no event for ${seconds}`,
  eventsArriveLate: (name: string, seconds: string): string => `${name}: events arrive ${seconds} late`,
  sessionStopped: "session stopped",
  eventsDropped: "events dropped",
  droppedByAgLens: "dropped by AG Lens",
  for: (to: string): string => `for ${to}`,

  // Live gutter
  lanes: "Lanes",
  countersFromTheViews: "Counters, from the views",
  pollsMissed: (count: number): string => plural(count, "# poll missed", "# polls missed"),
  nLargest: (n: number, value: string, unit: string): string => `, n ${n}, largest ${value}${unit}`,
  click: ({
    heading,
    label,
    words,
    count,
    tall,
  }: {
    readonly heading: string;
    readonly label: string;
    readonly words: string;
    readonly count: string;
    readonly tall: boolean;
  }): string => `${heading} ${label}, ${words}${count}. Click: ${tall ? "thin" : "tall"}`,
  ms: "10\u2009ms",

  // Live lanes
  last30S: "Last 30 s",
  lanesOfTheLast: (clock: string, laneCount: number, sentenceText: string): string =>
    `Lanes of the last 30 s up to ${clock}, ${laneCount} lanes. ${sentenceText}`,
  completeRun: "Complete run",
  slowestCommitByPlace: "slowest commit, by place",
  sinceItWasChosen: (database: string): string => `${database}, since it was chosen`,
  sinceItWasChosenLead: (database: string): string => `${database}, since it was chosen. `,
  completeRunLong: (database: string, now: string): string =>
    `${database}The complete run, ${now} long: the slowest commit over time, colored by the place that took most.`,

  // Live screen
  noEventsArrived: "No events arrived in the last 5\u2009min.",
  last5Min: "The last 5\u2009min are a capture. The run continues.",
  linkCopiedAnyoneWho: "Link copied. Anyone who has it can view the run, and can't change it.",
  toUseTheAddressBar: "use the address bar",
  live: "Live",
  cantOpenThisRun: "Can't open this run.",
  attaching: "Attaching.",
  firstPictureArrivesWithin: "The first picture arrives within a few seconds.",
  livePart: (title: string): string => `${title}, live`,
  theseEventsDontMeasure: "These events don't measure redo",
  runHasEnded: "The run has ended",
  followingNow: "Following now",
  pausedBeforeNowRecording: (elapsed: string): string => `Paused ${elapsed} before now, recording continues`,
  pauseRecordingContinues: "pause, recording continues",
  followNow: "follow now",
  lookBack: "look back",

  // Live strip
  secondary: "The secondary",
  replicas: "Replicas",
  notAttached: (role: string): string => `${role}, not attached`,
  suspended: "suspended",
  eventsS: (eventsPerSecond: string): string => `${eventsPerSecond} events/s`,
  sLate: (seconds: string): string => `${seconds}\u2009s late`,
  eventsDelayedS: (seconds: string): string => `events delayed, ${seconds}\u2009s`,
  noEventForS: (seconds: string): string => `no event for ${seconds}\u2009s`,
  noEventsReceivedFor: (behindSeconds: number): string => `no events received for ${behindSeconds}\u2009s`,
  roleUnknown: "Role unknown",
  secondaryLabel: "Secondary",
  clockCantBeAligned: (name: string): string => `${name} clock can't be aligned yet`,
  behindAhead: (abs: string, ahead: number): string => `${abs} ${ahead < 0 ? "behind" : "ahead"}`,
  byBlocks: (blocksUsed: string): string => ` by ${blocksUsed} blocks`,
  clockAlignedTo: (
    name: string,
    abs: ReactNode,
    strictUncertaintyUs: ReactNode,
    blocksUsed: ReactNode,
  ): ReactNode => sentence`${name} clock ${abs}, aligned to ${strictUncertaintyUs}${blocksUsed}`,
  commitsS: (commitsPerSecond: string): string => `, ${commitsPerSecond} commits/s`,
  blocksS: (blocksPerSecond: string, commits: string): string => `${blocksPerSecond} blocks/s${commits}`,

  // Live verdict
  verdict: "Verdict",
  noBlockHasFinished: "No block has finished yet.",
  verdictAndFigures: (judged: string): string => `Verdict and figures: ${judged}.`,
  checkNext: "Check next",

  // Phase lanes
  becomesPrimary: (name: string | undefined): string => `${name} becomes primary`,

  // Readouts
  noEventsReceivedPart: ", no events received",
  sAgo: (age: number): string => `, ${age}\u2009s ago`,
  figuresOfThe: (judged: string): string => `Figures of the ${judged}`,

  // Replica states
  ofSynchronized: (wordCount: number, otherWordCount: number): string =>
    `${wordCount} of ${otherWordCount} SYNCHRONIZED`,
  byAUser: "by a user",
  byItsPartner: "by its partner, as after a forced failover",
  becauseRedoFailed: "because redo failed",
  becauseTheLogCould: "because the log could not be written there",
  becauseThePrimaryCould: "because the primary could not capture its log",
  beforeTheServer: "before the server was restarted",
  becauseUndoFailed: "because undo failed",
  becauseTheLogDiffered: "because the log differed after the reconnection",
  becauseNoCommonPoint: "because no common point of the log was found",
  forAnUnknownReason: "for an unknown reason",

  // Replicas table
  unknown: "unknown",
  noRedoRate: "no redo rate",
  queueIsEmpty: "queue is empty",
  byRedoRate: "by redo_rate",
  byCounter: "by counter",
  synchronizationState: "Synchronization state",
  stateOfItsDatabases: "State of its databases (synchronization_state_desc)",
  whetherItIsConnected: "Whether it is connected to the primary (connected_state_desc)",
  no: "no",
  databasesWhoseDataMovement: "Databases whose data movement is suspended (is_suspended)",
  logSendQueueLabel: "Log send queue",
  logOfAll: "Log of all its databases that is not sent to it yet (log_send_queue_size)",
  logSendRate: "Log send rate",
  meanRateWhileThere: "Mean rate while there was log to send (log_send_rate)",
  redoQueueLabel: "Redo queue",
  logOfAllIts: "Log of all its databases that it received and did not redo yet (redo_queue_size)",
  redoRateLabel: "Redo rate",
  meanRateWhileThereWasLog: "Mean rate while there was log to redo (redo_rate)",
  secondaryLagLabel: "Secondary lag",
  largestLag:
    "Largest lag of its databases behind the primary. Unknown while a database is suspended (secondary_lag_seconds)",
  estimatedDataLossRpo: "Estimated data loss (RPO)",
  newestCommits:
    "Newest commits that a failover to it would lose. 0 while it is SYNCHRONIZED (last_commit_time, primary minus secondary)",
  estimatedRecoveryTimeRedo: "Estimated recovery time, redo only (RTO)",
  timeToRedo:
    "Time to redo its redo queue at the slower known rate, without detection of the failure (redo_queue_size, redo_rate, Redone Bytes/sec)",
  flowControlTimeColumn: "Flow control time",
  timePerSecond:
    "Time per second that the primary waited before it sent to it, mean of 5 s (Flow Control Time)",
  newestEvent: "Newest event",
  ageOfItsNewest: "Age of its newest event that AG Lens has read (timestamp of the event)",
  notAttachedAlone: "not attached",
  secondsAgo: (heardSecondsAgo: string): string => `${heardSecondsAgo}\u2009s ago`,
  replicasByThePrimarys: "Replicas by the primary's views",
  fromSViewsOf: (source: string, time: string): string => `from ${source}'s views of ${time}`,
  fromSViewsEvery: (source: string): string => `from ${source}'s views, every 1\u2009s`,
  statesOfTheSecondaries: "States of the secondaries",
  isSuspendedOn: (database: string, secondary: string): string => `${database} is suspended on ${secondary}`,
  sinceLogTruncation: (since: string, orEarlier: boolean, reason: string, primary: string): string =>
    `since ${since}${orEarlier ? " or earlier" : ""}, ${reason}. Log truncation on ${primary} is delayed.`,
  hideTheTSql: "Hide the T-SQL",
  showTheTSql: "Show the T-SQL",
  tSqlToRun: (secondary: string): string => `T-SQL to run on ${secondary}`,

  // Run actions
  followNowLabel: "Follow now",
  pauseView: "Pause view",
  mark: "Mark",
  keepLast5Min: "Keep last 5 min",
  share: "Share",
  readOnly: "Read only",
  discardPermanently: "Discard permanently",
  stopAndDiscard: "Stop and discard",
  stopAndKeep: "Stop and keep",

  // Run states
  runHasEndedLabel: "The run has ended.",
  itWasDiscarded: "It was discarded.",
  itIsACapture: "It is a capture now.",
  allCaptures: "All captures",
  openTheCapture: "Open the capture",
  agLensReads:
    "AG Lens reads the sessions, and no log block has arrived yet. Lanes appear with the first commit of a database in the group.",
  agLensCreates:
    "AG Lens creates the sessions. Lanes appear with the first commit of a database in the group.",

  // Run words
  replica: (known: number): string => plural(known, "# replica"),
  attachedTo: (all: string): string => `attached to ${all}`,
  attachedToOf: (attached: number, all: string): string => `attached to ${attached} of ${all}`,
  lastSeconds: "last seconds",
  lastS: (value: number): string => `last ${value}\u00a0s`,

  // Sessions
  verdictAndSessions: "Verdict and sessions",
  now: "Now",
  sessions: "Sessions",
  youCanView: "You can view this run. Only the user who attached can mark, stop and keep it.",
  ifThisPageCloses: (leftAlone: string): string =>
    `If this page closes, the server stops it after ${leftAlone} and keeps the capture.`,
  stopRemovesSession: (names: string, closing: string): string =>
    `Stop removes session ${names} from every replica and checks that it is gone. ${closing}`,
  upToSeconds: (seconds: string): string => `up to ${seconds}\u2009s`,
  ofTheOldest: (droppedBytes: string): string => `${droppedBytes} of the oldest were discarded.`,
  wereLostTheDisk: (lostBytes: string): string => `${lostBytes} were lost: the disk of AG Lens was too slow.`,
  ofAtMost: (bytes: string, limit: string): string => `${bytes} of at most ${limit} are stored.`,
  last: (seconds: string): string => `the last ${seconds}`,
  ofAtMostPart: (bytes: string, limit: string): string => `${bytes} of at most ${limit}.`,
  inMemory: (span: string, bytes: string): string => `In memory: ${span}, ${bytes}`,
  againInS: (waiting: string, value: number): string => `${waiting}, again in ${value}\u2009s`,
  eventsRead: "Events read",
  eventsDroppedBySql: "Events dropped by SQL Server",
  buffersDroppedBySql: "Buffers dropped by SQL Server",
  buffersDroppedByAg: "Buffers dropped by AG Lens",
  buffersNotDecoded: "Buffers not decoded",
  disconnectedBySqlServer: "Disconnected by SQL Server",
  eventsTooLate: "Events too late for the picture",
  sendsEvents: "Sends events",
  whenABuffer: "when a buffer is full",
  everyS: (dispatchSeconds: number): string => `every ${dispatchSeconds}\u2009s`,
  largestDelay: "Largest delay in a minute",
  eventsDelayedBySqlServer: "Events delayed by SQL Server",
  buffersWaitingForAg: "Buffers waiting for AG Lens",
  gap: (gapCount: number): string => plural(gapCount, "# gap"),
  toNow: (clock: string): string => `${clock} to now`,
  tryAgain: (name: string): string => `Try ${name} again`,
  tryAgainLabel: "Try again",
  secondaryAsync: "Secondary, async",
  tSql: "T-SQL for this problem",

  // Shares
  remoteHardenTo: (secondary: string): string => `Remote harden to ${secondary}`,

  // Use alarm
  commitP95OverMs: (of: string, limitMs: number): string => `Commit p95${of} over ${limitMs} ms`,
  alarmTitle: (title: string, label: string, p95: string): string => `${title}: ${label}, now ${p95}`,
  agLens: "AG Lens",

  // Use run
  runWithoutAViewer: (sentenceText: string): string =>
    `${sentenceText} A run without a viewer stops after 60\u2009s.`,

  // Events of the servers
  timeIn: (zone: string): string => `Time, ${zone}`,
  last5MinOfEvents: "last 5\u2009min",
  nothingHappened: "No role, synchronization state or suspension changed.",
  earlierEvents: (count: number): string => `${plural(count, "# earlier event")}.`,
  eventsMissingOf: (name: string): string => `Some events of ${name} are missing: its files have too many.`,
  sources: (count: number): string => plural(count, "# source"),
  polls: "polls",
  readAlwaysOnHealth: "Read AlwaysOn_health",
  readAlwaysOnHealthCost:
    "Every 10\u2009s, AG Lens reads new events from the session's files, at most one minute back.",

  // Waiting sessions
  sessionsWaitingNow: "Sessions waiting now",
  at: (waitingCount: string, clock: string): string => `${waitingCount} at ${clock}`,
  noSessionWaits: "No session waits in HADR_SYNC_COMMIT or WRITELOG.",
  orMore: (most: number): string => `${most} or more`,
  sqlOfSession: (session: number): string => `SQL of session ${session}`,
  moreEachUpTo: (restCount: string, waitMs: string): string => `${restCount} more, each up to ${waitMs}`,
  sessionNoLongerRuns: (session: number): string => `Session ${session} no longer runs a request.`,
  requestOfSessionNot: (session: number): string => `Request of session ${session}, not stored:`,
  close: "Close",
  statementOfSession: (session: number): string => `Statement of session ${session}`,
} as const;
