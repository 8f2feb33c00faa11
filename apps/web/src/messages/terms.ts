/** One sentence for every name that screens show: its meaning, its source, and the section of the guide that explains it. */
import { EventName } from "@aglens/ag-model/events";
import {
  isStageId,
  isWritePart,
  stageDefinition,
  stageName,
  writePart,
  type StageId,
  type WritePartId,
} from "@aglens/ag-model/replication";
import { slugOf } from "./causes.ts";

/** Meaning of a name on a screen. */
export interface Definition {
  readonly name: string;
  /** One or two sentences for a DBA. */
  readonly sentence: string;
  /** Events, columns or counters that the figure is taken from. */
  readonly source: string;
  /** Page of the guide and its section: `stages/commit-queue`. */
  readonly help: string;
}

const glossary = (name: string, sentence: string, source: string): Definition => ({
  name,
  sentence,
  source,
  help: `glossary/${slugOf(name)}`,
});

const VALUES = "computed from the values in view";

const TERMS = {
  commit: glossary(
    "Commit latency",
    "The session waits this long for its commit: group commit, log write, and the acknowledgment of each synchronous replica.",
    EventName.commit,
  ),
  acknowledge: glossary(
    "Acknowledge",
    "The secondary builds the acknowledgment and hands it to the transport.",
    `${EventName.flushComplete} to ${EventName.ackSendComplete}`,
  ),
  p50: ofValues("p50", "Half of the values are at most this long."),
  p95: ofValues("p95", "95 of 100 values are at most this long."),
  p99: ofValues("p99", "99 of 100 values are at most this long."),
  max: ofValues("Max", "The longest value."),
  mean: ofValues("Mean", "The sum of all values, divided by their number."),
  releasedBy: glossary(
    "Released by",
    "The last event that the commit waited for: the log write on the primary, or a synchronous replica's acknowledgment.",
    `${EventName.flushComplete}, ${EventName.receiveHarden}`,
  ),
  uncertainty: {
    name: "±",
    sentence:
      "The clocks of two servers can be compared only within this bound. The true value is inside of it.",
    source: "send and receive times of log blocks and acknowledgments, in both directions",
    help: "glossary/uncertainty",
  },
  share: glossary(
    "Share of remote harden",
    "The part of remote harden time that this stage takes.",
    "stages of the remote path, which add up to remote harden",
  ),
  releasedShare: {
    name: "Share of commits",
    sentence: "The part of all commits that this replica's acknowledgment, or the local log write, released.",
    source: `${EventName.flushComplete}, ${EventName.receiveHarden}`,
    help: "glossary/released-by",
  },
  nextReady: {
    name: "Next was ready",
    sentence: "The event that otherwise releases the commit, and how much earlier it happened.",
    source: `${EventName.flushComplete}, ${EventName.receiveHarden}`,
    help: "glossary/released-by",
  },
  lsn: glossary(
    "LSN",
    "The place in the transaction log at which the log block begins: VLF, offset, and record.",
    "log_block_id of the event",
  ),
  lag: glossary(
    "Lag",
    "The age of the oldest log write that the replica hasn't acknowledged, and the bytes of all such log blocks.",
    `${EventName.flushComplete} to ${EventName.receiveHarden}`,
  ),
  unseen: {
    name: "Network and replica",
    sentence:
      "The time from send to acknowledgment. No file of the replica divides it into network and disk.",
    source: `${EventName.sendComplete} to ${EventName.receiveHarden}`,
    help: "waiting/without-files-of-a-replica",
  },
  busyShare: {
    name: "Busy",
    sentence: "The share of each second in which a write runs, or a message is on its way.",
    source: `${EventName.flushStart} to ${EventName.flushComplete}, send and receive times of messages`,
    help: "waiting/figures",
  },
  waitedAndServed: {
    name: "Waited, then served",
    sentence:
      "Waited: from ready to start, while an earlier write runs. Served: the log write or message itself.",
    source: `${EventName.flushStart} to ${EventName.flushComplete}, send and receive times of messages`,
    help: "waiting/figures",
  },
  rank: glossary(
    "Rank",
    "p91: 91 of 100 values of the capture are at most this long. max: none is longer.",
    "all log blocks, or all commits, of the capture",
  ),
  obtained: glossary(
    "Obtained",
    "Measured: an event has this time. Derived: computed from another event. Aligned: compared across two clocks, with a bound.",
    "the events of the log block",
  ),
  commonTime: glossary(
    "Common time",
    "The files of all replicas cover this period. Figures are of this period.",
    "first and last event of each file",
  ),
  fired: {
    name: "Fired",
    sentence: "The time at which the event happened, on the clock of the primary.",
    source: "start_timestamp and the duration of the event",
    help: "raw-events/read-an-event",
  },
  published: {
    name: "Published",
    sentence:
      "The time at which Extended Events wrote the event, on the clock of its server. It is less exact.",
    source: "timestamp of the event",
    help: "raw-events/read-an-event",
  },
  offset: {
    name: "Offset",
    sentence: "The time from the start of the capture.",
    source: "start_timestamp of the event, and the first event of the capture",
    help: "raw-events/read-an-event",
  },
  blockOffset: {
    name: "Offset",
    sentence: "The time from the start of the log block's first commit to this event.",
    source: "start_timestamp and the duration of the event",
    help: "sequence/raw-events-of-the-block",
  },
  byteOffset: {
    name: "Byte offset",
    sentence: "The place of the event in its file, in bytes from the beginning.",
    source: "the .xel file of the event",
    help: "raw-events/read-an-event",
  },
  waitShare: glossary(
    "Share of commit wait",
    "The waits of a row's commits, divided by the waits of all commits in view. Waits that overlap in time count each.",
    EventName.commit,
  ),
  waitByPlace: glossary(
    "Wait by place",
    "The commit's wait along the path that released it. The places add up to the wait.",
    "stages before the release",
  ),
  joinedBlocks: glossary(
    "Joined log blocks",
    "Log blocks with events on the primary and on this secondary.",
    "log_block_id of the events on both servers",
  ),
  writeClasses: {
    name: "Log writes by class",
    sentence: "Log writes by their duration: up to 10 ms, up to 20 ms, up to 50 ms, and longer.",
    source: `${EventName.flushStart} to ${EventName.flushComplete}`,
    help: "glossary/classes-of-log-writes",
  },
  good: writeClass("Log write up to 10 ms", "A log write of at most 10 ms is usual for a log disk."),
  reasonable: writeClass(
    "Log write of 10 to 20 ms",
    "A log write of 10 to 20 ms is acceptable for a log disk.",
  ),
  busy: writeClass("Log write of 20 to 50 ms", "A log write of 20 to 50 ms is slow: the log disk is busy."),
  bad: writeClass("Log write over 50 ms", "A log write of more than 50 ms makes sessions wait noticeably."),
  idle: ofTime(
    "Idle",
    "The files cover this time, and the database wrote no log. The ground is plain.",
    EventName.flushStart,
  ),
  notRecorded: ofTime(
    "Not recorded",
    "No file of the server covers this time. Diagonal lines.",
    "first and last event of its files",
  ),
  lost: ofTime(
    "Events lost",
    "The session of the server dropped all events of this time, or a file between two others is missing. Crossed lines. A small mark is a single event.",
    "log blocks without an event that most blocks of the server have",
  ),
  notArrived: ofTime(
    "Sent, not arrived",
    "Log blocks were sent to the replica and had not arrived there yet. Horizontal lines.",
    `${EventName.sendComplete} without ${EventName.transportReceive}`,
  ),
} as const;

