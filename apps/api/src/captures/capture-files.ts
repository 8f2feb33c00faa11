/** The files of captures: received and recognised, corrected, replaced, removed. */
import type { CaptureFile, FileCorrection } from "@aglens/contract";
import { problem } from "../problems.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Analyses } from "./analyses.ts";
import { expectFileName, tooManyFiles } from "./intake.ts";
import type { Intake } from "./intake.ts";
import type { Records } from "./records.ts";
import { withReplicaLabel } from "./replica-label.ts";

/** Every method throws ProblemError for the caller to show: `wrong-state` while the capture is analysed. */
export class CaptureFiles {
  readonly #records: Records;
  readonly #analyses: Analyses;
  readonly #blobs: Blobs;
  readonly #intake: Intake;
  readonly #maxFiles: number;

  /** @param maxFiles of one capture */
  constructor(records: Records, analyses: Analyses, blobs: Blobs, intake: Intake, maxFiles: number) {
    this.#records = records;
    this.#analyses = analyses;
    this.#blobs = blobs;
    this.#intake = intake;
    this.#maxFiles = maxFiles;
  }

  /** Where the capture's file with that name lies, to read its events again. */
  pathOf(id: string, fileId: string): string {
    return this.#blobs.path(id, fileId);
  }

  /**
   * Receives one file, or a zip of several, and recognises each.
   * @param sentName as the client has it: a name, or a path whose last folder groups files that name no replica
   * @param replaces id of a file whose place the new one takes, when it is one of the same kind
   */
  async receive(
    id: string,
    sentName: string,
    source: AsyncIterable<Uint8Array>,
    replaces?: string,
  ): Promise<CaptureFile[]> {
    const name = expectFileName(sentName);
    this.#analyses.expectNone(id);
    if (replaces !== undefined) this.#records.file(id, replaces);
    const files = await this.#intake.receive(id, name, source);
    return replaces === undefined ? this.#add(id, files) : this.#replace(id, replaces, files);
  }

  /** Takes over a file that a live run wrote into the data directory, and recognises it. */
  async adopt(id: string, name: string, path: string): Promise<CaptureFile> {
    this.#analyses.expectNone(id);
    const file = await this.#intake.adopt(id, name, path);
    const [added = file] = await this.#add(id, [file]);
    return added;
  }

  correct(id: string, fileId: string, correction: FileCorrection): CaptureFile {
    this.#analyses.expectNone(id);
    const file = corrected(this.#records.file(id, fileId), correction);
    this.#records.changeAndOutdate(id, (record) => ({
      ...record,
      files: record.files.map((other) => (other.id === fileId ? file : other)),
    }));
    return file;
  }

  async remove(id: string, fileId: string): Promise<void> {
    this.#analyses.expectNone(id);
    this.#records.file(id, fileId);
    this.#records.changeAndOutdate(id, (record) => ({
      ...record,
      files: record.files.filter((file) => file.id !== fileId),
    }));
    await this.#blobs.remove(id, fileId);
  }

  async #add(id: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    try {
      const { files: already } = this.#analyses.expectNone(id);
      if (already.length + files.length > this.#maxFiles) throw tooManyFiles(this.#maxFiles);
    } catch (error) {
      // The capture was deleted or its analysis began while this file came in.
      await this.#discard(id, files);
      throw error;
    }
    const { files: all } = this.#records.changeAndOutdate(id, (record) => {
      const labelled = [...record.files];
      for (const file of files) labelled.push(withReplicaLabel(file, labelled));
      return { ...record, files: labelled };
    });
    return all.slice(all.length - files.length);
  }

  /** Puts a file in the place of another, with that one's role and replica; when it does not fit, nothing changes. */
  async #replace(id: string, replaces: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    let file: CaptureFile;
    try {
      this.#analyses.expectNone(id);
      const old = this.#records.file(id, replaces);
      file = { ...replacementOf(old, files), role: old.role, replica: old.replica };
    } catch (error) {
      await this.#discard(id, files);
      throw error;
    }
    this.#records.changeAndOutdate(id, (record) => ({
      ...record,
      files: record.files.map((old) => (old.id === replaces ? file : old)),
    }));
    await this.#blobs.remove(id, replaces);
    return [file];
  }

  async #discard(id: string, files: readonly CaptureFile[]): Promise<void> {
    for (const file of files) await this.#blobs.remove(id, file.id);
  }
}

function corrected(file: CaptureFile, { role, replica }: FileCorrection): CaptureFile {
  return { ...file, role: role ?? file.role, replica: replica ?? file.replica };
}

/**
 * One event file takes the place of one of the same side; anything else would change what the capture is about.
 * @throws ProblemError `not-a-replacement`
 */
function replacementOf(old: CaptureFile, [file, ...more]: readonly CaptureFile[]): CaptureFile {
  if (file === undefined || more.length > 0)
    throw notReplacing(`The zip holds ${more.length + 1} files.`, old);
  if (file.kind !== "xel") throw notReplacing(file.message ?? `${file.name} is no event file.`, old);
  if (file.detectedRole === old.detectedRole) return file;
  throw notReplacing(`${file.name} is not of the same side: ${file.evidence}.`, old);
}

function notReplacing(reason: string, old: CaptureFile): Error {
  return problem("not-a-replacement", `${reason} ${old.name} stays as it was.`);
}
