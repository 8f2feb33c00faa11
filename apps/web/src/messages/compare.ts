/** Texts of the comparison of two ranges. */
export const compareTexts = {
  // Change table
  changes: "Changes",
  withinChance: ", within chance",

  // Compare screen
  overview: "overview",
  changeUnder10: "A change under 10 % or within chance is no change",
  beforeAndAfter: "Before and after",
  beforeAndAfterPer: "Before and after, per stage",
  squareRoot: "square root of the share of blocks, log time; arrow: p50 of A to p50 of B",
  percentileThatIsCompared: "Percentile that is compared",
  againstB: (percentile: string): string => `A against B, ${percentile}`,
  secondary: "Secondary",
  intervalDefinition:
    "Interval: contains the change in 95 of 100 cases. Each side is drawn again from its own periods (block bootstrap, 200 draws). Changes under 10 % are gray, and those whose interval contains 0.",
  changesOf: (percentile: string): string => `changes of ${percentile}`,

  // Compare words
  commitsTakeInsteadOf: (
    duration: string,
    otherDuration: string,
    percentile: string,
    change: string,
  ): string => `Commits take ${duration} instead of ${otherDuration} (${percentile}, ${change}).`,
  commitsTakeAbout: (duration: string, otherDuration: string, percentile: string): string =>
    `Commits take about as long: ${duration} and ${otherDuration} (${percentile}).`,
  noStageDiffers: "No stage differs by more than chance explains.",
  changedMostInsteadOf: ({
    distributionStageName,
    percentile,
    duration,
    otherDuration,
    change,
  }: {
    readonly distributionStageName: string;
    readonly percentile: string;
    readonly duration: string;
    readonly otherDuration: string;
    readonly change: string;
  }): string =>
    `${distributionStageName} changed most: ${percentile} ${duration} instead of ${otherDuration} (${change}).`,
  noOtherStageDiffers: "No other stage differs by more than chance explains.",
  alsoDifferent: (listed: string): string => `Also different: ${listed}.`,

  // Compared events
  eventsByKind: "Events by kind",
  events: "Events",
  noEvent: "Evidence files have no event in these ranges.",
  ofSide: (side: string, sentence: string): string => `${side}: ${sentence}`,
  kinds: {
    role: "Role change",
    lease: "Lease",
    health: "Health check",
    ddl: "DDL",
    connectivity: "Connectivity",
    synchronization: "Synchronization state",
    suspension: "Suspend, resume",
    slowIo: "I/O over 15\u2009s",
    scheduler: "Scheduler",
    memory: "Memory",
    restart: "Restart",
  },

  // Compared rows
  stages: "Stages",
  nAnd: (count: string, otherCount: string): string => `n ${count} and ${otherCount}`,

  // First sides
  inView: "In view",
  coveredByAllFiles: "Covered by all files",
  beforeTheSwitchAt: (at: string): string => `Before the switch at ${at}`,
  afterTheSwitchAt: (at: string): string => `After the switch at ${at}`,
  before: (label: string): string => `Before ${label}`,
  after: (label: string): string => `After ${label}`,
  firstHalf: "First half",
  secondHalf: "Second half",

  // Side choice
  side: (name: string): string => `Side ${name}`,
  outline: "A, outline",
  bFilled: "B, filled",
  thisCapture: "This capture",
  rangeOf: (name: string): string => `Range of ${name}`,
  asChosen: "As chosen",
  captureOfB: "Capture of B",
  anotherCapture: "Another capture",

  // Use comparison
  linkOpensOneCapture: "A link opens one capture: compare its ranges.",
} as const;
