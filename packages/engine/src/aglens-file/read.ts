/** Reads an `.aglens` file from any source: all of its contents are checked before they are used. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
  decodeModel,
  decodeWindow,
  expectValidModel,
  expectValidSummary,
  TableError,
  TABLES_FORMAT,
  z,
} from "@aglens/contract";
import type { CaptureFile } from "@aglens/contract";
import {
  type BytesAt,
  readZipDirectory,
  shownName,
  type ZipEntry,
  zipEntryBytes,
  ZipError,
} from "@aglens/zip";
import { withoutHiddenCharacters, type CaptureModel } from "@aglens/ag-model/replication";
import { isMisread } from "../files/index.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "../analysis/index.ts";
import { problem, ProblemError } from "../problems/problems.ts";
import {
  AGLENS_FORMAT,
  AglensHead,
  HEAD_ENTRY,
  type PackedCapture,
  sourceEntry,
  TABLE_NAMES,
  tableEntry,
} from "./shape.ts";

/** An included event file. */
export interface UnpackedSource {
  readonly file: CaptureFile;
  /** Its bytes. @throws ProblemError when they are damaged */
  readonly bytes: () => AsyncGenerator<Uint8Array>;
}

export interface UnpackedCapture {
  readonly namesReplaced: boolean;
  /** Names in it are made harmless; ids of files are those of its writer. */
  readonly capture: PackedCapture;
  /** Each as it was stored, to the byte. */
  readonly tables: Readonly<Record<string, Uint8Array>>;
  /** The model of these tables; its columns are views into their memory. */
  readonly model: CaptureModel;
  readonly sources: readonly UnpackedSource[];
}

export interface AglensBounds {
  /** Bytes of all tables together: 8 M events have some 220 MB. */
  readonly tableBytes: number;
  /** Bytes of all event files together. */
  readonly sourceBytes: number;
}

export const AGLENS_BOUNDS: AglensBounds = { tableBytes: 2e9, sourceBytes: 8e9 };

const MOST_HEAD_BYTES = 32 * 1024 * 1024;
const MOST_ENTRIES = 600;
/** Inflated bytes per byte of the file, from a size on; tables have 3 to 4, event files 5 to 30. */
const MOST_RATIO = 300;
const RATIO_FROM_BYTES = 64 * 2 ** 20;

/**
 * Reads head and tables; event files are read on request.
 * @throws ProblemError `bad-aglens-file` for a damaged or another file, `newer-aglens-file`, `too-big`
 */
export async function readAglensFile(
  file: BytesAt,
  bounds: AglensBounds = AGLENS_BOUNDS,
): Promise<UnpackedCapture> {
  try {
    const entries = await entriesOf(file, bounds);
    const head = headOf(await whole(file, entries.get(HEAD_ENTRY), HEAD_ENTRY));
    expectEntries(entries, head);
    const tables: Record<string, Uint8Array> = {};
    for (const name of TABLE_NAMES) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory
      const bytes = await whole(file, entries.get(tableEntry(name)), name);
      if (bytesToHex(sha256(bytes)) !== head.tables[name])
        throw damaged(`${name} has another content than when it was written`);
      tables[name] = bytes;
    }
    const model = modelOf(tables);
    return {
      namesReplaced: head.namesReplaced,
      capture: withShownNames(head.capture),
      tables,
      model,
      sources: head.sources.map((index) => sourceOf(file, head, index, entries)),
    };
  } catch (error) {
    throw asProblem(error);
  }
}

async function entriesOf(
  file: BytesAt,
  { tableBytes, sourceBytes }: AglensBounds,
): Promise<Map<string, ZipEntry>> {
  const all = await readZipDirectory(file, MOST_ENTRIES);
  const entries = new Map(all.map((entry) => [entry.name, entry]));
  if (entries.size < all.length) throw damaged("it contains an entry twice");
  const head = entries.get(HEAD_ENTRY);
  if (head === undefined) throw damaged(`it has no ${HEAD_ENTRY}`);
  const bytesOf = (prefix: string): number =>
    all.filter(({ name }) => name.startsWith(prefix)).reduce((sum, { bytes }) => sum + bytes, 0);
  const sum = all.reduce((total, { bytes }) => total + bytes, 0);
  const isBomb = sum > RATIO_FROM_BYTES && sum > file.size * MOST_RATIO;
  if (isBomb || bytesOf("tables/") > tableBytes || bytesOf("files/") > sourceBytes) {
    throw problem(
      "too-big",
      `Can't open the .aglens file: it contains ${sum.toLocaleString("en")} bytes, more than AG Lens accepts.`,
    );
  }
  if (head.bytes > MOST_HEAD_BYTES) throw damaged(`its ${HEAD_ENTRY} is too long`);
  return entries;
}

