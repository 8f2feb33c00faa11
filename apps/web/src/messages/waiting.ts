import { plural } from "@aglens/ag-model/words";

/** Texts of the waiting screen. */
export const waitingTexts = {
  // Shared writes
  blocksThatShareOne: "Blocks that share one write",
  orMore: (blocks: number): string => `${blocks} or more`,

  // Waiting rows
  logWritersAndNetworks: "Log writers and networks",
  busyAtMost: (busyMean: string, busyMost: string): string => `Busy ${busyMean}, at most ${busyMost}`,
  busyShareOfEach: "Busy, share of each second",
  busyShare: (seconds: number): string => `Busy, share of the busiest second of ${seconds}`,
  hatchedNoEvents: (words: string): string => `${words}; hatched: no events`,
  inTheEpisodeOtherwise: (waitedUs: string): string => `in the episode, otherwise ${waitedUs}`,

  // Waiting screen
  waiting: "Waiting",
  noLogWrite: "No log write of this capture is known from start to end.",
  withoutThePrimarysFile: "Without the primary's file waiting is not known.",
  waitingIsRead: (flushStart: string, flushComplete: string): string =>
    `Waiting is read from ${flushStart} and ${flushComplete} of the primary or a secondary.`,
  howLongTheSecondaries: "The overview shows how long the secondaries' log writes take.",
  checkNext: "Check next",
  blocksThatShareOneWrite: (writerName: string): string => `Blocks that share one write, ${writerName}`,
  writes: (writes: string): string => `${writes} writes`,
  figuresOfThe: (wholeCapture: string): string => `Figures of the ${wholeCapture}`,
  to: "to",
  chooseARow: "choose a row",
  timeline: "timeline",
  overview: "overview",
  networksShareOfTime: "Networks: share of time with a block in flight",

  // Waiting words
  syncOrUndetermined: "sync or undetermined",
  logWrite: (database: string): string => `Log write${database}`,
  networkOut: (database: string): string => `Network out${database}`,
  networkBack: (database: string): string => `Network back${database}`,
  noFile: (own: string): string => `${own}, no file`,
  networkAndDiskNot: (database: string): string => `Network and disk, not separable${database}`,
  asPrimary: " as primary",
  asSecondary: " as secondary",
  for: (name: string): string => ` for ${name}`,
  change: (phase: string): string => ` ${phase} the change`,
  sLogWriter: (name: string | undefined, amongItsServer: string): string =>
    `${name}'s log writer${amongItsServer}`,
  network: (where: string, when: string): string => `The network ${where}${when}`,
  networkBetweenAnd: (primary: string | undefined, own: string | undefined, when: string): string =>
    `The network between ${primary} and ${own}${when}`,
  slowAndQueued: "slow and queued",
  noBlockWaits: "no block waits for its turn",
  blockWaits: (waitedUs: string): string => `a block waits ${waitedUs} for its turn`,
  longestIsAnd: (nothingStandsOut: string, name: string, served: string, waited: string): string =>
    `${nothingStandsOut} The longest is ${name}: ${served}, and ${waited}.`,
  neitherSlowNorQueued: "neither slow nor queued",
  isAndPart: (name: string, word: string, served: string, waited: string): string =>
    `${name} is ${word}: ${served}, and ${waited}.`,
  andFullInOf: (full: number, busyCount: number, row: string): string =>
    `, and full in ${full} of ${busyCount} ${row}`,
  ofTheTime: "of the time",
  ofThatTime: "of that time",
  itIsBusy: (busyMean: string, of: string, often: string): string => `It is busy ${busyMean} ${of}${often}.`,
  write: "a write",
  block: "a block",
  roundTrip: "a round trip",
  insteadOf: (otherwise: string): string => ` instead of ${otherwise}`,
  takes: (what: string, us: string, than: string): string => `${what} takes ${us}${than}`,
  inEpisodes: (periodCount: number): string => `in ${periodCount} episodes`,
  betweenAnd: (from: string | undefined, to: string | undefined): string => `between ${from} and ${to}`,
  seconds: "seconds",
  periodsOf: (busyUs: string): string => `periods of ${busyUs}`,
  noLogWriter: "No log writer or network",
  noLogWriterLabel: "No log writer",
  thatCommitsWaitFor: " that commits wait for",
  isSlowOrQueued: (what: string, whose: string): string => `${what}${whose} is slow or queued.`,
  clocksNotAligned: "clocks not aligned",
  partOfTheStage: (label: string): string => `, part of the stage ${label}`,
  ofABlocksTime: (isQueued: string): string => ` of a block's time there is waiting for its turn${isQueued}`,
  eachDirectionIsKnown: "each direction is known to ",
  at5Ms: "at 5 ms a write the wait would be ",
  itIsFullAt: "it is full at ",
  blocksSOnAverage: (rate: string): string => ` blocks/s, on average ${rate}`,
  blocksS: (rate: string): string => ` blocks/s, in the episode ${rate}`,
  networkCarries: (where: string): string => `the network ${where} carries `,
  whileBlocksWait: " while blocks wait",
  busier: "busier",
  nextBusiest: "next busiest",
  noNetwork: "no network",
  isKnownFromThese: " is known from these events",
  blocksWereOnTheir: (paused: number): string =>
    plural(
      paused,
      " block was on its way while a server was unresponsive. Networks are shown without it",
      " blocks were on their way while a server was unresponsive. Networks are shown without them",
    ),
  runPsping: (name: string, own: string): string =>
    `Run psping from ${name} to the endpoint port of ${own}, and compare its minimum with its average`,
  compareItsStorage: (name: string, roleAmong: string, servedUs: string): string =>
    `Compare its storage with that of ${name}${roleAmong}: ${servedUs} a write`,
  otherAreNeitherSlow: (foldedCount: number, some: boolean): string =>
    `${foldedCount} other${some ? " log writers and networks" : " log writers"} are neither slow nor queued.`,
  watchResentMessagesSec: (name: string): string =>
    `Watch Resent Messages/sec and Flow Control Time of SQLServer:Availability Replica on ${name}`,
  queryIoStallWrite: (own: string): string =>
    `Query io_stall_write_ms of the log file in sys.dm_io_virtual_file_stats on ${own}`,
  compareWritelogWaits: (own: string): string => `Compare WRITELOG waits in sys.dm_os_wait_stats on ${own}`,
  countWritesThatWait: (own: string): string =>
    `Count writes that wait in sys.dm_io_pending_io_requests on ${own}`,
  isAnd: ({
    name,
    word,
    episode,
    sentenceText,
    waited,
  }: {
    readonly name: string;
    readonly word: string;
    readonly episode: string;
    readonly sentenceText: string;
    readonly waited: string;
  }): string => `${name} is ${word} ${episode}. ${sentenceText}, and ${waited}.`,
} as const;

