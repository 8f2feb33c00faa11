/** Captures of this browser: as long as the page is open, and nowhere else. */
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
import type { Answer, Question } from "@aglens/engine/answers";
import {
  captureNameOf,
  filesToAnalyse,
  groupedFiles,
  noProgress,
  refuseUnclearGroups,
  replacementOf,
} from "@aglens/engine/files";
import type { KeptNote } from "@aglens/engine/notes";
import { problem, problemDocument } from "@aglens/engine/problems";
import { shownName } from "@aglens/zip";
import { LOCAL_ID, type LocalNews } from "../data/local-server.ts";
import { CaptureThread, type WorkThread } from "./capture-thread.ts";
import type { AnalysedCapture } from "./capture-work.ts";
import { problemOfError } from "./problem-of-error.ts";
import type { ReadFile } from "./read-file.ts";
import type { Readers } from "./readers.ts";

/** Of one capture, as on a server. */
const MOST_FILES = 500;

interface LocalFile {
  readonly blob: Blob;
  /** Its events until an analysis takes them. */
  columns: EventColumns | null;
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
}

/** How the captures get at threads and time. */
export interface LocalMeans {
  readonly readers: Readers;
  readonly startCapture: () => WorkThread;
  readonly newId: () => string;
  /** Now, UTC, ISO 8601. */
  readonly now: () => string;
}

/** Every method throws ProblemError for the caller to answer. */
export class LocalCaptures {
  readonly #means: LocalMeans;
  readonly #captures = new Map<string, LocalCapture>();
  readonly #listeners = new Map<string, Set<(news: LocalNews) => void>>();

  constructor(means: LocalMeans) {
    this.#means = means;
  }

  create(name?: string): Capture {
    const capture: LocalCapture = {
      id: `${LOCAL_ID}${this.#means.newId()}`,
      created: this.#means.now(),
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
      notes: [],
      isDeleted: false,
    };
    this.#captures.set(capture.id, capture);
    return shown(capture);
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
    return shown(capture);
  }

  /** It can be restored as long as the page is open. */
  remove(id: string): void {
    const capture = this.#find(id);
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
    file: File,
    path: string,
    replaces: string | undefined,
    onBytes: (read: number) => void,
    signal: AbortSignal,
  ): Promise<CaptureFile[]> {
    this.#expectNoAnalysis(id);
    const name = shownName(path);
    if (name === null) throw problem("bad-file-name", `"${path.slice(0, 80)}" is not a file name.`);
    let sum = 0;
    const more = (bytes: number): void => onBytes((sum += bytes));
    const read = await this.#means.readers.read({ blob: file, name }, more, signal);
    const capture = this.#expectNoAnalysis(id);
    const old = replaces === undefined ? undefined : this.#file(capture, replaces);
    const added = read.map((one) => ({ file: fileOf(this.#means.newId(), one), read: one }));
    if (capture.files.length + added.length > MOST_FILES) {
      throw problem(
        "too-many-files",
        `A capture holds at most ${MOST_FILES} files. Make a second capture for the others.`,
      );
    }
    const received = added.map((one) => one.file);
    const files = old === undefined ? received : [replacementOf(old, received)];
    for (const one of added) {
      const { blob, columns } = one.read;
      capture.bytes.set(one.file.id, { blob, columns });
    }
    this.#changeFiles(capture, (all) =>
      old === undefined ? [...all, ...files] : all.flatMap((each) => (each === old ? files : [each])),
    );
    if (old !== undefined) capture.bytes.delete(old.id);
    const ids = new Set(files.map((one) => one.id));
    return capture.files.filter((one) => ids.has(one.id));
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
    this.#outdate(capture);
    capture.state = "analysing";
    capture.progress = noProgress(files);
    const running = (capture.running = Symbol(id));
    const topologies = await topologiesOf(capture).catch(problemOfError);
    // It was cancelled or deleted, and perhaps begun again, meanwhile.
    if (capture.running !== running) return shown(capture);
    if (!Array.isArray(topologies)) {
      this.#fail(capture, topologies);
      return shown(capture);
    }
    const withBytes = files.map((file) => {
      const { blob, columns } = capture.bytes.get(file.id) ?? { blob: new Blob(), columns: null };
      return { ...file, blob, columns };
    });
    for (const file of files) takeColumns(capture.bytes.get(file.id));
    capture.thread = new CaptureThread(
      this.#means.startCapture,
      { files: withBytes, topologies },
      {
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
          this.#publish(id, { kind: "ready" });
        },
        onFailed: (failure) => this.#fail(capture, failure),
      },
    );
    return shown(capture);
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
    this.#find(id).notes = notes;
  }

  watch(id: string, listener: (news: LocalNews) => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    const { state, problem: failure, progress } = this.#find(id);
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
    const capture = this.#captures.get(id);
    if (capture !== undefined && !capture.isDeleted) return capture;
    throw noSuchCapture();
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

function shown(capture: LocalCapture): Capture {
  const { id, name, created, state, files, progress, problem: failure, analysed } = capture;
  const { groups, unused } = groupedFiles(files);
  return {
    id,
    name,
    created,
    expires: null,
    state,
    files: [...files],
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

function fileOf(id: string, { name, blob, sha256, recognised }: ReadFile): CaptureFile {
  return {
    id,
    ...name,
    size: blob.size,
    ...recognised,
    sha256,
    // Nothing is kept of it beyond the page.
    dropped: null,
    given: {},
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
function takeColumns(file: LocalFile | undefined): void {
  if (file !== undefined) file.columns = null;
}

const noSuchCapture = (): Error =>
  problem(
    "capture-not-found",
    "The capture was read in a browser's page that is closed by now, or on another computer. Its files stay on that computer: drop them again.",
  );

const notAnalysed = ({ state }: LocalCapture): Error =>
  problem("wrong-state", `The capture has no analysis to ask: it is ${state}. Start the analysis first.`);
