/** Texts of the sequence of a log block. */
export const sequenceTexts = {
  // Commit table
  notKnown: "not known",
  localLogWrite: "local log write",
  ack: "ack",
  commitsThatWaited: "Commits that waited",
  commitsThatWaitedLabel: (knownCommits: string): string => `Commits that waited, ${knownCommits}`,

  // Event table
  fileOffset: "file, offset",
  rawEvents: "Raw events",
  rawEventsLabel: (eventCount: number): string => `Raw events, ${eventCount}`,
  noStartTimestampPlaced: "No start_timestamp: placed by its publish time",

  // Headline
  remoteHardenIsNot: (whyNoHarden: string): string => `remote harden is not known: ${whyNoHarden}`,
  remoteHarden: (remoteHardenRank: string): string => `remote harden${remoteHardenRank}`,
  isAsynchronousNoCommit: (secondary: string): string =>
    `${secondary} is asynchronous: no commit waits for it`,
  wasUnresponsiveFor: (name: string, us: string): string => `${name} was unresponsive for ${us} of it`,
  beforeItHeld: (primary: string, lag: string): string => `before it ${primary} held it for ${lag}`,
  networkAndTook: (secondary: string, rest: string): string => `the network and ${secondary} took ${rest}`,
  networkTook: (network: string): string => `the network took ${network}`,
  vlfHeaderWriteAnd: (secondary: string): string => `${secondary} VLF header write and append`,
  took: (stage: string, share: string): string => `${stage} took ${share}`,
  hadAcknowledgedEarlier: (name: string, earlierUs: string): string =>
    `; ${name} had acknowledged ${earlierUs} earlier`,
  releasedByTheLocal: (other: string): string => `released by the local log write${other}`,
  afterS: (earlierUs: string, name: string): string => `, ${earlierUs} after ${name}'s`,
  afterTheLocalWrite: (afterLocal: string): string => `, ${afterLocal} after the local write`,
  releasedBySAck: (name: string | null, next: string): string => `released by ${name}'s ack${next}`,
  captureHasNoEvent: (secondary: string): string => `the capture has no event of its way to ${secondary}`,
  beginsAfterThisBlock: " begins after this block",
  endsBeforeThisBlock: " ends before this block",
  doesNotHold: " does not hold this block",
  fileOfPrimary: (primary: string, where: string): string => `${primary}'s file${where}`,
  captureHoldsNo: (secondary: string): string => `the capture holds no acknowledgment of ${secondary} for it`,
  longestOfThisCapture: ", the longest of this capture",
  ofThisCapture: (rank: string): string => `, ${rank} of this capture`,

  // Lens words
  firstOn: (length: string, primary: string): string => `First${length} on ${primary}`,
  receives: (secondary: string, after: string): string => `${secondary} receives${after}`,
  acknowledges: (secondary: string, after: string): string => `${secondary} acknowledges${after}`,
  lastOn: (length: string, primary: string): string => `Last${length} on ${primary}`,
  takesTheAckOf: (primary: string, secondary: string, after: string): string =>
    `${primary} takes the ack of ${secondary}${after}`,

  // Lenses
  moreBelow: (lensTitle: string, hidden: number): string =>
    `${lensTitle}${hidden > 0 ? `, ${hidden} more below` : ""}`,

  // Network legs
  wasUnresponsive: (name: string): string => `${name} was unresponsive`,
  network: (way: string): string => `network ${way}`,
  networkPart: (way: string, uncertaintyUs: string): string => `network ${way}, ${uncertaintyUs}`,
  roundTrip: "round trip",
  exact: ", exact",

  // Picture
  logBlock: (lsn: string, primary: string, secondary: string, parts: string): string =>
    `Log block ${lsn} from ${primary} to ${secondary} and back: ${parts}`,
  commitWaits: "Commit waits",
  logWrite: "Log write",
  sendAcknowledge: "Send, acknowledge",
  networkLabel: "Network",
  logWritePart: (role: string): string => `${role}, log write`,
  evenStepsEachKnown: "Even steps: each known instant stands one step from the next. Lengths are not times.",

  // Picture box
  noFile: (secondary: string): string => `no file of ${secondary} in this capture`,

  // Primary bars
  for: (secondary: string): string => ` for ${secondary}`,
  localWriteDoneCommit: (us: string, gate: string): string =>
    `local write done, commit still waits ${us}${gate}`,
  commitWaited: "commit waited",
  commitsLongestWaited: (commitCount: number): string => `${commitCount} commits, longest waited`,
  more: (hidden: number): string => `, + ${hidden} more`,

  // Secondary bars
  logWriteTo: (to: string): string => `log write ${to}`,

  // Sequence screen
  thisCaptureHoldsNo: "This capture holds no log block with a remote path.",
  readingTheBlock: "Reading the block and its events",
  showTheSlowestBlock: "Show the slowest block",
  overview: "Overview",
  backTo: (back: string): string => `back to ${back}`,
  block: "Block",
  secondary: "Secondary",
  scale: "Scale",
  toScale: "To scale",
  evenSteps: "Even steps",
  previousSlow: "Previous slow",
  nextSlow: "Next slow",

  // Sequence words
  firstBlock: "first block of its VLF: VLF header write",
  noCommit: "No commit of this block in the capture",
  wokenAfterItsRelease: (wokenAfter: string): string => `, woken ${wokenAfter} after its release`,
  oneCommitWaited: (waited: string, woken: string): string => `1 commit waited ${waited}${woken}`,
  commitsWaitedLongest: (commitCount: number, duration: string): string =>
    `${commitCount} commits waited, longest ${duration}`,
  secondaryLabel: "The secondary",
  noFileOf: (name: string): string => `No file of ${name}: the network and its disk appear as one bar`,
  cannotBePut: (name: string): string => `${name} cannot be put on the primary's clock`,
  primary: "the primary",
  timesMovedToS: (name: string, otherName: string, strictUncertaintyUs: string): string =>
    `${name} times moved to ${otherName}'s clock, ${strictUncertaintyUs}; stage sums are exact`,

  // Split
  split: "split",
  events: "Events",
  commitWaitsFor: (duration: string): string => `commit waits ${duration}`,
  logWriteOfSide: (side: "primary" | "secondary"): string => `Log write, ${side}`,
  logWriteOn: (server: string, duration: string): string => `log write on ${server}, ${duration}`,
  queuePart: (duration: string): string => `SQL Server's queue ${duration}`,
  devicePart: (duration: string, share: string): string => `device ${duration}, ${share}`,
  completionPart: (duration: string): string => `completion ${duration}`,
  splitOfBlock: (lsn: string, parts: string): string => `Log writes of log block ${lsn}, split: ${parts}`,
  logWriteSplit: (server: string): string => `Log write on ${server}, split`,
  scaleAndRange: (range: string): string => `log time, square-root count, ${range}`,
  countAndMedian: (count: string, median: string): string => `${count}, p50 ${median}`,
  partOf: (part: string): string => `\u2514 ${part}`,
  nextPreviousSlow: "next, previous slow block",
  splitOnOff: "split on, off",
  partsAddUp: "The parts add up to the log write",
  splitTheLogWrite: "split the log write",

  // Stage table
  networkAndLabel: (secondary: string): string => `Network and ${secondary}`,
  wasUnresponsivePart: "was unresponsive",
  aligned: (uncertaintyUs: string): string => `aligned ${uncertaintyUs}`,
  stagesOfThisBlock: "Stages of this block",
  untilAnAckCovers: "Until an ack covers it",

  // Time bar
  vlfHeaderWrite: (to: string): string => `VLF header write ${to}`,

  // Typical block
  typicalBlockSameScale: "Typical block, same scale",

  // Uncovered
  noEvent: (secondary: string): string => `no event of its way to ${secondary}`,
  fileOfPrimaryDoesNotHold: (primary: string): string => `${primary}'s file does not hold this block`,
  noAcknowledgment: (secondary: string): string => `no acknowledgment of ${secondary} in the capture`,
  networkAnd: (secondary: string, ackReceived: string): string => `network and ${secondary}, ${ackReceived}`,
  itsNetwork: (missing: string): string => `${missing}: its network and its disk appear as one bar`,

  // Upright picture
  logBlockFrom: ({
    primary,
    secondary,
    lasted,
    otherLasted,
    thirdLasted,
  }: {
    readonly primary: string;
    readonly secondary: string;
    readonly lasted: string;
    readonly otherLasted: string;
    readonly thirdLasted: string;
  }): string =>
    `Log block from ${primary} to ${secondary} and back, time downwards: out ${lasted}, log write ${otherLasted}, back ${thirdLasted}`,
  networkUpright: "network",
  commitWaitedPart: (commitUs: string): string => `commit waited ${commitUs}`,
  logWriteUpright: "log write",
  andDisk: "and disk",
} as const;
