/** Captures of this browser: their files as long as the page is open, what was found of them as long as it is kept (`kept-captures.ts`). */
import type {
  Capture,
  CaptureBrief,
  CaptureFile,
  CaptureGroup,
  CaptureList,
  FileCorrection,
  Problem,
  Progress,
  z,
} from "@aglens/contract";
import type { EventColumns } from "@aglens/ag-model/events";
import { xmlText } from "@aglens/ag-model/replication";
import type { PreparedEvents } from "@aglens/ag-model/replication";
import type { Answer, Question } from "@aglens/engine/answers";
import { filesToPack } from "@aglens/engine/aglens-file";
import { isServersOnly, PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import {
  captureNameOf,
  filesToAnalyse,
  groupedFiles,
  noProgress,
  refuseUnclearGroups,
  replacementOf,
  returnedFiles,
  withUniqueNames,
  FEW_FILES,
} from "@aglens/engine/files";
import type { KeptNote } from "@aglens/engine/notes";
import { problem, problemDocument, ProblemError } from "@aglens/engine/problems";
import { shownName } from "@aglens/zip";
import type { FileOfLink } from "../data/files-of-link.ts";
import { LOCAL_ID, type LocalNews } from "../data/local-server.ts";
import { bytesOf } from "./blob-bytes.ts";
import { captureDigest, filesOfDigest } from "./capture-digest.ts";
import { type AnalysisListener, CaptureThread, type WorkThread } from "./capture-thread.ts";
import type { AnalysedCapture, NamedBlob, OpenedFile } from "./capture-work.ts";
import {
  expectComplete,
  type ExpectedFile,
  expectedFile,
  missingFiles,
  onlyExpected,
} from "./expected-files.ts";
import type { KeptCapture, KeptCaptures } from "./kept-captures.ts";
import type { KeptHandle, KeptRecord } from "./kept-store.ts";
import { problemOfError } from "./problem-of-error.ts";
import type { ReadFile } from "./read-file.ts";
import type { Readers } from "./readers.ts";

/** Of one capture, as on a server. */
const MOST_FILES = 500;

interface LocalFile {
  readonly blob: Blob;
  /** Its events until an analysis takes them. */
  columns: EventColumns | null;
  /** What was prepared of just these. */
  prepared: PreparedEvents | null;
  /** Where it lies on the disk, when the browser says so. */
  readonly handle: KeptHandle | null;
}

interface LocalCapture {
  readonly id: string;
  readonly created: string;
  name: string;
  /** Its files give it a name. */
  isUnnamed: boolean;
  state: Capture["state"];
  files: readonly CaptureFile[];
  readonly bytes: Map<string, LocalFile>;
  problem: Problem | null;
  progress: Progress | null;
  preview: Uint8Array | null;
  analysed: AnalysedCapture | null;
  thread: CaptureThread | null;
  /** Of the analysis that runs; each has its own. */
  running: symbol | null;
  notes: readonly KeptNote[];
  isDeleted: boolean;
  /** By which links and kept captures name it; null until it was analysed. */
  digest: string | null;
  /** The only files that it takes; null where it takes any. */
  readonly expected: readonly ExpectedFile[] | null;
}

/** A file, and where it came from. */
export interface ReceivedFile {
  readonly file: File;
  /** Where it lay in a dropped folder, with its name. */
  readonly path: string;
  /** Id of the file whose place it takes. */
  readonly replaces: string | undefined;
  readonly handle: FileSystemFileHandle | null;
}

/** What a capture begins with. */
interface Beginning {
  readonly id?: string;
  readonly created?: string;
  /** Without one its files give it a name. */
  readonly name?: string | undefined;
  readonly notes?: readonly KeptNote[];
  readonly digest?: string | null;
  readonly expected?: readonly ExpectedFile[] | null;
}

/** How the captures get at threads and time. */
export interface LocalMeans {
  readonly readers: Readers;
  readonly startCapture: () => WorkThread;
  readonly kept: KeptCaptures;
  readonly newId: () => string;
  /** Now, UTC, ISO 8601. */
  readonly now: () => string;
}

/** Every method throws ProblemError for the caller to answer. */
export class LocalCaptures {
  readonly #means: LocalMeans;
  readonly #captures = new Map<string, LocalCapture>();
  #ahead: WorkThread | null = null;
  /** Kept captures that are being opened, by their digest. */
  readonly #opening = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<(news: LocalNews) => void>>();

  constructor(means: LocalMeans) {
    this.#means = means;
  }

  create(name?: string): Capture {
    return shown(this.#begin({ name }));
  }

  #begin({ name, id, created, notes = [], digest = null, expected = null }: Beginning): LocalCapture {
    const capture: LocalCapture = {
      id: id ?? `${LOCAL_ID}${this.#means.newId()}`,
      created: created ?? this.#means.now(),
      name: name ?? "Capture",
      isUnnamed: name === undefined,
      state: "receiving",
      files: [],
      bytes: new Map(),
      problem: null,
      progress: null,
      preview: null,
      analysed: null,
      thread: null,
      running: null,
      notes,
      isDeleted: false,
      digest,
      expected,
    };
    this.#captures.set(capture.id, capture);
    return capture;
  }

  /**
   * The capture of an address: one of this page, one that is kept, or a new one that waits for the files of a link.
   * @param files of the link
   */
  async open(id: string, files: readonly FileOfLink[] | null): Promise<Capture> {
    if (this.#here(id) === undefined) {
      const key = id.slice(LOCAL_ID.length);
      const kept = (await this.#means.kept.find(id)) ?? (await this.#means.kept.find(key));
      // Two requests may open it at the same time.
      if (this.#here(id) === undefined) {
        if (kept !== null) await this.#reopenOnce(kept);
        else if (files !== null && files.length > 0)
          this.#begin({ digest: key, expected: files.map((file) => ({ ...file, given: {} })) });
      }
    }
    await this.#opening.get(this.#here(id)?.digest ?? "");
    return this.get(id);
  }

  #reopenOnce(kept: KeptCapture): Promise<void> {
    const { digest } = kept.record;
    const opening =
      this.#opening.get(digest) ?? this.#reopen(kept).finally(() => this.#opening.delete(digest));
    this.#opening.set(digest, opening);
    return opening;
  }

  /** With its tables as it was; without them it waits for its files. */
  async #reopen({ record, tables }: KeptCapture): Promise<void> {
    const { id, name, created, notes, digest } = record;
    const stored = [SUMMARY_FILE, PREVIEW_FILE].map((file) => readOrNull(tables?.[file]));
    const [summary, preview] = await Promise.all(stored);
    const capture = this.#begin({ id, name, created, notes, digest, expected: expectedOf(record) });
    if (tables === null || !summary || !preview) return;
    capture.files = record.files;
    capture.preview = preview;
    const analysed = { ...record.analysed, summary };
    await new Promise<void>((resolve) => {
      const listener = this.#listenerOf(capture);
      capture.thread = new CaptureThread(
        this.#means.startCapture,
        { kind: "open", capture: { tables, sources: [] } },
        {
          ...listener,
          onOpened: () => {
            listener.onAnalysed(analysed);
            resolve();
          },
          // Whatever is wrong with the tables, or with memory later: the files give them again.
          onFailed: (failure) => {
            capture.files = [];
            this.#outdate(capture);
            this.#publish(id, { kind: "failed", problem: failure });
            resolve();
          },
        },
      );
    });
  }

  /** Opens an `.aglens` file as a capture of its own. @throws ProblemError */
  openFile(file: Blob): Promise<Capture> {
    return new Promise((resolve, reject) => {
      let capture: LocalCapture | null = null;
      const thread = new CaptureThread(
        this.#means.startCapture,
        { kind: "unpack", file },
        {
          onProgress: () => {},
          onPreview: () => {},
          onAnalysed: () => {},
          onOpened: (opened) => {
            if (opened === null) return;
            capture = this.#fromFile(opened);
            capture.thread = thread;
            this.#keep(capture);
            resolve(shown(capture));
          },
          onTables: (tables) => {
            if (capture !== null && capture.digest !== null)
              void this.#means.kept.keepTables(capture.digest, tables);
          },
          onFailed: (failure) => {
            if (capture === null) reject(new ProblemError(failure));
            else this.#fail(capture, failure);
          },
        },
      );
    });
  }

  #fromFile({ capture: packed, namesReplaced, summary, preview, blocks, sources }: OpenedFile): LocalCapture {
    const { name, created, files, notes, verdict, severity, place } = packed;
    const isKnown = files.every(({ sha256 }) => sha256 !== "");
    const digest = isKnown ? captureDigest(files, namesReplaced) : null;
    const capture = this.#begin({ name, created, notes, digest });
    capture.files = files;
    for (const { id, blob } of sources) addBytes(capture, id, blob, null);
    capture.preview = preview;
    capture.analysed = { verdict, severity, place, blocks, summary };
    capture.state = "ready";
    return capture;
  }

  /** An analysed capture as an `.aglens` file. @throws ProblemError `wrong-state`, `files-missing` */
  async save(
    id: string,
    { withFiles, replacesNames }: { readonly withFiles: boolean; readonly replacesNames: boolean },
    signal: AbortSignal | null,
  ): Promise<Blob> {
    const capture = this.#find(id);
    const { name, created, files, notes, analysed, thread, bytes } = capture;
    if (analysed === null || thread === null) throw notAnalysed(capture);
    const used = filesToPack(files);
    if (withFiles) expectBytes(used, capture);
    const sources = withFiles
      ? used.flatMap((file) => {
          const blob = bytes.get(file.id)?.blob;
          return blob === undefined ? [] : [{ id: file.id, blob }];
        })
      : [];
    const { verdict, severity, place } = analysed;
    const packed = { name, created, verdict, severity, place, files: [...files], notes };
    return thread.save({ capture: packed, sources, replacesNames }, signal);
  }

  /** The files that a capture waits for, and which of them it has; null for a capture that takes any. */
  expectedFiles(id: string): readonly (FileOfLink & { readonly isGiven: boolean })[] | null {
    const { expected, files, state } = this.#find(id);
    if (expected === null || state === "ready") return null;
    const missing = missingFiles(expected, files);
    return expected.map((file) => ({
      name: file.name,
      size: file.size,
      sha256: file.sha256,
      isGiven: !missing.includes(file),
    }));
  }

  /** Gives files of an open capture that was kept, so that its raw events can be read. They are known by name and size. */
  giveSources(id: string, files: readonly File[]): void {
    const capture = this.#find(id);
    for (const file of filesWithout(capture)) {
      const isSame = ({ name, size }: { readonly name: string; readonly size: number }): boolean =>
        name === file.name && size === file.size;
      const [blob, ...others] = files.filter(isSame);
      // Files of two servers may have one name and size: then it is not known whose events these are.
      const isCertain = others.length === 0 && capture.files.filter(isSame).length === 1;
      if (blob !== undefined && isCertain) addBytes(capture, file.id, blob, null);
    }
    this.#giveThread(capture);
  }

  get(id: string): Capture {
    return shown(this.#find(id));
  }

  /** Newest first. @param fewestFiles 1 leaves out captures without files */
  list(limit: number, fewestFiles: 0 | 1): z.infer<typeof CaptureList> {
    const all = [...this.#captures.values()]
      .filter(({ isDeleted, files }) => !isDeleted && files.length >= fewestFiles)
      .toReversed();
    return { captures: all.slice(0, limit).map(briefOf), total: all.length, next: null };
  }

  rename(id: string, name: string): Capture {
    const capture = this.#find(id);
    capture.name = name;
    capture.isUnnamed = false;
    this.#keepChange(capture);
    return shown(capture);
  }

  /** It can be restored as long as the page is open, and is not kept any more. */
  remove(id: string): void {
    const capture = this.#find(id);
    if (capture.digest !== null) void this.#means.kept.forget(capture.digest);
    this.#endWork(capture);
    if (capture.state !== "failed") capture.state = "receiving";
    capture.isDeleted = true;
  }

  restore(id: string): Capture {
    const capture = this.#captures.get(id);
    if (capture === undefined) throw noSuchCapture();
    capture.isDeleted = false;
    return shown(capture);
  }

  /** Reads a file, or those of a zip, and gives them to the capture. */
  async receive(
    id: string,
    { file, path, replaces, handle }: ReceivedFile,
    onBytes: (read: number) => void,
    signal: AbortSignal,
  ): Promise<CaptureFile[]> {
    this.#expectNoAnalysis(id);
    const name = shownName(path);
    if (name === null) throw problem("bad-file-name", `"${path.slice(0, 80)}" is not a file name.`);
    let sum = 0;
    const more = (bytes: number): void => onBytes((sum += bytes));
    const read = await this.#means.readers.read(
      { blob: file, name, mostPrepared: this.#mostPrepared(id) },
      more,
      signal,
    );
    const capture = this.#expectNoAnalysis(id);
    if (filesWithout(capture).length > 0) return this.#takeBack(capture, read, keptHandle(handle, file));
    const old = replaces === undefined ? undefined : this.#file(capture, replaces);
    const { expected } = capture;
    const wanted = expected === null ? read : onlyExpected(expected, capture.files, read);
    const added = wanted.map((one) => ({ file: fileOf(this.#means.newId(), one, expected), read: one }));
    if (capture.files.length + added.length > MOST_FILES) {
      throw problem(
        "too-many-files",
        `A capture holds at most ${MOST_FILES} files. Make a second capture for the others.`,
      );
    }
    const received = added.map((one) => one.file);
    const files = old === undefined ? received : [replacementOf(old, received)];
    // Entries of a zip come back with the zip.
    const kept = keptHandle(handle, file);
    for (const one of added) {
      const { blob, columns, prepared } = one.read;
      if (columns !== null || prepared !== null) this.#startAhead();
      capture.bytes.set(one.file.id, { blob, columns, prepared, handle: kept });
    }
    this.#changeFiles(capture, (all) =>
      old === undefined ? [...all, ...files] : all.flatMap((each) => (each === old ? files : [each])),
    );
    if (old !== undefined) capture.bytes.delete(old.id);
    const ids = new Set(files.map((one) => one.id));
    return capture.files.filter((one) => ids.has(one.id));
  }

  /** Takes files that an analysed capture came without: what was analysed stays. @throws ProblemError `other-file` */
  #takeBack(capture: LocalCapture, read: readonly ReadFile[], handle: KeptHandle | null): CaptureFile[] {
    const given = read.map(({ name: { name }, sha256, blob }) => ({ name, sha256, blob }));
    const returned = returnedFiles(filesWithout(capture), given);
    for (const { file, given: own } of returned) addBytes(capture, file.id, own.blob, handle);
    this.#giveThread(capture);
    this.#keep(capture);
    const ids = new Set(returned.map(({ file: { id } }) => id));
    return shown(capture).files.filter(({ id }) => ids.has(id));
  }

  /** Gives the thread of an analysed capture all source files that are here. */
  #giveThread({ files, bytes, thread }: LocalCapture): void {
    const sources = withUniqueNames(filesToAnalyse(files)).flatMap(({ file, uniqueName }): NamedBlob[] => {
      const blob = bytes.get(file.id)?.blob;
      return blob === undefined ? [] : [{ name: uniqueName, blob }];
    });
    thread?.giveSources(sources);
  }

  /** The thread of the next analysis loads its script while people look at what was recognised. */
  #startAhead(): void {
    if (this.#ahead !== null) return;
    this.#ahead = this.#means.startCapture();
    this.#ahead.listen({
      onMessage: () => {},
      onBroken: () => {
        this.#ahead = null;
      },
    });
  }

  #takeThread(): WorkThread {
    const thread = this.#ahead ?? this.#means.startCapture();
    this.#ahead = null;
    return thread;
  }

  /** In a capture of few files each is likely to be all of its server; in one of many, servers have several. */
  #mostPrepared(id: string): number {
    return Math.max(0, FEW_FILES - this.#find(id).files.length);
  }

  correct(id: string, fileId: string, correction: FileCorrection): CaptureFile {
    const capture = this.#expectNoAnalysis(id);
    const file = this.#file(capture, fileId);
    const given = { ...file.given, ...correction };
    this.#changeFiles(capture, (all) => all.map((one) => (one === file ? { ...one, given } : one)));
    return this.#file(capture, fileId);
  }

  removeFile(id: string, fileId: string): void {
    const capture = this.#expectNoAnalysis(id);
    const file = this.#file(capture, fileId);
    this.#changeFiles(capture, (all) => all.filter((one) => one !== file));
    capture.bytes.delete(fileId);
  }

  /** Makes a capture of each group of the files. @returns all of them, in the order of the groups */
  split(id: string): Capture[] {
    const capture = this.#expectNoAnalysis(id);
    const { groups } = groupedFiles(capture.files);
    if (groups.length < 2) return [shown(capture)];
    const kept = groups.find(({ foreign }) => !foreign) ?? groups[0];
    const all = groups.map((group) => (group === kept ? capture : this.#part(capture, group)));
    return all.map(shown);
  }

  #part(from: LocalCapture, { servers }: CaptureGroup): LocalCapture {
    const part = this.#find(this.create().id);
    const moving = new Set(servers.flatMap(({ files }) => files));
    const moved = from.files.filter((file) => moving.has(file.id));
    // A topology names replicas of any of them; what it does not name it leaves as it is.
    const copies = from.files.filter(({ kind }) => kind === "topology");
    for (const file of [...moved, ...copies]) {
      const bytes = from.bytes.get(file.id);
      if (bytes !== undefined) part.bytes.set(file.id, bytes);
    }
    for (const file of moved) from.bytes.delete(file.id);
    this.#changeFiles(part, () => [...moved, ...copies]);
    this.#changeFiles(from, (all) => all.filter((file) => !moving.has(file.id)));
    return part;
  }

  /** Starts the analysis; who watches hears of its end. */
  async analyse(id: string): Promise<Capture> {
    const capture = this.#expectNoAnalysis(id);
    const files = filesToAnalyse(capture.files);
    refuseUnclearGroups(capture.files);
    expectComplete(capture.expected ?? [], capture.files);
    expectBytes(filesToPack(capture.files), capture);
    this.#outdate(capture);
    capture.digest = captureDigest(capture.files);
    capture.state = "analysing";
    capture.progress = noProgress(files);
    const running = (capture.running = Symbol(id));
    const topologies = await topologiesOf(capture).catch(problemOfError);
    const kept = capture.notes.length > 0 ? null : await this.#means.kept.find(capture.digest);
    // It was cancelled or deleted, and perhaps begun again, meanwhile.
    if (capture.running !== running) return shown(capture);
    if (!Array.isArray(topologies)) {
      this.#fail(capture, topologies);
      return shown(capture);
    }
    // Notes on the same files of an earlier visit.
    if (kept !== null && capture.notes.length === 0) capture.notes = kept.record.notes;
    const withBytes = files.map((file) => {
      const { blob = new Blob(), columns = null, prepared = null } = capture.bytes.get(file.id) ?? {};
      return { ...file, blob, columns, prepared: isServersOnly(file, files) ? prepared : null };
    });
    for (const file of files) takeEvents(capture.bytes.get(file.id));
    this.#means.readers.rest();
    capture.thread = new CaptureThread(
      () => this.#takeThread(),
      { kind: "analyse", capture: { files: withBytes, topologies } },
      this.#listenerOf(capture),
    );
    return shown(capture);
  }

  /** What the news of a capture's thread do to it. */
  #listenerOf(capture: LocalCapture): AnalysisListener {
    const { id } = capture;
    return {
      onProgress: (progress) => {
        capture.progress = progress;
        this.#publish(id, { kind: "progress", progress });
      },
      onPreview: (preview) => {
        capture.preview = preview;
      },
      onAnalysed: (analysed) => {
        capture.analysed = analysed;
        capture.state = "ready";
        capture.progress = null;
        capture.running = null;
        this.#keep(capture);
        this.#publish(id, { kind: "ready" });
      },
      onOpened: () => {},
      onTables: (tables) => {
        if (capture.digest !== null) void this.#means.kept.keepTables(capture.digest, tables);
      },
      onFailed: (failure) => this.#fail(capture, failure),
    };
  }

  #keepChange({ digest, name, notes }: LocalCapture): void {
    if (digest !== null) void this.#means.kept.change(digest, { name, notes });
  }

  /** Keeps what there is of an analysed capture in the browser. */
  #keep(capture: LocalCapture): void {
    const { id, name, created, files, notes, digest, analysed } = capture;
    if (digest === null || analysed === null) return;
    const { summary: _, ...rest } = analysed;
    const handles = [...new Set([...capture.bytes.values()].flatMap(({ handle }) => handle ?? []))];
    void this.#means.kept.keep({ digest, id, name, created, files, notes, analysed: rest, handles });
  }

  cancel(id: string): Capture {
    const capture = this.#find(id);
    if (capture.state !== "analysing")
      throw problem("wrong-state", "No analysis of this capture is running.");
    this.#outdate(capture);
    this.#publish(id, {
      kind: "failed",
      problem: problemDocument("cancelled", "The analysis was cancelled."),
    });
    return shown(capture);
  }

  /** The whole capture in bins, as soon as its blocks are joined. */
  preview(id: string): Uint8Array {
    const { preview } = this.#find(id);
    if (preview !== null) return preview;
    throw problem("wrong-state", "There is no picture of this capture yet. Start the analysis first.");
  }

  /** What the analysis found, under the capture's present name. JSON. */
  summary(id: string): unknown {
    const { analysed, name } = this.#find(id);
    if (analysed === null) throw notAnalysed(this.#find(id));
    const summary = JSON.parse(new TextDecoder().decode(analysed.summary)) as object;
    return { ...summary, captureId: id, name };
  }

  async ask(id: string, question: Question, signal: AbortSignal | null): Promise<Answer> {
    const capture = this.#find(id);
    if (capture.state !== "ready" || capture.thread === null) throw notAnalysed(capture);
    return capture.thread.ask(question, signal);
  }

  notes(id: string): readonly KeptNote[] {
    return this.#find(id).notes;
  }

  keepNotes(id: string, notes: readonly KeptNote[]): void {
    const capture = this.#find(id);
    capture.notes = notes;
    this.#keepChange(capture);
  }

  watch(id: string, listener: (news: LocalNews) => void): () => void {
    const { id: own, state, problem: failure, progress } = this.#find(id);
    const listeners = this.#listeners.get(own) ?? new Set();
    this.#listeners.set(own, listeners.add(listener));
    if (state === "ready") listener({ kind: "ready" });
    else if (state === "failed" && failure !== null) listener({ kind: "failed", problem: failure });
    else if (progress !== null) listener({ kind: "progress", progress });
    return () => void listeners.delete(listener);
  }

  /** Nothing is left of its analysis, so that it can be analysed again. */
  #fail(capture: LocalCapture, failure: Problem): void {
    this.#endWork(capture);
    capture.state = "failed";
    capture.problem = failure;
    this.#publish(capture.id, { kind: "failed", problem: failure });
  }

  #publish(id: string, news: LocalNews): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(news);
  }

  #find(id: string): LocalCapture {
    const capture = this.#here(id);
    if (capture !== undefined) return capture;
    throw noSuchCapture();
  }

  /** A capture of this page, by its id or by that of a link. */
  #here(id: string): LocalCapture | undefined {
    const all = [...this.#captures.values()].filter(({ isDeleted }) => !isDeleted);
    return (
      all.find((capture) => capture.id === id) ??
      all.findLast(({ digest }) => digest !== null && `${LOCAL_ID}${digest}` === id)
    );
  }

  #file({ files }: LocalCapture, fileId: string): CaptureFile {
    const file = files.find(({ id }) => id === fileId);
    if (file !== undefined) return file;
    throw problem("file-not-found", "The capture has no such file.");
  }

  #expectNoAnalysis(id: string): LocalCapture {
    const capture = this.#find(id);
    if (capture.state !== "analysing") return capture;
    throw problem(
      "wrong-state",
      "The capture is being analysed. Wait for the end or cancel the analysis first.",
    );
  }

  /** Changes the files, and with them which servers and captures they are. */
  #changeFiles(capture: LocalCapture, change: (files: readonly CaptureFile[]) => CaptureFile[]): void {
    const { files, groups } = groupedFiles(change(capture.files));
    this.#outdate(capture);
    // What was kept under it is of other files. The address of a capture that asks for its files stays.
    if (capture.expected === null) capture.digest = null;
    capture.files = files;
    capture.name = captureNameOf(capture, groups);
  }

  /** Results that fit the files no longer are gone. */
  #outdate(capture: LocalCapture): void {
    this.#endWork(capture);
    capture.state = "receiving";
    capture.problem = null;
  }

  #endWork(capture: LocalCapture): void {
    capture.thread?.end();
    capture.thread = null;
    capture.running = null;
    capture.analysed = null;
    capture.preview = null;
    capture.progress = null;
  }
}

