/** Adds how each anchor of a table was obtained, and its possible error. */
import { Obtained, obtainedIn, type HopAnchor, type LocalAnchor } from "../replication/index.ts";
import { labels, type TableColumn } from "./table.ts";

const OBTAINED_TEXTS = ["missing", "measured", "derived", "fallback"] as const;

interface AnchorName {
  readonly name: string;
  readonly about: string;
}

/** Names of the anchors in the tables; letters are those of docs/contribute/model/stages.md 4.1. */
export const LOCAL_NAMES: Readonly<Record<LocalAnchor, AnchorName>> = {
  commitStart: { name: "commit_start", about: "start of the block's first commit (C0)" },
  pushedToLogPool: { name: "log_pool", about: "copied to the log pool" },
  localFlushStart: { name: "flush_start", about: "start of the primary's log write (F0)" },
  localFlushEnd: { name: "flush_end", about: "end of the primary's log write (F1)" },
  commitEnd: { name: "commit_end", about: "end of the block's last commit (C1)" },
};

export const HOP_NAMES: Readonly<Record<HopAnchor, AnchorName>> = {
  sendStart: { name: "send_start", about: "start of capture on the primary (K0)" },
  departed: { name: "departed", about: "earliest possible departure (K1)" },
  sendEnd: { name: "send_end", about: "sent (K2)" },
  received: { name: "received", about: "received by the replica (R0)" },
  secondaryFlushStart: { name: "flush_start", about: "start of the replica's log write (R1)" },
  secondaryFlushEnd: { name: "flush_end", about: "end of the replica's log write (R2)" },
  ackBuilt: { name: "ack_built", about: "acknowledgment built (A1)" },
  ackDeparted: { name: "ack_departed", about: "earliest possible departure of the acknowledgment (A2)" },
  ackSent: { name: "ack_sent", about: "acknowledgment sent (A3)" },
  ackReceived: { name: "ack_received", about: "acknowledgment received by the primary (H0)" },
  ackProcessed: { name: "ack_processed", about: "acknowledgment processed (H1)" },
};

/**
 * An estimate that replaces a lost event is off by at most this, µs: log_flush_complete rounds its duration to whole
 * milliseconds, and the steps between neighboring events vary by less.
 */
const FALLBACK_US = 500;

/**
 * Derived instants that may be another event's than the wanted one, µs: a send may be another secondary's or another
 * database's, which differ by this much; a block whose first commit may be lost has another commit's start, and the
 * commits of a block begin within the longest time of grouping.
 */
const DERIVED_US: Readonly<Record<string, number>> = {
  send_start: 500,
  send_end: 500,
  commit_start: 10_000,
};

/**
 * The two columns of an anchor's quality: `NAME_obtained` and `NAME_uncertainty_us`.
 * @param words `obtained` of each row, in which the anchor has its place
 * @param clockUs how far its clock can be off in each row, µs
 */
export function anchorQuality(
  name: string,
  { words, place }: { readonly words: Uint32Array; readonly place: number },
  clockUs: Float64Array,
): TableColumn[] {
  const estimates = Object.values(Obtained).map((obtained) => estimateUs(name, obtained));
  const codes = new Int32Array(words.length);
  const uncertainty = new Float32Array(words.length);
  for (let row = 0; row < words.length; row++) {
    const obtained = obtainedIn(words[row], place);
    codes[row] = obtained;
    uncertainty[row] = clockUs[row] + estimates[obtained];
  }
  return [
    labels(`${name}_obtained`, codes, OBTAINED_TEXTS, `how ${name} came about`),
    {
      name: `${name}_uncertainty_us`,
      unit: "µs",
      about: `how far ${name} can be off`,
      kind: "float32",
      values: uncertainty,
    },
  ];
}

const NAMES = { ...LOCAL_NAMES, ...HOP_NAMES };

/** How far an instant of an anchor can be off in addition to its clock, µs; NaN without an instant. */
export const anchorError = (anchor: LocalAnchor | HopAnchor, obtained: Obtained): number =>
  estimateUs(NAMES[anchor].name, obtained);

/** Possible error of an instant because its event is missing or may be another's, µs; NaN without an instant. */
function estimateUs(name: string, obtained: number): number {
  if (obtained === Obtained.missing) return Number.NaN;
  if (obtained === Obtained.fallback) return FALLBACK_US;
  return obtained === Obtained.derived ? (DERIVED_US[name] ?? 0) : 0;
}
