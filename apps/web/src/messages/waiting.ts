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
