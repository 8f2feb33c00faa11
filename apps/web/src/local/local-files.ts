import type { Capture, CaptureFile, CaptureGroup, FileCorrection } from "@aglens/contract";
import {
  expectFits,
  filesToAnalyze,
  filesOfGroup,
  groupedFiles,
  groupsOfEvidence,
  isEvidence,
  replacementOf,
  returnedFiles,
  withUniqueNames,
  FEW_FILES,
} from "@aglens/engine/files";
import { problem, ProblemError } from "@aglens/engine/problems";
import { shownName } from "@aglens/zip";
import type { FileOfLink } from "../data/files-of-link.ts";
import type { NamedBlob } from "./capture-work.ts";
import { type ExpectedFile, expectedFile, missingFiles, onlyExpected } from "./expected-files.ts";
import type { KeptHandle } from "./kept-store.ts";
import type { ReadFile } from "./read-file.ts";
import { type LocalCapture, addBytes, filesWithout, shown } from "./local-capture.ts";
import type { LocalMeans, LocalCaptures } from "./local-captures.ts";
import type { LocalAnalyses } from "./local-analyses.ts";

/** Largest number of files of one capture, as on a server. */
const MOST_FILES = 500;

/** A file, and its origin. */
export interface ReceivedFile {
  readonly file: File;
  /** Where it lay in a dropped folder, with its name. */
  readonly path: string;
  /** Bytes of the complete file, where `file` is its beginning because it isn't used. */
  readonly completeBytes?: number | undefined;
  /** Id of the file that it replaces. */
  readonly replaces: string | undefined;
  readonly handle: FileSystemFileHandle | null;
}

/**
 * The files of captures: received, corrected, removed, moved and returned. Every method throws ProblemError for the
 * caller to answer.
 */
export class LocalFiles {
  readonly #means: LocalMeans;
  readonly #captures: LocalCaptures;
  readonly #analyses: LocalAnalyses;

  constructor(means: LocalMeans, captures: LocalCaptures, analyses: LocalAnalyses) {
    this.#means = means;
    this.#captures = captures;
    this.#analyses = analyses;
  }

  /** The files that a capture waits for, and which of them it has; null for a capture that accepts any. */
  expectedFiles(id: string): readonly (FileOfLink & { readonly isGiven: boolean })[] | null {
    const { expected, files, state } = this.#captures.find(id);
    if (expected === null || state === "ready") return null;
    const missing = missingFiles(expected, files);
    return expected.map((file) => ({
      name: file.name,
      size: file.size,
      sha256: file.sha256,
      isGiven: !missing.includes(file),
    }));
  }