/** Texts of Waiting by session, application and statement. */
export const whoWaitedTexts = {
  title: "Who waited",
  rowsOf: "Rows of",
  queues: "Log writers and networks",
  sessions: "Sessions",
  applications: "Applications",
  statements: "Statements",

  // Names of rows
  session: (id: number): string => `Session ${id}`,
  sessionOn: (id: number, server: string): string => `Session ${id} on ${server}`,
  noSession: "No session id",
  noApplication: "No application name",
  noStatement: "No statement",
  application: (number: number): string => `Application ${number}`,
  statement: (number: number): string => `Statement ${number}`,
  sessionsOf: (count: number): string => plural(count, "# session"),
  others: (groups: number): string => plural(groups, "# other row"),
  all: "All",
  sumOfCommitWait: "Sum of commit wait, not elapsed time",

  // Columns
  share: "Share",
  commits: "Commits",
  wait: "Wait",
  waitByPlace: "Wait by place, same scale",
  sortBy: (column: string): string => `Sort by ${column}`,

  // Places
  commitQueue: "Commit queue",
  localFlush: "Log write, primary",
  network: "Network",
  secondaryFlush: "Log write, secondary",
  handling: "Other handling",
  unresponsive: "Unresponsive server",
  unknown: "Can't determine the place",
  placePart: (place: string, wait: string): string => `${place} ${wait}`,

  // Answer
  takes: (name: string, share: string, wait: string, all: string, time: string): string =>
    `${name} takes ${share} of commit wait time: ${wait} of ${all} in ${time}.`,
  mostOfIt: (place: string): string => `Most of it is ${place}.`,
  largestPart: (place: string, share: string): string => `The largest part is ${place}, ${share}.`,
  placeWords: {
    commitQueue: "the commit queue",
    localFlush: "the log write on the primary",
    network: "the network",
    secondaryFlush: "the log write on the secondary",
    handling: "handling on the servers",
    unresponsive: "an unresponsive server",
  },
  partNotKnown: "Can't determine the place of most of it.",
  noCommit: "No commit waited in this time.",
  oneStatement: "One statement",
  commitsOf: (commits: number): string => plural(commits, "commit"),
  commitsOfSessions: (commits: number, sessions: number): string =>
    `${plural(commits, "commit")} of ${plural(sessions, "# session")}`,
  applicationsOf: (applications: number): string => plural(applications, "application"),
  hasHighestP95: (name: string): string => `${name} has the highest p95, `,

  // Missing actions
  notRecorded: {
    session: "Session ids weren't recorded.",
    application: "Application names weren't recorded.",
    statement: "Statements weren't recorded.",
  },
  needsAction: (action: string): string =>
    `The event session of these files doesn't collect the action ${action}.`,
  addAction: "Add the action to the event, and record again. Each action costs time at each commit.",
  addStatement:
    "Add the action to the event, and record again. Texts of statements make files many times larger.",
  eventWithAction: (event: string, action: string): string =>
    `ADD EVENT sqlserver.${event} (ACTION (sqlserver.${action}))`,
  copyEvent: "Copy the event",
  openGuide: "Open capture guide",
  dropped: {
    session: "",
    application: "Application names were dropped on receipt.",
    statement: "Statement texts were dropped on receipt.",
  },
  droppedHelp: "An earlier version of AG Lens received these files. Upload them again.",

  // Filter
  filter: "Filter",
  pressARow: "Press a row to filter every screen to its commits. Ctrl adds a row.",
  blocksOfCommits: "Other screens show the log blocks of these commits.",
  match: (matched: string, all: string): string => `${matched} commits of ${all} match.`,
  showInTimeline: "Show in timeline",
  clearFilter: "Clear filter",
  filterTo: (name: string): string => `Filter to ${name}`,

  // Statements
  statementsKept: "Statements are kept as one line each. Literals are replaced by a question mark.",
  filesHaveStatements: (action: string): string =>
    `The files contained ${action}, but the upload didn't keep these texts.`,
  uploadAgain:
    "Upload the files again with the texts kept. Anyone who can open the capture can then read them.",
  statementsAbsent: (action: string): string => `The files don't contain the action ${action}.`,
  linkHidesStatements: "Links don't show statements.",

  // Sources
  sourceOfEachColumn: "Source of each column",
  sourceSession: "Session",
  sourceApplication: "Application",
  sourceStatement: "Statement",
  sourceWait: "Commit wait",
  sourcePlace: "Place",
  startToEnd: "start to end of commit",
  stagesBeforeRelease: "stages before the release",
  commitsWithout: (count: number, what: string): string =>
    `${plural(count, "# commit has", "# commits have")} ${what}.`,
  noName: {
    session: "no session id",
    application: "no application name",
    statement: "no statement",
  },
  lostAtLeast: (commits: number): string =>
    `At least ${plural(commits, "# event of a commit is", "# events of commits are")} lost, so commits are missing.`,
  lostExactly: (server: string, events: number, hasGaps: boolean): string =>
    `${server} lost exactly ${plural(events, "# event")}${hasGaps ? " outside of its gaps" : ""}, so up to ${plural(events, "# commit")} can be missing.`,
  thePrimary: "The primary replica",

  // Status
  rowsByWait: {
    session: (rows: number): string => `${plural(rows, "# session")} by commit wait`,
    application: (rows: number): string => `${plural(rows, "# application")} by commit wait`,
    statement: (rows: number): string => `${plural(rows, "# statement")} by commit wait`,
  },
  sqlHasRows: "SQL has these rows as a ready query",
  nextRow: "next row",
  filterToRow: "filter to row",
  switchRows: "switch rows",
} as const;
