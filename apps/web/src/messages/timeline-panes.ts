import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the timeline's panes. */
export const timelinePanesTexts = {
  // Against
  ofRemoteHardenHere: (name: string, here: string): string => `${name} ${here} of remote harden here.`,
  inTheRest: (other: string, there: string): string => `In the rest ${other} ${there}.`,

  // Announcement
  blockSelected: (lsn: string): string => `Block ${lsn} selected`,
  commit: (duration: string): string => `commit ${duration}`,
  remoteHarden: (harden: string): string => `remote harden ${harden}`,

  // Block pane
  readingBlock: "Reading block …",
  openSequence: "Open sequence",
  block: "Block",
  previousBlockInTime: "Previous block in time",
  nextBlockInTime: "Next block in time",
  sizeUnknown: "size unknown",
  commitLabel: "Commit",
  remoteHardenLabel: "Remote harden",
  commitRank: "Commit rank",
  hardenRank: "Harden rank",
  networkSum: "Network, sum",
  exact: "exact",
  hadAcknowledgedEarlier: (name: string, earlierUs: string): string =>
    `${name} had acknowledged ${earlierUs} earlier`,
  releasedByTheLocal: "Released by the local log write.",
  withoutThisCommitTakes: (name: string | null, withoutUs: string): string =>
    `; without ${name} this commit takes about ${withoutUs}`,
  localLogWriteHad: (afterLocal: string): string => `The local log write had ended ${afterLocal} earlier.`,
  releasedBySAck: (name: string | null): string => `Released by ${name}'s ack.`,
  writeTook: (us: string, word: string): string => `The write took ${us}${word}.`,
  commitBegins: "commit begins",
  blockBegins: "block begins",

  // Blocks pane
  blocksSelected: (blockCount: number): string => `${blockCount} blocks selected`,
  blocksSelectedLabel: "Blocks selected",
  readingTheBlocks: "Reading the blocks",
  selectNone: "Select none",
  rolesChangedBetweenThem: "Roles changed between them.",
  primaryIsAnotherServer: "The primary is another server in each of them.",
  selectWithout: (name: string): string => `Select without ${name}`,
  stagesOfTheSelected: "Stages of the selected blocks",
  bLessA: "B less A",
  longestLessTheShortest: "The longest less the shortest",
  waitedForThem: (commits: number): string => `${plural(commits, "# commit")} waited for them. `,
  waitedForThemSums: (knownCommits: string): string =>
    `${knownCommits}Sums add what ran at the same time too.`,
  longestCommit: "Longest commit",

  // Hit list
  harden: "Harden",

  // Hit pane
  hit: (blocks: number): string => plural(blocks, "# hit"),
  ofBlocks: (total: string, found: string): string => `of ${total} blocks, ${found}`,
  countingTheBlocks: "Counting the blocks of the filter",
  orderOfTheHits: "Order of the hits",
  slowest: "Slowest",
  time: "Time",
  oneScale: "one scale",
  ofAllCommitWaiting: (waitedShare: string, waitedUs: string, commits: number): string =>
    `${waitedShare} of all commit waiting: ${waitedUs} in ${plural(commits, "# commit")}`,
  ofTime: (share: string, durationSubject: string): string => `${share} of ${durationSubject} time`,
  noCommit: (part: string): string => `${part}No commit of this capture is known.`,
  waitedSum: (hasNoPart: boolean, waited: string): string => `${hasNoPart ? "" : " and "}${waited}.`,
  ofLie: (inEpisodes: string, blocks: string, episodeCount: number): string =>
    ` ${inEpisodes} of ${blocks} lie in ${plural(episodeCount, "the episode")} of the verdict.`,
  ofWaited: (waitedCount: string, rowCount: string, names: string): string =>
    ` ${waitedCount} of ${rowCount} waited for ${names}, which was unresponsive.`,
  largestIs: (durationSubject: string, largest: string): string =>
    ` The largest ${durationSubject} is ${largest}.`,
  eachConditionAlone: (isAlone: boolean, lower: string): string =>
    `${isAlone ? "Each condition alone has blocks; none meets all of them." : "No block meets the conditions."}${lower}`,
  use: (us: string): string => `Use ${us}`,
  selectHit: (index: number, lsn: string, time: string): string => `Select hit ${index}, ${lsn}, ${time}`,

  // Hit row
  hits: "Hits",

  // Isolated pane
  oneStageAlone: "One stage alone",
  lanes: (ownCount: number): string => `${ownCount} lanes`,
  allStages: "All stages",
  blockInViewOther: (blocks: number): string => `${plural(blocks, "# block")} in view, other stages set back`,
  inView: "in view",
  noBlockInView: "No block in view has this stage.",
  oneBlock: "one block",
  slowestInView: "Slowest in view",
  distribution: "Distribution",
  partOfRemoteHarden: "Part of remote harden",
  partOfRemoteHardenLabel: (regimes: string): string => `Part of remote harden ${regimes}`,
  server: "A server",
  wasUnresponsiveForMore: (name: string, still: string): string =>
    `${name} was unresponsive for ${still} more, which is no part of the stage.`,
  until: (to: string): string => `until ${to}`,
  from: (from: string, until: string): string => `from ${from} ${until}`,
  otherwise: "Otherwise",
  afterIt: "After it",
  blockPart: (blocks: number): string => plural(blocks, "# block"),
  slowestOfThisStage: "Slowest of this stage in view",
  selectBlock: (lsn: string, time: string): string => `Select block ${lsn}, ${time}`,

  // Largest share
  networkWith: (secondary: string): string => `the network with ${secondary}`,
  serverPart: "a server",
  wasUnresponsiveFor: "was unresponsive for",
  takes: "takes",
  sLogWrite: (secondary: string): string => `${secondary}'s log write`,
  network: "the network",
  sHandling: (place: string): string => `${place}'s handling`,

  // Pane parts
  readingTheFigures: "Reading the figures of this range",
  rest: (other: string): string => `rest ${other}`,

  // Phases pane
  two: "two",
  phases: "phases",
  selectionReachesAcross: (phases: string): string => `The selection reaches across ${phases}.`,
  changeOfRoles: "a change of roles",
  changeOfAvailabilityMode: "a change of availability mode",
  only: (phaseName: string): string => `Only ${phaseName}`,
  releasedItsLastCommit: (name: string): string => `${name} released its last commit`,
  lastLogBlock: (name: string): string => `The last log block of ${name} ended`,
  firstLogBlock: (name: string): string => `the first log block of ${name} began`,
  itsFirst: (name: string): string => `${name} its first`,
  releasedItsFirstCommit: (name: string): string => `${name} released its first commit`,
  primaryMoved: "The primary moved.",
  atAtWithoutCommits: ({
    thePrimary,
    name,
    from,
    otherName,
    to,
    otherTo,
    isWithoutCommits,
  }: {
    readonly thePrimary: ReactNode;
    readonly name: string;
    readonly from: string;
    readonly otherName: string;
    readonly to: string;
    readonly otherTo: string;
    readonly isWithoutCommits: boolean;
  }): ReactNode =>
    sentence`${thePrimary} ${name} at ${from}, ${otherName} at ${to}: ${otherTo} ${isWithoutCommits ? "without commits. Both files cover this time." : "without a known commit. Some events of this time are missing."}`,
  availabilityModeChanged: "The availability mode changed.",
  meanRemoteHarden: (path: string): string => `${path}: mean remote harden`,
  meanOf: (path: string, part: string): string => `${path}: mean of ${part}`,
  stage: (where: string): string => `Stage ${where}`,

  // Phone sheet
  selectedBlock: "Selected block",
  fewerFigures: "Fewer figures",
  thisBlockWasSent: "This block was sent to no secondary.",
  remoteHardenPart: "remote harden",
  roundTrip: "round trip",
  logWrite: (primary: string): string => `${primary} log write`,
  releasedBy: "released by",
  notKnown: "not known",
  wasUnresponsive: (primary: string, us: string): string => `${primary} was unresponsive ${us}`,

  // Range pane
  inViewPart: (to: string): string => `${to} in view`,
  blocksAndCommits: (blocks: number, commits: string): string => `${plural(blocks, "# block")}, ${commits}`,
  percentilesNeedBlocks: "Percentiles need blocks. The values of the whole capture stay in the overview.",
  readingTheBlocksOf: "Reading the blocks of this range",
  lsnIsInView: (lsn: ReactNode, time: string): ReactNode =>
    sentence`The LSN ${lsn} is in view twice, ${time} apart: two blocks, one per database.`,
  inViewBlocks: (count: number): string =>
    `${plural(count, "# LSN")} in view ${plural(count, "names", "name")} blocks of several databases: each has a log of its own.`,
  pressToShowAll: "Press to show all stages equally.",
  pressToIsolate: "Press to isolate its lane.",
  commitPart: (n: number): string => plural(n, "# commit"),
  releaseNotKnown: "Release not known",
  logBlocksPerSecond: "Log blocks per second",
  nothingIsKnown: "nothing is known",
  commitsTookInstead: (what: string, p95Inside: string, p95Outside: string): string =>
    `${what}: commits took ${p95Inside} instead of ${p95Outside} (p95)`,
  inPeriodsBetweenAnd: (periods: number, start: string, end: string): string =>
    `In ${periods} periods between ${start} and ${end}`,
  fromTo: (start: string, end: string): string => `From ${start} to ${end}`,
  untilLabel: (end: string): string => `Until ${end}`,
  periodCount: (periods: number): string => `${periods} periods, `,
  twoRegimes: "Two regimes.",
  meanRemoteHardenPart: (episode: string): string => `${episode}. Mean remote harden:`,
  ofRemoteHarden: " of remote harden",
  otherwiseAfterIt: (pair: string, inside: boolean, otherPair: string): string =>
    `${pair}; ${inside ? "otherwise" : "after it"} ${otherPair}.`,
  blocks: (i: number, offsets: string, inside: boolean, blocks: string): string =>
    `${i === 0 ? offsets : inside ? "Otherwise" : "After"}, ${blocks} blocks`,
  meanRemoteHardenLabel: "Mean remote harden",

  // Release candidates
  localLogWrite: "local log write",

  // Release names
  releasedByLabel: "Released by",
  commits: "commits",

  // Released by
  secondarysAck: "the secondary's ack",
  secondary: "a secondary",
  sAck: (namesOfSlot: string): string => `${namesOfSlot}'s ack`,
  releasedByName: (localFlush: string | null): string => `Released by ${localFlush}`,

  // Ruler list
  ruler: (listCount: number): string => plural(listCount, "Ruler"),
  showIt: "Show it",
  to: (from: string, to: string): string => `${from} to ${to}`,
  removeTheRulerOf: (us: string): string => `Remove the ruler of ${us}`,

  // Selection pane
  inSelection: "In selection",
  against: "against",
  againstLabel: "Against",
  restOfView: "Rest of view",
  ofCapture: "of capture",
  restAnd: (blocks: string, knownCommits: string): string => `; rest ${blocks} and ${knownCommits}`,
  blockRestAnd: (selected: string, blocks: number, commits: string, rest: string): string =>
    `${selected}, ${plural(blocks, "# block")}, ${commits}${rest}`,
  meanRemoteHardenOf: (name: string): string => `${name}, mean remote harden`,
  figureOfStages: "Figure of stages",
  restOf: (gate: string, commits: string): string => `, rest ${gate} of ${commits}`,
  restPart: (restRate: string): string => `, rest ${restRate}`,
  zoom: "Zoom",
  compare: "Compare",

  // Side pane
  selectedBlocks: "Selected blocks",
  blocksLabel: "Blocks",
  stages: "Stages",
  inViewLabel: "In view",
} as const;