  /** Reads a file, or those of a zip, and adds them to the capture. */
  async receive(
    id: string,
    { file, path, completeBytes, replaces, handle }: ReceivedFile,
    onBytes: (read: number) => void,
    signal: AbortSignal,
  ): Promise<CaptureFile[]> {
    this.#captures.expectNoAnalysis(id);
    const name = shownName(path);
    if (name === null) throw problem("bad-file-name", `"${path.slice(0, 80)}" is not a file name.`);
    let sum = 0;
    const more = (bytes: number): void => onBytes((sum += bytes));
    const read = await this.#means.readers.read(
      { blob: file, name, completeBytes, mostPrepared: this.#mostPrepared(id) },
      more,
      signal,
    );
    if (this.#captures.find(id).files.length === 0) await this.#captures.readNames();
    const capture = this.#captures.expectNoAnalysis(id);
    // Entries of a zip are reopened with the zip.
    const kept = keptHandle(handle, file);
    const [evidence, others] = [true, false].map((isWanted) =>
      read.filter(({ recognised }) => (recognised.kind === "evidence") === isWanted),
    ) as [ReadFile[], ReadFile[]];
    // Files of a zip other than evidence would need another analysis.
    const staysAnalyzed = capture.state === "ready" && evidence.length > 0;
    const isLacking = filesWithout(capture).length > 0 || staysAnalyzed;
    if (isLacking && evidence.length === 0) return this.#takeBack(capture, others, kept);
    const returned = isLacking ? this.#takeBackIfMissing(capture, others, kept) : [];
    return [...returned, ...this.#add(capture, evidence, isLacking ? [] : others, replaces, kept)];
  }

  #add(
    capture: LocalCapture,
    evidence: readonly ReadFile[],
    others: readonly ReadFile[],
    replaces: string | undefined,
    kept: KeptHandle | null,
  ): CaptureFile[] {
    const old = replaces === undefined ? undefined : this.#captures.file(capture, replaces);
    const { expected } = capture;
    const wanted = [
      ...evidence,
      ...(expected === null || others.length === 0 ? others : onlyExpected(expected, capture.files, others)),
    ];
    const added = wanted.map((one) => ({ file: fileOf(this.#means.newId(), one, expected), read: one }));
    if (capture.files.length + added.length > MOST_FILES) {
      throw problem(
        "too-many-files",
        `A capture holds at most ${MOST_FILES} files. Make a second capture for the others.`,
      );
    }
    const received = added.map((one) => one.file);
    const files = old === undefined ? received : [replacementOf(old, received)];
    for (const one of added) {
      const { blob, columns, prepared } = one.read;
      if (columns !== null || prepared !== null) this.#analyses.startAhead();
      capture.bytes.set(one.file.id, { blob, columns, prepared, handle: kept });
    }
    this.#captures.changeFiles(capture, (all) =>
      old === undefined ? [...all, ...files] : all.flatMap((each) => (each === old ? files : [each])),
    );
    if (old !== undefined) capture.bytes.delete(old.id);
    const ids = new Set(files.map((one) => one.id));
    return capture.files.filter((one) => ids.has(one.id));
  }

  /** Accepts files that an analyzed capture lacks: the analysis stays. @throws ProblemError `other-file` */
  #takeBack(capture: LocalCapture, read: readonly ReadFile[], handle: KeptHandle | null): CaptureFile[] {
    const given = read.map(({ name: { name }, sha256, blob }) => ({ name, sha256, blob }));
    const returned = returnedFiles(filesWithout(capture), given);
    for (const { file, given: own } of returned) addBytes(capture, file.id, own.blob, handle);
    this.#giveThread(capture);
    this.#captures.keep(capture);
    const ids = new Set(returned.map(({ file: { id } }) => id));
    return shown(capture).files.filter(({ id }) => ids.has(id));
  }

  /** As `#takeBack`, of files that arrived together with evidence: those that aren't missing are skipped. */
  #takeBackIfMissing(
    capture: LocalCapture,
    read: readonly ReadFile[],
    handle: KeptHandle | null,
  ): CaptureFile[] {
    try {
      return read.length === 0 ? [] : this.#takeBack(capture, read, handle);
    } catch (error) {
      if (error instanceof ProblemError) return [];
      throw error;
    }
  }

  /** Adds files to an open kept capture, so that its raw events can be read. They are identified by name and size. */
  giveSources(id: string, files: readonly File[]): void {
    const capture = this.#captures.find(id);
    for (const file of filesWithout(capture)) {
      const isSame = ({ name, size }: { readonly name: string; readonly size: number }): boolean =>
        name === file.name && size === file.size;
      const [blob, ...others] = files.filter(isSame);
      // Files of two servers may have one name and size: then it is unknown whose events these are.
      const isCertain = others.length === 0 && capture.files.filter(isSame).length === 1;
      if (blob !== undefined && isCertain) addBytes(capture, file.id, blob, null);
    }
    this.#giveThread(capture);
  }

  /** Sends all available source files of an analyzed capture to its thread. */
  #giveThread({ files, bytes, thread }: LocalCapture): void {
    const sources = withUniqueNames(filesToAnalyze(files)).flatMap(({ file, uniqueName }): NamedBlob[] => {
      const blob = bytes.get(file.id)?.blob;
      return blob === undefined ? [] : [{ name: uniqueName, blob }];
    });
    thread?.giveSources(sources);
  }

  /** In a capture of few files each is likely to be all of its server; in one of many, servers have several. */
  #mostPrepared(id: string): number {
    return Math.max(0, FEW_FILES - this.#captures.find(id).files.length);
  }

  correct(id: string, fileId: string, correction: FileCorrection): CaptureFile {
    const capture = this.#captures.expectNoAnalysis(id);
    const file = this.#captures.file(capture, fileId);
    expectFits(file, correction);
    const given = { ...file.given, ...correction };
    this.#captures.changeFiles(capture, (all) => all.map((one) => (one === file ? { ...one, given } : one)));
    return this.#captures.file(capture, fileId);
  }

  removeFile(id: string, fileId: string): void {
    const capture = this.#captures.expectNoAnalysis(id);
    const file = this.#captures.file(capture, fileId);
    this.#captures.changeFiles(capture, (all) => all.filter((one) => one !== file));
    capture.bytes.delete(fileId);
  }

  /** Creates a capture for each group of the files. @returns all of them, in the order of the groups */
  split(id: string): Capture[] {
    const capture = this.#captures.expectNoAnalysis(id);
    const { groups } = groupedFiles(capture.files);
    if (groups.length < 2) return [shown(capture)];
    const kept = groups.find(({ foreign }) => !foreign) ?? groups[0];
    const isOf = (file: CaptureFile, group: CaptureGroup | undefined): boolean =>
      groupsOfEvidence(file, groups).some((each) => each === group);
    const all = groups.map((group) =>
      group === kept ? capture : this.#part(capture, group, (file) => isOf(file, group)),
    );
    this.#captures.changeFiles(capture, (files) =>
      files.filter((file) => !isEvidence(file) || isOf(file, kept)),
    );
    return all.map(shown);
  }

  #part(from: LocalCapture, group: CaptureGroup, isOf: (file: CaptureFile) => boolean): LocalCapture {
    const part = this.#captures.find(this.#captures.create().id);
    const moved = filesOfGroup(from.files, group);
    // A topology may name replicas of any of them; it has no effect on others.
    const copies = from.files.filter((file) => file.kind === "topology" || (isEvidence(file) && isOf(file)));
    for (const file of [...moved, ...copies]) {
      const bytes = from.bytes.get(file.id);
      if (bytes !== undefined) part.bytes.set(file.id, bytes);
    }
    for (const file of moved) from.bytes.delete(file.id);
    this.#captures.changeFiles(part, () => [...moved, ...copies]);
    this.#captures.changeFiles(from, (all) => all.filter((file) => !moved.includes(file)));
    return part;
  }
}

function fileOf(
  id: string,
  { name, blob, sha256, recognised }: ReadFile,
  expected: readonly ExpectedFile[] | null,
): CaptureFile {
  return {
    id,
    ...name,
    size: blob.size,
    ...recognised,
    sha256,
    // It is read from the disk: no byte of it is uploaded, and nothing is dropped.
    dropped: { values: 0, bytes: 0 },
    given: (expected && expectedFile(expected, sha256)?.given) ?? {},
    role: "ignored",
    replica: "",
  };
}

const keptHandle = (handle: FileSystemFileHandle | null, file: File): KeptHandle | null =>
  handle && { handle, name: file.name, size: file.size, lastModified: file.lastModified };
