import { plural } from "@aglens/ag-model/words";

/** Texts of a support folder: files in addition to those of data-movement events. */
export const folderTexts = {
  // Title and lead
  file: (fileCount: number): string => plural(fileCount, "# file"),
  supportFolderOf: (fileCount: number): string => `a support folder of ${plural(fileCount, "# file")}`,
  captureIn: (captures: number, where: string): string => `${plural(captures, "# capture")} in ${where}`,
  noMovementIn: (where: string): string => `No data-movement events in ${where}`,
  sqlLogScout: "SQL LogScout",
  server: (servers: number): string => plural(servers, "# server"),
  filesAreUsed: (used: number): string => plural(used, "# file is used", "# files are used"),
  needConversion: (files: number): string => plural(files, "# needs conversion", "# need conversion"),
  arentUsed: (files: number): string => plural(files, "# isn't used", "# aren't used"),

  // Rows
  uses: {
    movement: "Stages and commits",
    alwaysOnHealth: "What happened, names and ids",
    clusterDiagnostics: "Lease, health check, I/O",
    systemHealth: "Health of the server",
    errorlog: "What happened, slow I/O",
    rowsets: "Waits and file statistics",
    waits: "Wait statistics",
    schedulers: "Runnable tasks",
    counters: "Performance counters",
    diskspd: "Reference of the log write",
    topology: "Names and ids",
  } as Readonly<Record<string, string>>,
  youSkipIt: "You skip this file.",
  cannotBeRead: "The file can't be read.",
  event: (events: number): string => plural(events, "# event"),
  sample: (samples: number): string => plural(samples, "# sample"),
  fromTheFile: (offset: string): string => `${offset} from the file`,
  chosen: (offset: string): string => `${offset}, chosen`,
  noServer: "No server",
  usedOf: (used: number, files: number): string => `${used} used of ${plural(files, "# file")}`,
  filesOfServer: (server: string): string => `Files of ${server}`,
  files: "Files",
  number: "Number",
  use: "Use",
  content: "Content",
  reason: "Reason",
  chooseTimeZone: "Choose time zone",
  timeZoneOf: (name: string): string => `Time zone of ${name}`,
  remove: (name: string): string => `Remove ${name}`,
  removeLabel: "Remove",
  skip: "Skip",
  includeFile: "Use it",
  skipFile: (name: string): string => `Skip ${name}`,
  includeNamed: (name: string): string => `Use ${name}`,
  notUnderstood: (lines: number): string =>
    `AG Lens can't read ${plural(lines, "# line or event", "# lines or events")} of it.`,

  // Rail
  filesThatArentUsed: "Files that aren't used, and names",
  needsConversion: "Needs conversion",
  relogLineOf: (name: string): string => `relog line of ${name}`,
  addCsv: "Add CSV",
  notUsed: "Not used",
  belongToNoServer: (files: number): string =>
    plural(files, "# file names no server.", "# files name no server."),
  names: "Names",
  learnedFrom: {
    alwaysOnHealth: "learned from AlwaysOn_health",
    topology: "learned from the topology",
    both: "learned from AlwaysOn_health and the topology",
  },
  name: "Name",
  id: "Id",
  kind: "Kind",
  kinds: { group: "availability group", replica: "availability replica", database: "availability database" },
  disputed: "other files have another name for this id",
  nameIt: "Name it",

  // Add evidence
  whichFiles:
    "Drop ERRORLOG, AlwaysOn_health, system_health, counters as CSV, outputs of SQL LogScout, or a zip of them.",
  analysisStays: "The analysis stays as it is. New names are used with the next analysis.",
  done: "Done",

  // Actions and status
  showWhatHappened: "Show what happened",
  changeServersAndUse: "Change servers and use",
  statusOf: (files: string, bytes: string, used: string): string => `${files}, ${bytes}, ${used} used`,
  analyzeKey: "analyze",
  nextFileKey: "next, previous file",
  skipKey: "use or skip",
  removeKey: "remove file",
} as const;
