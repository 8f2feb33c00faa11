/** Writes an `.aglens` file. */
import { Zip, ZipDeflate } from "fflate";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type CaptureFile, Note, TABLES_FORMAT } from "@aglens/contract";
import {
  decodeFacts,
  encodeFacts,
  FactsFormatError,
  type FileFacts,
  withoutSensitive,
} from "@aglens/evidence";
import { problem } from "../problems/problems.ts";
import { withReplacedNames } from "./replace-names.ts";
import {
  AGLENS_FORMAT,
  type AglensHead,
  HEAD_ENTRY,
  type CaptureToPack,
  type PackedSource,
  sourceEntry,
  TABLE_NAMES,
  tableEntry,
} from "./shape.ts";

/** The event files and topologies to include: those that an analysis reads, so that it can be repeated. */
export const filesToPack = (files: readonly CaptureFile[]): CaptureFile[] =>
  files.filter(({ kind, role }) => role !== "ignored" && kind !== "unreadable" && kind !== "evidence");

/** Facts of other files, which are always included, unless names are replaced or the user excluded the file. */
export const factsToPack = (
  files: readonly CaptureFile[],
  { replacesNames }: { readonly replacesNames: boolean },
): CaptureFile[] =>
  replacesNames
    ? []
    : files.filter(
        ({ kind, given, isMissing }) => kind === "evidence" && isMissing !== true && given.role !== "ignored",
      );

/** Facts of files that were kept with statements, without these; none of a file whose facts are damaged. */
async function withoutStatements(packing: CaptureToPack): Promise<CaptureToPack> {
  const files = [...packing.capture.files];
  const sources: PackedSource[] = [];
  for (const source of packing.sources) {
    const index = files.findIndex(({ id }) => id === source.id);
    const file = files[index];
    if (file?.kind !== "evidence" || file.dropped !== null) {
      sources.push(source);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory
    const facts = await factsIn(source);
    if (facts === null) continue;
    const bytes = encodeFacts(facts);
    files[index] = { ...file, size: bytes.length, dropped: { values: facts.dropped, bytes: 0 } };
    sources.push({ id: source.id, bytes: () => single(bytes) });
  }
  return { ...packing, capture: { ...packing.capture, files }, sources };
}

async function factsIn({ bytes }: PackedSource): Promise<FileFacts | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of bytes()) parts.push(new Uint8Array(part));
  try {
    return withoutSensitive(decodeFacts(new Uint8Array(await new Blob(parts).arrayBuffer())));
  } catch (error) {
    if (error instanceof FactsFormatError) return null;
    throw error;
  }
}

/** A zip without its 64-bit form. */
const MOST_BYTES = 4e9;
/** Tables shrink to 30 % of their size; a higher level takes twice the time for 2 % less. */
const LEVEL = 1;

/**
 * The file, piece by piece. The capture is deflated a table at a time: a thread has to do it.
 * @throws ProblemError `too-big` for event files of more than 4 GB, `bad-request` for event files with replaced names
 */
export async function* aglensFileBytes(packing: CaptureToPack): AsyncGenerator<Uint8Array> {
  const { replacesNames, withFiles = false } = packing;
  if (replacesNames && packing.sources.length > 0) {
    throw problem(
      "bad-request",
      "Can't include event files when names are replaced, because event files contain the names of servers and databases.",
    );
  }
  const shown = withFiles ? packing : await withoutStatements(packing);
  const { sources } = shown;
  const { capture, tables } = replacesNames ? withReplacedNames(shown) : shown;
  const notes = capture.notes.filter(({ deleted }) => deleted === undefined).map((note) => Note.parse(note));
  const packed = sources.map(({ id, bytes }) => ({
    index: capture.files.findIndex((file) => file.id === id),
    bytes,
  }));
  const size = packed.reduce((sum, { index }) => sum + (capture.files[index]?.size ?? 0), 0);
  if (size > MOST_BYTES)
    throw problem(
      "too-big",
      "Can't include the event files: they have more than 4 GB. Download the capture without them.",
    );
  const head: AglensHead = {
    aglens: AGLENS_FORMAT,
    tablesFormat: TABLES_FORMAT,
    namesReplaced: replacesNames,
    capture: { ...capture, notes },
    tables: Object.fromEntries(
      TABLE_NAMES.map((name) => [name, bytesToHex(sha256(tables[name] ?? new Uint8Array()))]),
    ),
    sources: packed.map(({ index }) => index),
  };
  const zip = new ZipOut();
  yield* zip.entry(HEAD_ENTRY, single(new TextEncoder().encode(JSON.stringify(head))));
  for (const name of TABLE_NAMES)
    yield* zip.entry(tableEntry(name), single(tables[name] ?? new Uint8Array()));
  for (const { index, bytes } of packed) yield* zip.entry(sourceEntry(index), bytes());
  yield* zip.end();
}

/** Collects the bytes of a zip as they are produced. */
class ZipOut {
  readonly #zip: Zip;
  #ready: Uint8Array[] = [];

  constructor() {
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      this.#ready.push(bytes);
    });
  }

  async *entry(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const entry = new ZipDeflate(name, { level: LEVEL });
    this.#zip.add(entry);
    for await (const bytes of pieces) {
      // A copy: the caller must not get the memory of a table.
      entry.push(bytes.slice());
      yield* this.#take();
    }
    entry.push(new Uint8Array(), true);
    yield* this.#take();
  }

  *end(): Generator<Uint8Array> {
    this.#zip.end();
    yield* this.#take();
  }

  #take(): Uint8Array[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}

const PIECE_BYTES = 1024 * 1024;

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
