/** The files of captures: received and recognized, corrected, replaced, removed. */
import type { CaptureFile, FileCorrection } from "@aglens/contract";
import { type Blobs, type FetchedBlobs, type WantedBlobs, withBlobs } from "../../store/blobs.ts";
import { discardResults, isReady } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { filesMissing } from "../kept/files-missing.ts";
import { expectFileName, tooManyFiles } from "./intake.ts";
import type { FollowedUpload, Intake } from "./intake.ts";
import { type KnownNames, withFiles, withNames } from "../records/known-names.ts";
import { fileIn } from "../records/records.ts";
import type { Records } from "../records/records.ts";
import type { Work } from "../work/work.ts";
import { filesToPack } from "@aglens/engine/aglens-file";
import { ProblemError } from "@aglens/engine/problems";
import {
  expectFits,
  hasOwnNames,
  isEvidence,
  isMisread,
  isOnlyEvidence,
  lacksFiles,
  replacementOf,
  returnedFiles,
  withChangedEvidence,
  withKnownNames,
  withRecognized,
} from "@aglens/engine/files";

/** A file of a live run on its way into a capture. */
export interface FileToAdopt {
  /** Id of the file in the capture; chosen before any file is moved. */
  readonly fileId: string;
  readonly name: string;
  /** Path where the run wrote it. */
  readonly path: string;
  /** Facts that the run has about its server. */
  readonly given: CaptureFile["given"];
}

/** Options for receiving a file. */
export interface ReceiveOptions {
  /** Id of a file whose place the new one takes, when it is one of the same kind. */
  readonly replaces?: string | undefined;
  /** Statement texts, host and login names stay; without it they are dropped before the file is kept. */
  readonly keepSensitive?: boolean | undefined;
  /** Bytes that the client announced for the file. */
  readonly announced?: number | undefined;
  /** Bytes of the complete file, where only its beginning is sent because it isn't used. */
  readonly completeBytes?: number | undefined;
  /** Result of `follow` for the file. */
  readonly followed?: FollowedUpload | null;
}

interface CaptureFilesParts {
  readonly records: Records;
  readonly work: Work;
  readonly blobs: Blobs;
  readonly intake: Intake;
  readonly names: KnownNames;
  /** Files of one capture. */
  readonly maxFiles: number;
}

/** Every method throws ProblemError for the caller to show: `wrong-state` while the capture is analyzed. */
export class CaptureFiles {
  readonly #records: Records;
  readonly #work: Work;
  readonly #blobs: Blobs;
  readonly #intake: Intake;
  readonly #names: KnownNames;
  readonly #maxFiles: number;

  constructor({ records, work, blobs, intake, names, maxFiles }: CaptureFilesParts) {
    this.#names = names;
    this.#records = records;
    this.#work = work;
    this.#blobs = blobs;
    this.#intake = intake;
    this.#maxFiles = maxFiles;
  }

  /** Path of the capture's file with that name, to read its events again, within `withFiles`. */
  pathOf(id: string, fileId: string): string {
    return this.#blobs.path(id, fileId);
  }

