/** Captures that leave as one `.aglens` file, and captures made of such a file. */
import { createReadStream } from "node:fs";
import type { ReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Capture, CaptureFile } from "@aglens/contract";
import { TABLES_FORMAT } from "@aglens/contract";
import { factsToPack, filesToPack } from "@aglens/engine/aglens-file";
import { isEvidence, lacksFiles } from "@aglens/engine/files";
import { problem } from "@aglens/engine/problems";
import { newId } from "../../kernel/identity.ts";
import { type Blobs, TooBigError, withBlobs } from "../../store/blobs.ts";
import { recordedDigest } from "../derived/digest.ts";
import { endAnalysis, shownOf, storedIn } from "../../store/capture-state.ts";
import type { Analyzer } from "../analysis/analyzer.ts";
import type { OpenedAglensFile } from "../analysis/aglens-files.ts";
import type { Analyses } from "./analyses.ts";
import type { CaptureFiles } from "../intake/capture-files.ts";
import { filesMissing } from "../kept/files-missing.ts";
import { tooBig } from "../intake/intake.ts";
import type { KnownNames } from "../records/known-names.ts";
import type { Records } from "../records/records.ts";
import { wantedBlobs } from "../kept/wanted-files.ts";
import { whileRoom } from "../jobs/while-room.ts";

export interface SaveOptions {
  /** The event files go along. */
  readonly withFiles: boolean;
  readonly replacesNames: boolean;
}

interface SavedCaptureParts {
  readonly records: Records;
  readonly analyses: Analyses;
  readonly files: CaptureFiles;
  readonly blobs: Blobs;
  readonly analyzer: Analyzer;
  readonly names: KnownNames;
  /** Bytes of a file that is received, and of the event files in it. */
  readonly maxBytes: number;
}

export class SavedCaptures {
  readonly #records: Records;
  readonly #analyses: Analyses;
  readonly #files: CaptureFiles;
  readonly #blobs: Blobs;
  readonly #analyzer: Analyzer;
  readonly #names: KnownNames;
  readonly #maxBytes: number;

  constructor({ records, analyses, files, blobs, analyzer, names, maxBytes }: SavedCaptureParts) {
    this.#records = records;
    this.#analyses = analyses;
    this.#files = files;
    this.#blobs = blobs;
    this.#analyzer = analyzer;
    this.#names = names;
    this.#maxBytes = maxBytes;
  }

  /**
   * The file, deleted once it was read or cancelled. @throws ProblemError `wrong-state`, `files-missing`,
   * `capture-damaged`
   */
  async save(id: string, { withFiles, replacesNames }: SaveOptions): Promise<ReadStream> {
    const record = await this.#records.get(id);
    const { name, created, files, notes = [] } = record;
    const { verdict, severity, place } = shownOf(record);
    const stored = storedIn(record);
    if (stored?.format !== TABLES_FORMAT || severity === null) {
      throw problem(
        "wrong-state",
        "Only an analyzed capture can be saved as a file. Start the analysis first.",
      );
    }
    if (withFiles && lacksFiles(record)) throw filesMissing();
    await this.#blobs.expectRoom();
    const path = this.#blobs.aside();
    const tables = Object.entries(stored.files).map(
      ([table, checksum]) => [table, { path: this.#blobs.path(id, table), checksum }] as const,
    );
    const facts = factsToPack(files, { replacesNames });
    const packed = [...(withFiles ? filesToPack(files) : []), ...facts];
    const sources = packed.map((file) => ({ id: file.id, path: this.#blobs.path(id, file.id) }));
    const capture = { name, created, verdict: verdict ?? "", severity, place: place ?? "none", files, notes };
    const request = {
      path,
      capture,
      withFiles,
      replacesNames,
      tables: Object.fromEntries(tables),
      sources,
    };
    try {
      await withBlobs(this.#blobs, id, { ...stored.files, ...wantedBlobs(packed) }, () =>
        whileRoom(this.#blobs, (onBytes) => this.#analyzer.save(request, onBytes)),
      );
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const stream = createReadStream(path);
    stream.once("close", () => void rm(path, { force: true }));
    return stream;
  }

  /**
   * Fills an empty capture with the contents of a file. Sensitive values of its event files are removed, as in any
   * upload.
   * @throws ProblemError `bad-aglens-file`, `newer-aglens-file`, `too-big`; the caller deletes a partly filled capture
   */
  async open(id: string, source: AsyncIterable<Uint8Array>): Promise<Capture> {
    const path = this.#blobs.aside();
    const folder = this.#blobs.aside();
    try {
      await this.#blobs.receiveAside(path, source, this.#maxBytes).catch((error: unknown) => {
        throw error instanceof TooBigError ? tooBig(error.limit) : error;
      });
      const request = { path, folder, maxBytes: this.#maxBytes };
      const opened = await whileRoom(this.#blobs, (onBytes) => this.#analyzer.open(request, onBytes));
      return await this.#fill(id, opened);
    } finally {
      await rm(path, { force: true });
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #fill(id: string, { capture, tables, sources, digest, first }: OpenedAglensFile): Promise<Capture> {
    const { name, notes, verdict, severity, place } = capture;
    // Its event files had names of other captures, which they get back when they are read.
    await this.#names.learn(await this.#records.get(id), capture.files);
    /** Files in the `.aglens` file whose facts were taken in, by their ids in the capture. */
    const known = new Map<string, CaptureFile>();
    for (const source of sources) {
      const file = capture.files.find((one) => one.id === source.id);
      if (file === undefined) continue;
      const path = file.path === "" ? file.name : `${file.path}/${file.name}`;
      const [taken] = await this.#files.takeIn(id, newId(), path, source.path);
      if (taken === undefined) continue;
      // Damaged facts are no longer of a kind that has the corrections.
      if (taken.kind === file.kind) await this.#files.correct(id, taken.id, file.given);
      if (isEvidence(taken)) known.set(taken.id, file);
    }
    for (const table of tables) await this.#blobs.adopt(id, table.name, table.path, table.checksum);
    const checksums = Object.fromEntries(tables.map((table) => [table.name, table.checksum] as const));
    const stored = { format: TABLES_FORMAT, files: checksums };
    await this.#analyses.keepFirst(id, stored, first);
    const packed = new Map(capture.files.map((file) => [file.id, file]));
    const isMissing = sources.every((source) => packed.get(source.id)?.kind === "evidence");
    const missing = capture.files
      .filter(({ kind }) => kind !== "evidence")
      .map((file) => ({ ...file, id: newId(), isMissing: true }));
    const results = { verdict, severity, place, stored, digest: recordedDigest(digest, stored) };
    const record = await this.#records.change(id, (before) => ({
      ...endAnalysis(before, results),
      name,
      isUnnamed: false,
      notes,
      files: [
        ...(isMissing ? missing : []),
        ...before.files.map((file) => asBeforeSaved(file, known.get(file.id))),
      ],
    }));
    return this.#analyses.asCapture(record);
  }
}

/** Facts don't show the content and the size of the file that they were read from. */
function asBeforeSaved(file: CaptureFile, known: CaptureFile | undefined): CaptureFile {
  if (known === undefined || !isEvidence(file)) return file;
  const { bytes } = known.evidenceFile ?? {};
  return {
    ...file,
    sha256: known.sha256,
    ...(bytes === undefined ? {} : { evidenceFile: { ...file.evidenceFile, bytes } }),
  };
}
