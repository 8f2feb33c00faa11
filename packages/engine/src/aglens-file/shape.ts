/**
 * Format of an `.aglens` file (docs/reference/aglens-file.md): a zip of a capture's record, its tables and, where
 * included, its event files.
 */
import { Capture, CaptureFile, MODEL_FILES, Note, TABLES_FORMAT, z } from "@aglens/contract";
import type { KeptNote } from "../notes/index.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "../analysis/index.ts";

/** Raise it with each change that an earlier reader would misread. */
export const AGLENS_FORMAT = 1;

/** The first entry: JSON. */
export const HEAD_ENTRY = "aglens.json";

/** Tables that an analysis stores, each an entry of this name. */
export const TABLE_NAMES: readonly string[] = [...MODEL_FILES, SUMMARY_FILE, PREVIEW_FILE];

export const tableEntry = (name: string): string => `tables/${name}`;

/** Entry of the capture's file with this index. The file's name is in the head, so that no entry can name a path. */
export const sourceEntry = (index: number): string => `files/${index}`;

/** A capture as it travels. */
export const PackedCapture = z.object({
  name: z.string().min(1).max(200),
  created: z.iso.datetime(),
  verdict: z.string(),
  severity: Capture.shape.severity.unwrap(),
  place: z.enum(["primary", "network", "secondary", "none"]),
  files: z.array(CaptureFile).max(500),
  notes: z.array(Note).max(200),
});
export type PackedCapture = z.infer<typeof PackedCapture>;

export const AglensHead = z.object({
  /** AGLENS_FORMAT of the writer. */
  aglens: z.literal(AGLENS_FORMAT),
  /** TABLES_FORMAT of the writer. */
  tablesFormat: z.literal(TABLES_FORMAT),
  namesReplaced: z.boolean(),
  capture: PackedCapture,
  /** SHA-256 of each table, hex, by its name. */
  tables: z.record(z.string(), z.string().regex(/^[\da-f]{64}$/u)),
  /** Indices into the capture's files: those whose bytes are included. */
  sources: z.array(z.number().int().min(0)).max(500),
});
export type AglensHead = z.infer<typeof AglensHead>;

/** An event file to include. */
export interface PackedSource {
  /** Id of the capture's file. */
  readonly id: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

export interface CaptureToPack {
  readonly capture: Omit<PackedCapture, "notes"> & { readonly notes: readonly KeptNote[] };
  /** Tables that the analysis stored, by name. */
  readonly tables: Readonly<Record<string, Uint8Array>>;
  /** Empty where names are replaced, because event files contain many names. */
  readonly sources: readonly PackedSource[];
  /** Event files go along, and with them statements in other files; without it these are dropped. */
  readonly withFiles?: boolean;
  readonly replacesNames: boolean;
}
