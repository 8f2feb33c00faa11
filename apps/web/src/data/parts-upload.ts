/**
 * Upload of large files in parts (tus 1.0): after a broken connection the upload waits and then continues where it was.
 */
import { DetailedError, type HttpResponse, Upload, type UploadOptions } from "tus-js-client";
import { type ReadSoFar, UploadInParts, UploadsInParts, type z } from "@aglens/contract";
import type { FileToSend } from "./captures-client.ts";
import { keepSensitiveParameter } from "./keep-sensitive.ts";
import { problemOf, ProblemError } from "./problem.ts";
import { changing, jsonFrom } from "./questions.ts";
import type { Question } from "./use-answer.ts";
import { watchReading } from "./reading-watch.ts";
import { API, readJson, reportSignedOut, send } from "./request.ts";

/**
 * Size from which files are sent in parts, bytes. On this machine's own network 64 MB take less than a second: the loss
 * by a broken connection below that is not worth the requests.
 */
export const LEAST_BYTES_IN_PARTS = 64_000_000;

/**
 * Bytes that a proxy which collects complete requests may lose with a broken connection; 600 writes a minute are 160
 * MB/s of such parts.
 */
const PART_BYTES = 16 * 1024 * 1024;

/** The first bytes of a file identify it when its upload continues. */
const HEAD_BYTES = 64 * 1024;

/** Waited for after the first, second, ... failure without a byte between; then always the last. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Incomplete uploads that the server keeps, of captures that the user may change. */
export async function uploadsOfServer(signal?: AbortSignal): Promise<readonly UploadInParts[]> {
  return (await readJson(UploadsInParts, "/uploads", signal === undefined ? {} : { signal })).uploads;
}

/** The same for a screen. */
export const unfinishedUploads: Question<z.infer<typeof UploadsInParts>> = changing(
  jsonFrom(UploadsInParts, "/uploads"),
);

/** Deletes the server's part of an upload. */
export async function discardUpload({ captureId, id }: Pick<UploadInParts, "captureId" | "id">) {
  await send(pathOf(captureId, id), { method: "DELETE", headers: { "tus-resumable": "1.0.0" } });
}

const pathOf = (captureId: string, id: string): string =>
  `/captures/${encodeURIComponent(captureId)}/uploads/${encodeURIComponent(id)}`;

/**
 * A mark of a file's first 64 kB, to find the file again: FNV-1a of 32 bits, over the bytes and once more from another
 * start. It does not use the browser's own SHA-256, which is missing over plain HTTP.
 */
export async function headOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return [0x811c9dc5, 0x9747b28c].map((start) => hex(fnv1a(bytes, start))).join("");
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");

function fnv1a(bytes: Uint8Array, start: number): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

export interface PartsListener {
  /** Bytes that were sent, including those of the current part. */
  readonly onBytes: (bytes: number) => void;
  /** The connection broke, or the server is busy; the upload is tried again automatically. */
  readonly onWaiting: (sentence: string, waitMs: number) => void;
  /** The upload continues after so many bytes that the server has. */
  readonly onGoesOn: (bytes: number) => void;
  /** Time until which the server keeps the received part, ms since 1970. */
  readonly onKeptUntil: (untilMs: number) => void;
  /**
   * Part of the file that the server has read while it is sent; null where the server reads the file only when it is
   * complete.
   */
  readonly onRead: (read: ReadSoFar | null) => void;
}

export interface PartsRequest {
  readonly captureId: string;
  readonly picked: FileToSend;
  readonly head: string;
  /** Id of the upload that is carried on; null begins one. */
  readonly uploadId: string | null;
  readonly listener: PartsListener;
  /** Ends the upload; the received part stays on the server. */
  readonly signal: AbortSignal;
}

export interface PartsSending {
  /** The upload with the files it became. Rejects with ProblemError, or AbortError when it was ended. */
  readonly done: Promise<UploadInParts>;
  readonly pause: () => void;
  /** Continues after a pause, or at once while the upload waits for the network. */
  readonly goOn: () => void;
}

