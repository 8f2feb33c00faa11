/**
 * Captures of this browser: their files as long as the page is open, their results as long as they are kept
 * (`kept-captures.ts`).
 */
import type { Capture, CaptureFile, CaptureList, Problem, z } from "@aglens/contract";
import {
  captureNameOf,
  evidenceIn,
  groupedFiles,
  hasOwnNames,
  isOnlyEvidence,
  knownNames,
  type KnownNames,
  learnedFrom,
  learnName,
  type NamesMemory,
  withChangedEvidence,
  withKnownNames,
} from "@aglens/engine/files";
import type { KeptNote } from "@aglens/engine/notes";
import { problem } from "@aglens/engine/problems";
import { LOCAL_ID, type LocalNews } from "../data/local-server.ts";
import type { WorkThread } from "./capture-thread.ts";
import type { ExpectedFile } from "./expected-files.ts";
import type { KeptCaptures } from "./kept-captures.ts";
import type { KeptRecord } from "./kept-store.ts";
import type { Readers } from "./readers.ts";
import { type LocalCapture, shown, briefOf } from "./local-capture.ts";

/** Initial values of a capture. */
export interface Beginning {
  readonly id?: string;
  readonly created?: string;
  /** Without one it is named by its files. */
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

/** The captures of the page. Every method throws ProblemError for the caller to answer. */
export class LocalCaptures {
  readonly #means: LocalMeans;
  readonly #captures = new Map<string, LocalCapture>();
  readonly #listeners = new Map<string, Set<(news: LocalNews) => void>>();
  /** Kept captures whose names are remembered, in their last known state. */
  #named: readonly KeptRecord[] = [];

  constructor(means: LocalMeans) {
    this.#means = means;
  }

  create(name?: string): Capture {
    return shown(this.begin({ name }));
  }