/** Bytes of a file that was recognised before. */
function addBytes({ bytes }: LocalCapture, id: string, blob: Blob, handle: KeptHandle | null): void {
  bytes.set(id, { blob, columns: null, prepared: null, handle });
}

/** Files that an analysed capture rests on and that are not here: it was opened from what was kept or saved of it. */
const filesWithout = ({ state, files, bytes }: LocalCapture): CaptureFile[] =>
  state === "ready" ? filesToPack(files).filter(({ id }) => !bytes.has(id)) : [];

function shown(capture: LocalCapture): Capture {
  const { id, name, created, state, files, progress, problem: failure, analysed } = capture;
  const { groups, unused } = groupedFiles(files);
  const missing = new Set(filesWithout(capture));
  return {
    id,
    name,
    created,
    expires: null,
    state,
    files: files.map((file) => ({ ...file, isMissing: missing.has(file) })),
    groups,
    unused,
    progress,
    problem: failure,
    verdict: analysed?.verdict ?? null,
    severity: analysed?.severity ?? null,
    place: analysed?.place ?? null,
  };
}

function briefOf(capture: LocalCapture): CaptureBrief {
  const { files, ...rest } = shown(capture);
  const times = files.flatMap(({ role, from }) => (role === "ignored" || from === null ? [] : [from]));
  const { id, name, created, expires, state, problem: failure, verdict, severity, place } = rest;
  return {
    id,
    name,
    created,
    expires,
    state,
    problem: failure,
    verdict,
    severity,
    place,
    owner: null,
    shared: false,
    files: files.length,
    from: times.sort()[0] ?? null,
  };
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
    // It is read where it lies: nothing of it is received, and nothing dropped.
    dropped: { values: 0, bytes: 0 },
    given: (expected && expectedFile(expected, sha256)?.given) ?? {},
    role: "ignored",
    replica: "",
  };
}

