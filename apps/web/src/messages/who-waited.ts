import { plural } from "@aglens/ag-model/words";

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