  begin({ name, id, created, notes = [], digest = null, expected = null }: Beginning): LocalCapture {
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

  get(id: string): Capture {
    return shown(this.find(id));
  }

  /** Newest first. @param fewestFiles 1 skips captures without files */
  list(limit: number, fewestFiles: 0 | 1): z.infer<typeof CaptureList> {
    const all = [...this.#captures.values()]
      .filter(({ isDeleted, files }) => !isDeleted && files.length >= fewestFiles)
      .toReversed();
    return { captures: all.slice(0, limit).map(briefOf), total: all.length, next: null };
  }

  rename(id: string, name: string): Capture {
    const capture = this.find(id);
    capture.name = name;
    capture.isUnnamed = false;
    this.#keepChange(capture);
    return shown(capture);
  }

  /** A removed capture can be restored as long as the page is open, and is not kept any more. */
  remove(id: string): void {
    const capture = this.find(id);
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

  notes(id: string): readonly KeptNote[] {
    return this.find(id).notes;
  }

  keepNotes(id: string, notes: readonly KeptNote[]): void {
    const capture = this.find(id);
    capture.notes = notes;
    this.#keepChange(capture);
  }

  /** Keeps the data of an analyzed capture in the browser. */
  keep(capture: LocalCapture): void {
    const { id, name, created, files, notes, digest, analysed } = capture;
    if (digest === null || analysed === null) return;
    const { summary: _, ...rest } = analysed;
    const handles = [...new Set([...capture.bytes.values()].flatMap(({ handle }) => handle ?? []))];
    const facts = factsIn(capture);
    void this.#means.kept.keep({ digest, id, name, created, files, notes, analysed: rest, handles, facts });
  }

  #keepChange({ digest, name, notes }: LocalCapture): void {
    if (digest !== null) void this.#means.kept.change(digest, { name, notes });
  }

  watch(id: string, listener: (news: LocalNews) => void): () => void {
    const { id: own, state, problem: failure, progress } = this.find(id);
    const listeners = this.#listeners.get(own) ?? new Set();
    this.#listeners.set(own, listeners.add(listener));
    if (state === "ready") listener({ kind: "ready" });
    else if (state === "failed" && failure !== null) listener({ kind: "failed", problem: failure });
    else if (progress !== null) listener({ kind: "progress", progress });
    return () => void listeners.delete(listener);
  }

  publish(id: string, news: LocalNews): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(news);
  }

  find(id: string): LocalCapture {
    const capture = this.here(id);
    if (capture !== undefined) return capture;
    throw noSuchCapture();
  }

  /** A capture of this page, by its id or by the id of a link. */
  here(id: string): LocalCapture | undefined {
    const all = [...this.#captures.values()].filter(({ isDeleted }) => !isDeleted);
    return (
      all.find((capture) => capture.id === id) ??
      all.findLast(({ digest }) => digest !== null && `${LOCAL_ID}${digest}` === id)
    );
  }

  file({ files }: LocalCapture, fileId: string): CaptureFile {
    const file = files.find(({ id }) => id === fileId);
    if (file !== undefined) return file;
    throw problem("file-not-found", "The capture has no such file.");
  }

  expectNoAnalysis(id: string): LocalCapture {
    const capture = this.find(id);
    if (capture.state !== "analysing") return capture;
    throw problem(
      "wrong-state",
      "The capture is being analyzed. Wait for the end or cancel the analysis first.",
    );
  }

  /**
   * Changes the files, and with them which servers and captures they are. An analysis read no file of evidence, so that
   * it stays where only those change.
   */
  changeFiles(capture: LocalCapture, change: (files: readonly CaptureFile[]) => CaptureFile[]): void {
    const changed = change(capture.files);
    if (capture.state === "ready" && isOnlyEvidence(capture.files, changed)) {
      capture.files = withChangedEvidence(changed);
      this.keep(capture);
      return;
    }
    const named = withKnownNames(changed, this.#namesFor(capture));
    this.outdate(capture);
    // The capture kept under this digest has other files. The address of a capture that asks for its files stays.
    if (capture.expected === null) capture.digest = null;
    nameByFiles(capture, named);
  }

  /** Reads the kept captures: names in them are remembered for the same ids. */
  async readNames(): Promise<void> {
    this.#named = await this.#means.kept.list();
  }

  /** Updates the names of a capture from the remembered ones, for files that are not analyzed yet. */
  renew(capture: LocalCapture): void {
    const named = withKnownNames(capture.files, this.#namesFor(capture));
    if (named === capture.files) return;
    nameByFiles(capture, named);
  }

  /** Names of other captures, kept ones and those of the page. A kept copy of a capture of the page may be outdated. */
  #namesFor({ id }: LocalCapture): KnownNames {
    const onPage = [...this.#captures.values()].filter(
      ({ isDeleted, files }) => !isDeleted && files.length > 0,
    );
    const ids = new Set([id, ...onPage.map((capture) => capture.id)]);
    const kept = this.#named.filter((record) => !ids.has(record.id));
    const others = [...kept.toReversed(), ...onPage.filter((capture) => capture.id !== id)];
    const memory: NamesMemory = new Map();
    for (const { files } of others)
      for (const name of learnedFrom(files.filter(hasOwnNames))) learnName(memory, name);
    return knownNames(memory);
  }

  /** Discards its analysis, so that it can be analyzed again. */
  fail(capture: LocalCapture, failure: Problem): void {
    this.#endWork(capture);
    capture.state = "failed";
    capture.problem = failure;
    this.publish(capture.id, { kind: "failed", problem: failure });
  }

  /** Discards results that no longer fit the files. */
  outdate(capture: LocalCapture): void {
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

/** Facts of other files; the largest ones are not kept where all together are too many bytes. */
function factsIn({ files, bytes }: LocalCapture): Record<string, Blob> {
  const facts = evidenceIn(files).flatMap(({ id }) => {
    const blob = bytes.get(id)?.blob;
    return blob === undefined ? [] : [[id, blob] as const];
  });
  let room = MOST_FACTS_BYTES;
  return Object.fromEntries(
    facts.toSorted(([, a], [, b]) => a.size - b.size).filter(([, { size }]) => (room -= size) >= 0),
  );
}

/** Facts of a support folder of two servers are some megabytes. */
const MOST_FACTS_BYTES = 32 * 1024 * 1024;

/** The capture with other files, each as the server that it is of. */
function nameByFiles(capture: LocalCapture, changed: readonly CaptureFile[]): void {
  const { files, groups } = groupedFiles(changed);
  capture.files = files;
  capture.name = captureNameOf(capture, groups);
}

const noSuchCapture = (): Error =>
  problem(
    "capture-not-found",
    "The capture was read in a browser's page that is closed by now, or on another computer. Its files stay on that computer: drop them again.",
  );