function topologiesOf({ files, bytes }: LocalCapture): Promise<string[]> {
  const used = files.filter(({ kind, role }) => kind === "topology" && role !== "ignored");
  return Promise.all(
    used.map(async ({ id }) => {
      const content = await bytes.get(id)?.blob.arrayBuffer();
      return xmlText(new Uint8Array(content ?? new ArrayBuffer())) ?? "";
    }),
  );
}

/** They go over to the capture's thread. */
function takeEvents(file: LocalFile | undefined): void {
  if (file === undefined) return;
  file.columns = null;
  file.prepared = null;
}

/** @throws ProblemError `files-missing` for a capture that was kept without its files */
function expectBytes(files: readonly CaptureFile[], { bytes }: LocalCapture): void {
  const missing = files.find(({ id }) => !bytes.has(id));
  if (missing === undefined) return;
  throw problem(
    "files-missing",
    `${missing.name} is not open: the capture was kept without its files. Give them to it under Raw events, or drop them on the first screen, to analyse them again.`,
  );
}

/** Null where nothing was kept, or the browser has let go of it. */
const readOrNull = async (blob: Blob | undefined): Promise<Uint8Array | null> =>
  blob === undefined ? null : bytesOf(blob).catch(() => null);

const expectedOf = ({ files }: KeptRecord): ExpectedFile[] =>
  filesOfDigest(files).map(({ name, size, sha256, given }) => ({ name, size, sha256, given }));

const keptHandle = (handle: FileSystemFileHandle | null, file: File): KeptHandle | null =>
  handle && { handle, name: file.name, size: file.size, lastModified: file.lastModified };

const noSuchCapture = (): Error =>
  problem(
    "capture-not-found",
    "The capture was read in a browser's page that is closed by now, or on another computer. Its files stay on that computer: drop them again.",
  );

const notAnalysed = ({ state }: LocalCapture): Error =>
  problem("wrong-state", `The capture has no analysis to ask: it is ${state}. Start the analysis first.`);