  /**
   * Does some work with files of a capture at their `pathOf`. @param inRanges files of which some bytes are read
   * (`withBlobs`)
   */
  withFiles<Result>(
    id: string,
    wanted: WantedBlobs,
    work: (inRanges: FetchedBlobs["inRanges"]) => Promise<Result>,
    inRanges: WantedBlobs = {},
  ): Promise<Result> {
    return withBlobs(this.#blobs, id, wanted, work, inRanges);
  }

  /**
   * Receives one file, or a zip of several, and recognizes each.
   * @param sentName as the client has it: a name, or a path whose folders name the server where events do not
   */
  async receive(
    id: string,
    sentName: string,
    source: AsyncIterable<Uint8Array>,
    { replaces, keepSensitive = false, announced, completeBytes }: ReceiveOptions = {},
  ): Promise<CaptureFile[]> {
    const name = expectFileName(sentName);
    const present = (await this.#work.expectNone(id)).files.length;
    if (replaces !== undefined) await this.#records.file(id, replaces);
    const incoming = { keepSensitive, announced, completeBytes, present };
    const files = await this.#intake.receive(id, name, source, incoming);
    return replaces === undefined ? this.#add(id, files) : this.#replace(id, replaces, files);
  }

  /** Refuses at once a file that `takeIn` would refuse when all bytes are there. @throws ProblemError as `receive` */
  async expectTakes(id: string, sentName: string, replaces?: string): Promise<void> {
    expectFileName(sentName);
    const record = await this.#work.expectNone(id);
    if (replaces !== undefined) fileIn(record, replaces);
    else if (!lacksFiles(record) && record.files.length >= this.#maxFiles) throw tooManyFiles(this.#maxFiles);
  }

  /** Begins to read a file that arrives in parts (`Intake.follow`). */
  async follow(
    id: string,
    fileId: string,
    sentName: string,
    path: string,
    { keepSensitive = false, announced }: ReceiveOptions,
  ): Promise<FollowedUpload | null> {
    const present = (await this.#work.expectNone(id)).files.length;
    const name = expectFileName(sentName);
    return this.#intake.follow(id, fileId, name, path, { keepSensitive, announced, present });
  }

  /** Takes in a complete file of the data directory (`Intake.takeIn`), as `receive` does with an uploaded one. */
  async takeIn(
    id: string,
    fileId: string,
    sentName: string,
    path: string,
    { replaces, keepSensitive = false, followed = null }: ReceiveOptions = {},
  ): Promise<CaptureFile[]> {
    const name = expectFileName(sentName);
    const present = (await this.#work.expectNone(id)).files.length;
    if (replaces !== undefined) await this.#records.file(id, replaces);
    const files = await this.#intake.takeIn(id, fileId, name, path, { keepSensitive, present, followed });
    return replaces === undefined ? this.#add(id, files) : this.#replace(id, replaces, files);
  }

  /**
   * Takes over a file that a live run wrote into the data directory, and recognizes it. Steps that an earlier process
   * finished are not repeated; after an error nothing is deleted, so that the file can be repaired.
   */
  async adopt(id: string, { fileId, name, path, given }: FileToAdopt): Promise<void> {
    const isIn = ({ files }: { readonly files: readonly CaptureFile[] }): boolean =>
      files.some((file) => file.id === fileId);
    if (isIn(await this.#work.expectNone(id))) return;
    const file = await this.#intake.adopt(id, fileId, name, path);
    if (file === null) return;
    const adopted = file.kind === "xel" ? { ...file, given } : file;
    await this.#changeFiles(id, (already) =>
      isIn({ files: already }) ? [...already] : [...already, adopted],
    );
  }

  /** @throws ProblemError `bad-request` for a correction that files of this kind don't have */
  async correct(id: string, fileId: string, correction: FileCorrection): Promise<CaptureFile> {
    const changed = await this.#changeFiles(id, (files, record) => {
      const corrected = fileIn(record, fileId);
      expectFits(corrected, correction);
      const { given: before } = corrected;
      const given = { ...before, ...correction };
      return files.map((file) => (file.id === fileId ? { ...file, given } : file));
    });
    return fileIn(changed, fileId);
  }

  async remove(id: string, fileId: string): Promise<void> {
    await this.#changeFiles(id, (files, record) => {
      fileIn(record, fileId);
      return files.filter((file) => file.id !== fileId);
    });
    await this.#blobs.remove(id, fileId);
  }

  /**
   * Changes the files, and with them their servers and captures, unless the capture is being analyzed. An analysis read
   * no file of evidence, so that it stays where only those change. Names in new files are remembered; names from a user
   * are forgotten with their file.
   */
  async #changeFiles(
    id: string,
    change: (files: readonly CaptureFile[], record: CaptureRecord) => CaptureFile[],
  ): Promise<CaptureRecord> {
    const known = await this.#names.of(await this.#records.get(id));
    let before: readonly CaptureFile[] = [];
    const changed = await this.#records.changeAndOutdate(id, (record, work) => {
      this.#work.expectFree(id, work);
      before = record.files;
      const after = change(before, record);
      if (isReady(record) && isOnlyEvidence(before, after))
        return { ...record, files: withChangedEvidence(after) };
      if (lacksFiles(record)) throw filesMissing();
      return withFiles(discardResults(record), withKnownNames(after, known));
    });
    const { files } = changed;
    await this.#names.learn(changed, namesBut(before, files), files);
    const gone = namesBut(files, before);
    if (gone.length === 0) return changed;
    await this.#names.forget(changed, gone, files);
    const left = await this.#names.of(changed);
    return this.#records.change(id, (record) => (isReady(record) ? record : withNames(record, left)));
  }

  async #add(id: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    await this.#work.whenFree(id);
    try {
      const record = await this.#work.expectNone(id);
      const evidence = files.filter(isEvidence);
      // The other files of a zip would need another analysis.
      const staysAnalyzed = isReady(record) && evidence.length > 0;
      if (!lacksFiles(record) && !staysAnalyzed) return await this.#addTo(id, files);
      const others = files.filter((file) => !isEvidence(file));
      if (evidence.length === 0) return await this.#takeBack(id, others);
      const added = await this.#addTo(id, evidence);
      return [...added, ...(await this.#takeBackIfMissing(id, others))];
    } catch (error) {
      // The capture was deleted, or its analysis began, while this file arrived.
      await this.#discardRefused(id, files, error);
      throw error;
    }
  }

  async #addTo(id: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    const { files: all } = await this.#changeFiles(id, (already) => {
      // Another server may have taken in the same upload.
      const more = files.filter((file) => already.every((other) => other.id !== file.id));
      if (already.length + more.length > this.#maxFiles) throw tooManyFiles(this.#maxFiles);
      return [...already, ...more];
    });
    const ids = new Set(files.map((file) => file.id));
    return all.filter((file) => ids.has(file.id));
  }

  /** As `#takeBack`, of files that arrived together with evidence: those that aren't missing are skipped. */
  async #takeBackIfMissing(id: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    try {
      return files.length === 0 ? [] : await this.#takeBack(id, files);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await this.#discard(id, files);
      return [];
    }
  }

  /**
   * Takes files that were missing from the capture, and replaces their entries: the analysis stays. Once all are here,
   * it is a capture like any other.
   * @throws ProblemError `other-file`
   */
  async #takeBack(id: string, given: readonly CaptureFile[]): Promise<CaptureFile[]> {
    let taken = new Map<string, CaptureFile>();
    await this.#records.change(id, (record, known) => {
      this.#work.expectFree(id, known);
      const returned = returnedFiles(record.files.filter(isMissing), given);
      taken = new Map(returned.map(({ file, given: own }) => [file.id, returnedFile(file, own)]));
      const files = record.files.map((file) => taken.get(file.id) ?? file);
      if (filesToPack(files).some(isMissing)) return { ...record, files };
      // No question can ask for files that the analysis skipped.
      return { ...record, files: files.filter((file) => !isMissing(file)) };
    });
    // Answers without raw events are no longer complete.
    this.#records.callOutdated(id);
    const ids = new Set([...taken.values()].map((file) => file.id));
    await this.#discard(
      id,
      given.filter((file) => !ids.has(file.id)),
    );
    return [...taken.values()];
  }

  /** Puts a file in the place of another, with that one's role and replica; when it does not fit, nothing changes. */
  async #replace(id: string, replaces: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    let changed: CaptureRecord;
    try {
      changed = await this.#changeFiles(id, (all, record) => {
        const file = replacementOf(fileIn(record, replaces), files);
        return all.map((old) => (old.id === replaces ? file : old));
      });
    } catch (error) {
      await this.#discardRefused(id, files, error);
      throw error;
    }
    await this.#blobs.remove(id, replaces);
    const ids = new Set(files.map((file) => file.id));
    return changed.files.filter((file) => ids.has(file.id));
  }

  /**
   * After an error other than a refusal it is unknown whether the record was stored, so the files stay: the next start
   * finds those without a record.
   */
  async #discardRefused(id: string, files: readonly CaptureFile[], error: unknown): Promise<void> {
    if (error instanceof ProblemError) await this.#discard(id, files);
  }

  async #discard(id: string, files: readonly CaptureFile[]): Promise<void> {
    for (const file of files) await this.#blobs.remove(id, file.id);
  }
}

/** Files with names of their own, without those that are in another list. */
const namesBut = (others: readonly CaptureFile[], files: readonly CaptureFile[]): CaptureFile[] =>
  files.filter((file) => hasOwnNames(file) && others.every((other) => other.id !== file.id));

const isMissing = (file: CaptureFile): boolean => file.isMissing === true;

/** The capture's entry of the file, with the bytes of the returned file. */
function returnedFile(file: CaptureFile, given: CaptureFile): CaptureFile {
  const { id, size, dropped, keptSha256 } = given;
  const known = isMisread(file) ? withRecognized(file, given) : file;
  return { ...known, id, size, dropped, keptSha256, isMissing: false };
}