const Versions = z.object({ aglens: z.number(), tablesFormat: z.number() });

function headOf(bytes: Uint8Array): AglensHead {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const versions = Versions.safeParse(value);
  if (!versions.success) throw damaged(`${HEAD_ENTRY} isn't valid`);
  const { aglens, tablesFormat } = versions.data;
  if (aglens > AGLENS_FORMAT || tablesFormat > TABLES_FORMAT) {
    throw problem(
      "newer-aglens-file",
      "Can't open the .aglens file: a newer version of AG Lens wrote it. Update AG Lens, or download the file again from a server of this version.",
    );
  }
  if (aglens < AGLENS_FORMAT || tablesFormat < TABLES_FORMAT) {
    throw problem(
      "bad-aglens-file",
      "Can't open the .aglens file: an older version of AG Lens wrote it. Analyze its event files again.",
    );
  }
  const head = AglensHead.safeParse(value);
  if (head.success && head.data.capture.files.some(isMisread)) {
    throw problem(
      "bad-aglens-file",
      "Can't open the .aglens file. An earlier version of AG Lens read replica and database ids in its event files wrongly. Analyze the original event files again.",
    );
  }
  if (head.success) return head.data;
  throw damaged(`${HEAD_ENTRY} has no valid ${head.error.issues[0]?.path.join(".") ?? "form"}`);
}

/** The file contains only the entries that the head names. */
function expectEntries(entries: ReadonlyMap<string, ZipEntry>, head: AglensHead): void {
  const expected = [HEAD_ENTRY, ...TABLE_NAMES.map(tableEntry), ...head.sources.map(sourceEntry)];
  const missing = expected.find((name) => !entries.has(name));
  if (missing !== undefined) throw damaged(`it has no ${missing}`);
  if (entries.size !== expected.length) throw damaged("it contains entries that don't belong to a capture");
}

async function whole(file: BytesAt, entry: ZipEntry | undefined, name: string): Promise<Uint8Array> {
  if (entry === undefined) throw damaged(`it has no ${name}`);
  const bytes = new Uint8Array(entry.bytes);
  let at = 0;
  for await (const piece of zipEntryBytes(file, entry)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function sourceOf(
  file: BytesAt,
  { capture }: AglensHead,
  index: number,
  entries: ReadonlyMap<string, ZipEntry>,
): UnpackedSource {
  const entry = entries.get(sourceEntry(index));
  const source = capture.files[index];
  if (entry === undefined || source === undefined || entry.bytes !== source.size)
    throw damaged("an event file doesn't belong to the capture");
  return {
    file: source,
    async *bytes() {
      try {
        yield* zipEntryBytes(file, entry);
      } catch (error) {
        throw asProblem(error);
      }
    },
  };
}

/**
 * Their checksums are in the file too, so they do not identify the writer of the tables: each table is checked against
 * the format of an analysis.
 */
function modelOf(tables: Readonly<Record<string, Uint8Array>>): CaptureModel {
  try {
    const model = decodeModel(tables);
    expectValidModel(model);
    expectValidSummary(JSON.parse(new TextDecoder().decode(tables[SUMMARY_FILE])), model);
    expectPreview(tables[PREVIEW_FILE]);
    return model;
  } catch (error) {
    throw damaged(
      error instanceof TableError ? error.message.replace(/\. Analyze .*$/su, "") : "its tables aren't valid",
    );
  }
}

/** Checks the preview that lists draw of a capture. @throws TableError */
function expectPreview(bytes: Uint8Array | undefined): void {
  const preview = decodeWindow(bytes ?? new Uint8Array());
  const { detail, from, to } = preview;
  const isSound =
    detail === "bins" &&
    from <= to &&
    Number.isFinite(to - from) &&
    [preview.count, preview.slowest].every((column) => column instanceof Uint32Array);
  if (!isSound) throw new TableError("preview.arrow has no bins");
}

function withShownNames(capture: PackedCapture): PackedCapture {
  return {
    ...capture,
    name: withoutHiddenCharacters(capture.name),
    files: capture.files.map((file) => ({ ...file, name: shownName(file.name)?.name ?? "file.xel" })),
  };
}

const damaged = (what: string): ProblemError =>
  problem("bad-aglens-file", `The .aglens file is damaged: ${what}. Download or copy it again.`);

function asProblem(error: unknown): Error {
  if (error instanceof ProblemError) return error;
  if (error instanceof ZipError) return damaged(error.message.replace(/\.$/u, ""));
  return damaged("it can't be read");
}
