/**
 * The expectations that the model depends on, and their results (docs/evidence.md names the facts that depend on each).
 */

/** Stable names of the expectations, as docs/evidence.md cites them. */
export const EXPECTATIONS = [
  "columns",
  "types",
  "guids",
  "payload-bytes",
  "maps",
  "known-modes",
  "events-per-block",
  "block-ids",
  "ack-end",
  "file-writes",
  "own-id",
  "instant-order",
  "units",
  "counters",
  "fractions",
  "ticks",
  "actions",
  "event-sequence",
  "buffers",
] as const;
export type ExpectationId = (typeof EXPECTATIONS)[number];

export const EXPECTATION_GROUPS = ["columns", "values", "time", "completeness"] as const;
export type ExpectationGroup = (typeof EXPECTATION_GROUPS)[number];

/** `absent`: these files have no data to check it on, which never counts as met. */
export type ExpectationState = "met" | "part" | "not" | "absent";

/** One expectation. No name or id of a customer is in it. */
export interface Expectation {
  readonly id: ExpectationId;
  readonly group: ExpectationGroup;
  readonly title: string;
  readonly state: ExpectationState;
  readonly met: number;
  readonly notMet: number;
  /** Unit of the counts: events, columns, blocks. */
  readonly unit: string;
  /** The expectation, as a sentence. */
  readonly expected: string;
  /** Values in these files. */
  readonly found: string;
  /** Results that are wrong where it is not met. */
  readonly results: string;
  /** First values that are not as expected. */
  readonly examples: readonly string[];
}

/** All expectations of a capture. */
export interface CaptureCheck {
  readonly events: number;
  readonly files: number;
  /** Bytes of payloads that no column claims. */
  readonly unclaimedBytes: number;
  readonly expectations: readonly Expectation[];
  /** The worst result in one or two sentences. */
  readonly sentence: string;
}

/** Examples that an expectation shows. */
export const MOST_EXAMPLES = 8;