/** @param options replace the browser's network and files in tests */
export function sendInParts(request: PartsRequest, options: Partial<UploadOptions> = {}): PartsSending {
  const { captureId, picked, uploadId, listener, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<UploadInParts>();
  let failures = 0;
  /** Bytes that the server confirmed; the received size of a broken part is not known yet. */
  let accepted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: "sending" | "waiting" | "paused" | "ended" = "sending";
  /** The server answers there what the file became, even if the answer to the last part was lost. */
  const path = (): string => pathOf(captureId, idIn(upload.url ?? ""));
  /** Ended when all is sent: a later question would wait until the file is read. */
  const watching = new AbortController();
  let isWatched = false;
  const isHeld = (): boolean => state !== "sending";

  const waitAndGoOn = (sentence: string): void => {
    const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
    failures += 1;
    state = "waiting";
    listener.onBytes(accepted);
    listener.onWaiting(sentence, waitMs);
    timer = setTimeout(start, waitMs);
  };
  const start = (): void => {
    clearTimeout(timer);
    state = "sending";
    upload.start();
  };
  const end = (settle: () => void): void => {
    state = "ended";
    watching.abort();
    clearTimeout(timer);
    globalThis.removeEventListener?.("online", onOnline);
    signal.removeEventListener("abort", onAbort);
    settle();
  };
  const fail = (error: unknown): void => {
    if (state !== "sending") return;
    const problem = problemIn(error, picked.file.name);
    if (problem.code === "sign-in-needed") reportSignedOut();
    if (PASSING.has(problem.status)) waitAndGoOn(problem.message);
    else end(() => reject(problem));
  };

  const upload = new Upload(picked.file, {
    ...standingOptions(request),
    onUploadUrlAvailable: () => {
      // With an address to begin at, the library would start from the beginning after any refusal.
      upload.options.endpoint = null;
      if (uploadId !== null || isWatched) return;
      isWatched = true;
      void watchReading({ path: path(), isHeld, onRead: listener.onRead, signal: watching.signal });
    },
    onBeforeRequest: () => {
      // The library starts some time after `start`, even if it was ended in between.
      if (isHeld()) throw new Error("The upload is held.");
    },
    onAfterResponse: (asked, response) => {
      reportKept(response, listener);
      if (asked.getMethod() === "HEAD" && response.getStatus() === 200)
        listener.onGoesOn((accepted = Number(response.getHeader("Upload-Offset"))));
    },
    onChunkComplete: (_size, bytes) => {
      accepted = bytes;
      failures = 0;
    },
    onProgress: listener.onBytes,
    onError: fail,
    onSuccess: () => {
      watching.abort();
      readJson(UploadInParts, path(), { signal }).then((whole) => end(() => resolve(whole)), fail);
    },
    ...options,
  });

  const onOnline = (): void => (state === "waiting" ? start() : undefined);
  const onAbort = (): void => {
    void upload.abort();
    end(() => reject(new DOMException("Upload stopped", "AbortError")));
  };
  globalThis.addEventListener?.("online", onOnline);
  if (signal.aborted) onAbort();
  else {
    signal.addEventListener("abort", onAbort);
    start();
  }
  return {
    done: promise,
    pause: () => {
      if (state === "ended") return;
      clearTimeout(timer);
      state = "paused";
      void upload.abort();
    },
    goOn: () => {
      if (state === "waiting" || state === "paused") start();
    },
  };
}

/** Id of the upload at an address. */
const idIn = (url: string): string => new URL(url, "http://aglens").pathname.split("/").at(-1) ?? "";

/** Options of the library that do not change during the upload. */
const standingOptions = ({ captureId, picked, head, uploadId }: PartsRequest): Partial<UploadOptions> => ({
  ...(uploadId === null
    ? { endpoint: `${API}/captures/${encodeURIComponent(captureId)}/uploads` }
    : { uploadUrl: `${API}${pathOf(captureId, uploadId)}` }),
  chunkSize: PART_BYTES,
  metadata: { filename: picked.file.name, path: picked.path, head, ...keepSensitiveParameter() },
  fingerprint: () => Promise.resolve(""),
  storeFingerprintForResuming: false,
  retryDelays: null,
});

function reportKept(response: HttpResponse, { onKeptUntil }: PartsListener): void {
  const untilMs = Date.parse(response.getHeader("Upload-Expires") ?? "");
  if (!Number.isNaN(untilMs)) onKeptUntil(untilMs);
}

/** No answer, a body that stalled, a part that another connection had, too many requests, a server or proxy that is being started. */
const PASSING: ReadonlySet<number> = new Set([0, 408, 423, 429, 500, 502, 503, 504]);

function problemIn(error: unknown, name: string): ProblemError {
  if (error instanceof ProblemError) return error;
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (response === null) return new ProblemError("network", 0, "The connection to the server broke.");
  const status = response.getStatus();
  const body = parsed(response.getBody());
  // An answer to HEAD has no body.
  if (body === null && (status === 404 || status === 410)) {
    return new ProblemError(
      "upload-expired",
      status,
      `The server no longer has what was sent of ${name}. Send the file again.`,
    );
  }
  if (body === null && status === 401)
    return new ProblemError("sign-in-needed", 401, "Sign in to AG Lens first.");
  return problemOf(status, body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