function ofTime(name: string, sentence: string, source: string): Definition {
  return { name, sentence, source, help: "glossary/idle-and-missing-time" };
}

function writeClass(name: string, sentence: string): Definition {
  return {
    name,
    sentence,
    source: `${EventName.flushStart} to ${EventName.flushComplete}`,
    help: "glossary/classes-of-log-writes",
  };
}

function ofValues(name: string, sentence: string): Definition {
  return { name, sentence, source: VALUES, help: "glossary/percentiles" };
}

/** A stage, or another name that screens explain. */
export type TermId = StageId | WritePartId | keyof typeof TERMS;

/** True for the id of a name that has a definition. */
export const isTerm = (id: string): id is TermId =>
  isStageId(id) || isWritePart(id) || Object.hasOwn(TERMS, id);

/** The definition of a name. */
export function definitionOf(id: TermId): Definition {
  if (isWritePart(id)) {
    const { label, definition: sentence, source } = writePart(id);
    return { name: label, sentence, source, help: "stages/parts-of-a-log-write" };
  }
  if (!isStageId(id)) return TERMS[id];
  const { label, definition, source } = stageDefinition(id);
  const heading = stageName(id, { primary: "Primary", secondary: "Secondary" });
  return { name: label, sentence: definition, source, help: `stages/${slugOf(heading)}` };
}

const TERMS_OF_EVIDENCE = [
  ["p95", "p95"],
  ["p50", "p50"],
  ["log writes", "localFlush"],
  ["round trip", "networkRoundTrip"],
  ["remote harden", "remoteHarden"],
] as const;

/** The name that words of an evidence contain; null without one that has a definition. */
export const termOfEvidence = (words: string): TermId | null =>
  TERMS_OF_EVIDENCE.find(([name]) => words.includes(name))?.[1] ?? null;
