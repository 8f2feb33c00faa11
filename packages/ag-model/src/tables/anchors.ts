/** How each anchor of a table was obtained, and how wrong it can be. */
import { Obtained, obtainedIn, type HopAnchor, type LocalAnchor } from "../replication/index.ts";
import { labels, type TableColumn } from "./table.ts";

const OBTAINED_TEXTS = ["missing", "measured", "derived", "fallback"] as const;

interface AnchorName {
  readonly name: string;
  readonly about: string;
}

/** Names of the anchors in the tables; letters are those of docs/model.md 4.1. */
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
  ackBuilt: { name: "ack_built", about: "acknowledgement built (A1)" },
  ackDeparted: { name: "ack_departed", about: "earliest possible departure of the acknowledgement (A2)" },
  ackSent: { name: "ack_sent", about: "acknowledgement sent (A3)" },
  ackReceived: { name: "ack_received", about: "acknowledgement received by the primary (H0)" },
  ackProcessed: { name: "ack_processed", about: "acknowledgement processed (H1)" },
};

/**
 * An estimate that stands for a lost event is off by at most this, µs: log_flush_complete rounds its duration to whole
 * milliseconds, and the steps between neighbouring events vary by less.
 */
const FALLBACK_US = 500;

/** A send that may be another secondary's or another database's is off by what such sends differ, µs. */
const DOUBTFUL_SEND_US = 500;
const SENDS: readonly string[] = ["send_start", "send_end"];

/** The two columns that go with an anchor: `NAME_obtained` and `NAME_uncertainty_us`. */
export function anchorQuality(
  name: string,
  obtained: Uint8Array,
  clockUs: (row: number) => number,
): TableColumn[] {
  const uncertainty = new Float32Array(obtained.length);
  for (let row = 0; row < obtained.length; row++) {
    const estimated = estimateUs(name, obtained[row]);
    uncertainty[row] = obtained[row] === Obtained.missing ? Number.NaN : clockUs(row) + estimated;
  }
  return [
    labels(`${name}_obtained`, Int32Array.from(obtained), OBTAINED_TEXTS, `how ${name} came about`),
    {
      name: `${name}_uncertainty_us`,
      unit: "µs",
      about: `how far ${name} can be off`,
      kind: "float32",
      values: uncertainty,
    },
  ];
}

/** How far an instant may be off because its event is missing or may be another's, µs. */
function estimateUs(name: string, obtained: number): number {
  if (obtained === Obtained.fallback) return FALLBACK_US;
  return obtained === Obtained.derived && SENDS.includes(name) ? DOUBTFUL_SEND_US : 0;
}

/** The two bits of one anchor, a row each. */
export function obtainedColumn(words: Uint32Array, anchor: number): Uint8Array {
  const values = new Uint8Array(words.length);
  for (let row = 0; row < words.length; row++) values[row] = obtainedIn(words[row], anchor);
  return values;
}
