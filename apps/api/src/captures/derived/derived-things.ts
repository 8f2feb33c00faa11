/**
 * All data that is derived from a capture (docs/contribute/architecture.md, "Which files are derived from a capture?"): each can
 * be deleted and computed again. Kept data contains its validity (`validity.ts`). Data with another validity counts as
 * absent, and new data replaces it.
 */
import { MODEL_FILES, TABLES_FORMAT } from "@aglens/contract";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { RECORD_COPY_FILE } from "../kept/record-copy-file.ts";

export type DerivedName =
  | "prepared events"
  | "tables"
  | "summary"
  | "first answers"
  | "prepared columns"
  | "answers"
  | "Parquet files"
  | "digest";

/** A part of a capture that is not derived. */
export type CapturePart = "event files" | "evidence" | "group";

export interface DerivedThing {
  /** To be raised with each change of its content or layout. Null for data that ends with the process. */
  readonly version: number | null;
  readonly of: readonly (DerivedName | CapturePart)[];
  /** Time of its first computation. */
  readonly when: "receipt" | "analysis" | "opening" | "question" | "quiet";
  /** Place where it is kept; a list has the names of its files in the capture's folder. */
  readonly keep: "memory" | "record" | "data set" | readonly string[];
  /** The record has the checksums of its files and the version that they were written in. */
  readonly isRecorded?: true;
  /** Whether it is kept for this capture; for every one where it is absent. */
  readonly isWorth?: (model: { readonly blocks: { readonly length: number } }) => boolean;
}

export const FIRST_ANSWERS_FILE = "first-answers.bin";
export const PREPARED_FILE = "prepared.bin";

/** A column of fewer log blocks takes some 10 ms to prepare: about as long as a question. */
const WORTH_PREPARING_BLOCKS = 100_000;

export const DERIVED: Readonly<Record<DerivedName, DerivedThing>> = {
  "prepared events": { version: null, of: ["event files"], when: "receipt", keep: "memory" },
  tables: {
    version: TABLES_FORMAT,
    of: ["event files"],
    when: "analysis",
    keep: MODEL_FILES,
    isRecorded: true,
  },
  summary: {
    version: TABLES_FORMAT,
    of: ["event files"],
    when: "analysis",
    keep: [SUMMARY_FILE, PREVIEW_FILE],
    isRecorded: true,
  },
  "first answers": { version: 5, of: ["tables"], when: "analysis", keep: [FIRST_ANSWERS_FILE] },
  "prepared columns": {
    version: 4,
    of: ["tables"],
    when: "opening",
    keep: [PREPARED_FILE],
    isWorth: ({ blocks }) => blocks.length >= WORTH_PREPARING_BLOCKS,
  },
  answers: { version: null, of: ["tables", "summary", "event files"], when: "question", keep: "memory" },
  "Parquet files": { version: 6, of: ["tables", "evidence", "group"], when: "quiet", keep: "data set" },
  digest: { version: 2, of: ["summary"], when: "analysis", keep: "record" },
};

/** Files in a capture's folder that carry their validity themselves. */
export const DERIVED_BLOBS: readonly string[] = Object.values(DERIVED).flatMap(({ keep, isRecorded }) =>
  typeof keep === "string" || isRecorded === true ? [] : keep,
);

const NAMES: ReadonlySet<string> = new Set([
  ...Object.values(DERIVED).flatMap(({ keep }) => (typeof keep === "string" ? [] : keep)),
  RECORD_COPY_FILE,
]);

/** Whether a blob can be made again from the capture's files and its record; `.made` and `.new` are files that are being written. */
export function isDerived(key: string): boolean {
  return NAMES.has(key) || /\.(?:made|new)$/u.test(key);
}
