import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the pages of a capture: bar, search, filter row. */
export const pagesTexts = {
  // Access gate
  serverCannotBeAsked: "The server cannot be asked who is signed in.",
  noRole: "No role",
  youAreSigned: (name: string): string => `You are signed in as ${name}, without a role.`,
  askWhoRuns: (id: string): string =>
    `Ask who runs this server to give a role to you or to a group of yours. Your id here is ${id}.`,
  signOut: "Sign out",
  signedOut: "Signed out",
  youAreSignedOut: "You are signed out of AG Lens.",
  mayStillKnowYou: (directory: string): string =>
    `${directory} may still know you in this browser. Sign out there too if others use it.`,
  signInAgain: "Sign in again",
  signedOutAtSign: (at: string): string => `Signed out at ${at}. Sign in to continue.`,

  // Analyzed capture
  analysisCannotBeRead: "The analysis cannot be read.",
  export: "Export",
  block: (blockName: string): string => `Block ${blockName}`,
  linkToThisView:
    "Link to this view copied. It names the files. Anyone who opens it provides the same files; it can be pasted on AG Lens's first screen",
  linkToThisViewCopied: "Link to this view copied",
  copyingRefusedHint: "use the address bar or Share",
  verdictCopied: "Verdict copied",
  share: "Share",
  inCommon: " in common",
  fromTheFirstEvent: (whole: string, common: string): string =>
    `${whole} from the first event to the last, ${common} covered by every file`,

  // App
  noSuchPage: "No such page",
  thereIsNoPage: "There is no page at this address.",
  checkTheLink: "Check the link, or start from your captures.",

  // Capture page
  capture: "Capture",
  thisCaptureCannot: "This capture cannot be opened.",

  // Commands
  key: (shown: string): string => `key ${shown}`,
  slowestBy: (words: string): string => `slowest by ${words}`,
  overview: "overview",
  slowestCommits: "slowest commits",
  rawEvents: "raw events",
  addEvidence: "add evidence",
  otherFiles: "ERRORLOG, AlwaysOn_health",

  // Database filter
  all: (databaseCount: number): string => `All ${databaseCount}`,
  database: "Database",

  // Filter row
  isolatedStages: "Isolated stages",
  isolated: "Isolated",
  amongAllStages: (name: string): string => `${name}: among all stages`,
  otherLanesAreThin: "other lanes are thin and set back; figures are of all lanes",
  pressASecondLegend: "press a second legend entry or row to compare",
  allStages: "All stages",
  filter: "Filter",
  add: "+ Add",
  clear: "Clear",
  typing: (blocks: string, isTyped: boolean): string => `${blocks}${isTyped ? ", typing" : ""}`,
  remove: (meaning: string): string => `Remove ${meaning}`,
  inView: (blocks: string): string => `${blocks} in view`,
  before: (before: string): string => `${before} before`,
  after: (after: string): string => `${after} after`,
  ofBlocks: (blocks: string, total: string): string => `${blocks} of ${total} blocks`,
  slowestFirst: "slowest first",
  inTime: "in time",
  longestCommitFirst: "longest commit first",
  previousHit: "Previous hit",
  nextHit: "Next hit",
  blocksThatAreNo: "Blocks that are no hits",
  dimOthers: "Dim others",
  hitsOnly: "Hits only",
  fitHits: "Fit hits",
  timeline: "Timeline",
  slowestBlocks: "Slowest blocks",

  // Filter suggestions
  slowLogWrites: (name: string): string => `slow log writes of ${name}, over 50\u2009ms`,
  busyLogWrites: (name: string): string => `busy log writes of ${name}, 20 to 50\u2009ms`,
  releasedBySAck: (name: string): string => `released by ${name}'s ack`,
  releasedBySOwn: (primary: string): string => `released by ${primary}'s own log write`,
  slowCommitsWhatSessions: "slow commits: what sessions waited",
  slowNetworkOut: "slow network, out and back",
  fullLogBlocks: "full log blocks",
  logBlocksOf: (name: string): string => `log blocks of ${name}`,
  whatTheVerdictNames: "what the verdict names",
  usedBefore: "used before",

  // Link page
  link: "Link",
  thisLinkHasExpired: "This link has expired.",
  thisLinkWasRevoked: "This link was revoked.",
  thisLinkCannot: "This link cannot be opened.",

  // Locked link
  thisLinkAsks: "This link asks for a passphrase",
  senderGave:
    "The sender gave it to you another way. Until then nothing of the capture is shown, not even its name.",
  passphrase: "Passphrase",
  open: "Open",
  itDidNotOpen: "It did not open.",
  ends: "Ends",
  whenItsMakerTakes: "when its maker revokes it",
  names: "Names",
  serverAndDatabaseNames: "server and database names are replaced",
  serverAndDatabaseNamesAreShown: "server and database names are shown",

  // Missing block row
  blockOfTheLink: "Block of the link",
  of: (database: string): string => ` of ${database}`,
  linkNamesBlock: (lsn: ReactNode, database: string): ReactNode =>
    sentence`The link names block ${lsn}${database}, which this capture does not have.`,
  dismiss: "Dismiss",

  // Needs server
  needsAServer: "Needs a server",
  thisNeedsAgLens: "This needs AG Lens on a server.",
  thisPageReadsFiles:
    "This page reads files on this computer, without a server. To attach to live servers, share links, query SQL or list all captures, run AG Lens as a server.",

  // Replica strip
  replicas: "Replicas",
  filesStay: "Files stay on this computer",
  blocks: "blocks",
  blocksJoined: (onBoth: string, all: string, blocks: ReactNode): ReactNode =>
    sentence`${onBoth} of ${all}${blocks} joined`,
  tags: (words: string): string => `Tags: ${words}`,
  gapsInTheFiles: (gaps: number): string => plural(gaps, "# gap in a file", "# gaps in the files"),
  noFile: ", no file",
  phases: (words: string, roleCount: number, rest: string): string => `${words}, ${roleCount} phases${rest}`,
  thenPart: (then: string, rest: string): string => `then ${then}${rest}`,
  primary: "Primary",
  primaryNoFile: "Primary, no file",
  secondaryNoFile: "Secondary, no file",
  secondary: "Secondary",
  secondaryLabel: "The secondary",

  // Role switches
  withoutCommits: " without commits",
  withoutAKnownCommit: " without a known commit",
  switch: (to: ReactNode, otherTo: string, isWithoutCommits: ReactNode): ReactNode =>
    sentence`Switch ${to}, ${otherTo}${isWithoutCommits}`,
  switches: (switchCount: ReactNode): ReactNode => sentence`${switchCount} switches`,
  alone: (modePhaseName: string): string => `${modePhaseName} alone`,
  showAllPhases: ", show all phases",
  changesOfMode: (wordCount: number): string => `${wordCount} changes of mode`,

  // Search
  filterTimeLsn: "Filter, time, LSN or command",
  filterTimeOrLsn: "Filter, time or LSN",
  conditionsPlaces: "Conditions, places and commands",
  choose: "choose",
  apply: "apply",
  complete: "complete",
  filterSyntax: "stage, commit, gate, size > < = \u00a0comma means and",
  nearest: (nearest: string): string => ` Nearest: ${nearest}.`,
  looking: "Looking",
  noSuchTimeBlock: (durationUs: string): string =>
    `No such time, block or command in this capture. Try ${durationUs}, +1.5\u2009s, 00000022:00000167, a log_block_id, or a condition such as commit > 200\u2009ms.`,

  // Search hits
  goTo: "Go to",
  sequence: (when: string, database: string): string => `sequence, ${when}${database}`,
  timelinePart: (when: string, database: string): string => `timeline, ${when}${database}`,
  timelineAt: (at: string): string => `timeline, ${at}`,
  sequenceOfTheFirst: (time: string): string => `sequence of the first block from then, ${time}`,

  // Strip clocks
  clockCannotBeAligned: (name: string): string => `${name} clock cannot be aligned`,
  clockStepped: (name: string, hasStepped: boolean, ahead: ReactNode): ReactNode =>
    sentence`${name} clock ${hasStepped ? "stepped, " : ""}${ahead}`,
  alignedTo: "aligned to",
  cannotAlign: "Cannot align",
  rawUtcAcknowledgments: (outOfOrderByUtc: string): string =>
    `Raw UTC. Acknowledgments arrive before they are sent on ${outOfOrderByUtc} blocks.`,
  timesOfBothReplicas:
    "Times of both replicas are on the primary's clock. Drag, or hold an arrow key, to move its bars in the timeline by what the uncertainty allows.",
  keyR: (words: string): string => `${words} Key: r`,
  rawUtc: "Raw UTC",
  aligned: "Aligned",
  acksArriveBeforeThey: (outOfOrderByUtc: string): string =>
    `acks arrive before they are sent on ${outOfOrderByUtc} blocks`,

  // Strip roles
  syncOrUndetermined: "Sync or undetermined",
  events: (events: string): string => `${events} events`,
  noFilePart: "no file",
  clock: (ahead: string): string => `clock ${ahead}`,
  clocksAligned: (uncertainty: string): string => `Clocks aligned ${uncertainty}`,
  ofClocksAligned: (clockCount: number, otherClockCount: number): string =>
    `${clockCount} of ${otherClockCount} clocks aligned`,

  // Tabs
  copyTheVerdict: "Copy the verdict",
  rawOrAlignedClock: "Raw or aligned clock",
  screens: "Screens",
  more: "More",

  // Tour
  tourOfTheSample: (step: number, tourCount: number): string =>
    `Tour of the sample, step ${step} of ${tourCount}`,
  leaveTour: "Leave tour",
  back: "Back",
  finish: "Finish",
  next: (title: string): string => `Next: ${title}`,

  // Unready capture
  filesCouldNot: "The files could not be analyzed.",
  reasonIsNotKnown: "The reason is not known.",
  changeTheFiles: "Change the files",
  allCaptures: "All captures",

  // Commands
  watches: "watches",
  availabilityGroups: "availability groups",

  // Use search list
  conditionsOfThisCapture: "Conditions of this capture",
  usedBeforeLabel: "Used before",
  readAs: "Read as",
  moreConditions: "More conditions",
  blockPart: (blocks: number): string => plural(blocks, "# block"),
} as const;
