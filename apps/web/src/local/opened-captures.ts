import type { Capture } from "@aglens/contract";
import { factsToPack, filesToPack } from "@aglens/engine/aglens-file";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { ProblemError } from "@aglens/engine/problems";
import type { FileOfLink } from "../data/files-of-link.ts";
import { LOCAL_ID } from "../data/local-server.ts";
import { bytesOf } from "./blob-bytes.ts";
import { captureDigest, filesOfDigest } from "./capture-digest.ts";
import { CaptureThread } from "./capture-thread.ts";
import type { OpenedFile } from "./capture-work.ts";
import type { ExpectedFile } from "./expected-files.ts";
import type { KeptCapture } from "./kept-captures.ts";
import type { KeptRecord } from "./kept-store.ts";
import { type LocalCapture, addBytes, shown, expectBytes, notAnalyzed } from "./local-capture.ts";
import type { LocalMeans, LocalCaptures } from "./local-captures.ts";
import type { LocalAnalyses } from "./local-analyses.ts";

/**
 * Earlier captures: kept in this browser, or saved as a file. Every method throws ProblemError for the caller to
 * answer.
 */
export class OpenedCaptures {
  readonly #means: LocalMeans;
  readonly #captures: LocalCaptures;
  readonly #analyses: LocalAnalyses;
  /** Kept captures that are being opened, by their digest. */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(means: LocalMeans, captures: LocalCaptures, analyses: LocalAnalyses) {
    this.#means = means;
    this.#captures = captures;
    this.#analyses = analyses;
  }

  /**
   * The capture of an address: one of this page, one that is kept, or a new one that waits for the files of a link.
   * @param files of the link
   */
  async open(id: string, files: readonly FileOfLink[] | null): Promise<Capture> {
    if (this.#captures.here(id) === undefined) {
      const key = id.slice(LOCAL_ID.length);
      const kept = (await this.#means.kept.find(id)) ?? (await this.#means.kept.find(key));
      // Two requests may open it at the same time.
      if (this.#captures.here(id) === undefined) {
        if (kept !== null) await this.#reopenOnce(kept);
        else if (files !== null && files.length > 0)
          this.#captures.begin({ digest: key, expected: files.map((file) => ({ ...file, given: {} })) });
      }
    }
    await this.#opening.get(this.#captures.here(id)?.digest ?? "");
    return this.#captures.get(id);
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
    const capture = this.#captures.begin({ id, name, created, notes, digest, expected: expectedOf(record) });
    if (tables === null || !summary || !preview) return;
    capture.files = record.files;
    for (const [fileId, blob] of Object.entries(record.facts ?? {})) addBytes(capture, fileId, blob, null);
    capture.preview = preview;
    const analysed = { ...record.analysed, summary };
    await new Promise<void>((resolve) => {
      const listener = this.#analyses.listenerOf(capture);
      capture.thread = new CaptureThread(
        this.#means.startCapture,
        { kind: "open", capture: { tables, sources: [] } },
        {
          ...listener,
          onOpened: () => {
            listener.onAnalyzed(analysed);
            resolve();
          },
          // Any fault of the tables, or a later lack of memory: the analysis of the files creates them again.
          onFailed: (failure) => {
            capture.files = [];
            this.#captures.outdate(capture);
            this.#captures.publish(id, { kind: "failed", problem: failure });
            resolve();
          },
        },
      );
    });
  }

  /** Opens an `.aglens` file as a new capture. @throws ProblemError */
  openFile(file: Blob): Promise<Capture> {
    return new Promise((resolve, reject) => {
      let capture: LocalCapture | null = null;
      const thread = new CaptureThread(
        this.#means.startCapture,
        { kind: "unpack", file },
        {
          onProgress: () => {},
          onPreview: () => {},
          onAnalyzed: () => {},
          onOpened: (opened) => {
            if (opened === null) return;
            capture = this.#fromFile(opened);
            capture.thread = thread;
            this.#captures.keep(capture);
            resolve(shown(capture));
          },
          onTables: (tables) => {
            if (capture !== null && capture.digest !== null)
              void this.#means.kept.keepTables(capture.digest, tables);
          },
          onFailed: (failure) => {
            if (capture === null) reject(new ProblemError(failure));
            else this.#captures.fail(capture, failure);
          },
        },
      );
    });
  }

  #fromFile({ capture: packed, namesReplaced, summary, preview, blocks, sources }: OpenedFile): LocalCapture {
    const { name, created, files, notes, verdict, severity, place } = packed;
    const isKnown = files.every(({ sha256 }) => sha256 !== "");
    const digest = isKnown ? captureDigest(files, namesReplaced) : null;
    const capture = this.#captures.begin({ name, created, notes, digest });
    capture.files = files;
    for (const { id, blob } of sources) addBytes(capture, id, blob, null);
    capture.preview = preview;
    capture.analysed = { verdict, severity, place, blocks, summary };
    capture.state = "ready";
    return capture;
  }

  /** An analyzed capture as an `.aglens` file. @throws ProblemError `wrong-state`, `files-missing` */
  async save(
    id: string,
    { withFiles, replacesNames }: { readonly withFiles: boolean; readonly replacesNames: boolean },
    signal: AbortSignal | null,
  ): Promise<Blob> {
    const capture = this.#captures.find(id);
    const { name, created, files, notes, analysed, thread, bytes } = capture;
    if (analysed === null || thread === null) throw notAnalyzed(capture);
    const used = filesToPack(files);
    if (withFiles) expectBytes(used, capture);
    const packing = [...(withFiles ? used : []), ...factsToPack(files, { replacesNames })];
    const sources = packing.flatMap((file) => {
      const blob = bytes.get(file.id)?.blob;
      return blob === undefined ? [] : [{ id: file.id, blob }];
    });
    const { verdict, severity, place } = analysed;
    const packed = { name, created, verdict, severity, place, files: [...files], notes };
    return thread.save({ capture: packed, sources, withFiles, replacesNames }, signal);
  }
}

/** Null where nothing was kept, or the browser has deleted it. */
const readOrNull = async (blob: Blob | undefined): Promise<Uint8Array | null> =>
  blob === undefined ? null : bytesOf(blob).catch(() => null);

const expectedOf = ({ files }: KeptRecord): ExpectedFile[] =>
  filesOfDigest(files).map(({ name, size, sha256, given }) => ({ name, size, sha256, given }));
