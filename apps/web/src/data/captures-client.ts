import {
  Capture,
  CaptureFile,
  CaptureList,
  type FileCorrection,
  Link,
  type NewLink,
  Progress,
} from "@aglens/contract";
import { z } from "zod";
import { problemOf, ProblemError } from "./problem.ts";
import { API, jsonBody, readJson, send } from "./request.ts";

const UploadedFiles = z.object({ files: z.array(CaptureFile) });

const at = (id: string): string => `/captures/${encodeURIComponent(id)}`;

/** Captures of this server that the browser may see, newest first. */
export async function listCaptures(signal?: AbortSignal): Promise<Capture[]> {
  return (await readJson(CaptureList, "/captures", signal === undefined ? {} : { signal })).captures;
}

/** One capture with its files and, while it is analysed, its progress. */
export function readCapture(id: string, signal?: AbortSignal): Promise<Capture> {
  return readJson(Capture, at(id), signal === undefined ? {} : { signal });
}

/** An empty capture that files can be added to. */
export function createCapture(name: string, signal?: AbortSignal): Promise<Capture> {
  return readJson(Capture, "/captures", jsonBody("POST", { name }, signal));
}

/** Gives a capture another name. */
export function renameCapture(id: string, name: string): Promise<Capture> {
  return readJson(Capture, at(id), jsonBody("PATCH", { name }));
}

/** Deletes a capture with its files and its links. */
export async function deleteCapture(id: string): Promise<void> {
  await send(at(id), { method: "DELETE" });
}

/** Corrects the role or the replica of a file. */
export async function correctFile(id: string, file: string, correction: FileCorrection): Promise<void> {
  await send(`${at(id)}/files/${encodeURIComponent(file)}`, jsonBody("PATCH", correction));
}

/** Takes a file out of a capture. */
export async function removeFile(id: string, file: string): Promise<void> {
  await send(`${at(id)}/files/${encodeURIComponent(file)}`, { method: "DELETE" });
}

/** Starts the analysis; progress comes by `watchProgress`. */
export async function startAnalysis(id: string): Promise<void> {
  await send(`${at(id)}/analysis`, { method: "POST" });
}

/** Stops a running analysis; the files stay. */
export async function cancelAnalysis(id: string): Promise<void> {
  await send(`${at(id)}/analysis`, { method: "DELETE" });
}

/** A capture made of one of the samples that come with the server. */
export function openSample(name: string): Promise<Capture> {
  return readJson(Capture, `/samples/${encodeURIComponent(name)}`, { method: "POST" });
}

/** Makes a link; its `deleteToken` comes only in this answer. */
export function createLink(link: z.input<typeof NewLink>): Promise<Link> {
  return readJson(Link, "/links", jsonBody("POST", link));
}

/** What a link restores. */
export function readLink(id: string, signal?: AbortSignal): Promise<Link> {
  return readJson(Link, `/links/${encodeURIComponent(id)}`, signal === undefined ? {} : { signal });
}

/** Deletes a link; only who made it has the token. */
export async function deleteLink(id: string, deleteToken: string): Promise<void> {
  await send(`/links/${encodeURIComponent(id)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${deleteToken}` },
  });
}

/**
 * Sends one file. XMLHttpRequest, because it alone tells how many bytes have left. A zip answers with a file per entry.
 * `replaces` is the id of a file whose place the new one takes; when it does not fit, the capture stays as it was.
 * Rejects with ProblemError, or with an AbortError when `signal` fires.
 */
export function uploadFile(
  id: string,
  file: File,
  onBytes: (sent: number) => void,
  signal: AbortSignal,
  replaces?: string,
): Promise<CaptureFile[]> {
  return new Promise((resolve, reject) => {
    const query = new URLSearchParams({ name: file.name, ...(replaces === undefined ? {} : { replaces }) });
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.open("POST", `${API}${at(id)}/files?${query.toString()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => onBytes(event.loaded));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve(UploadedFiles.parse(request.response).files);
      else reject(problemOf(request.status, request.response));
    });
    request.addEventListener("error", () =>
      reject(
        new ProblemError(
          "network",
          0,
          `${file.name} could not be sent: the connection to the server broke. Add it again.`,
        ),
      ),
    );
    request.addEventListener("abort", () => reject(new DOMException("Upload stopped", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    if (signal.aborted) {
      reject(new DOMException("Upload stopped", "AbortError"));
      return;
    }
    signal.addEventListener("abort", stop);
    request.send(file);
  });
}

export interface ProgressListener {
  readonly onProgress: (progress: Progress) => void;
  readonly onReady: () => void;
  readonly onFailed: (sentence: string) => void;
}

/** Follows a running analysis by server-sent events; returns what stops it. The browser reconnects by itself. */
export function watchProgress(id: string, listener: ProgressListener): () => void {
  const events = new EventSource(`${API}${at(id)}/progress`);
  events.addEventListener("progress", (event) => {
    const parsed = Progress.safeParse(parseJson(event.data));
    if (parsed.success) listener.onProgress(parsed.data);
  });
  events.addEventListener("ready", () => {
    events.close();
    listener.onReady();
  });
  events.addEventListener("failed", (event) => {
    events.close();
    const body = parseJson(event.data);
    listener.onFailed(problemOf(500, body).message);
  });
  // The browser reconnects after a broken line; once it has given up, the capture itself tells how it ended.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) listener.onReady();
  });
  return () => events.close();
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return null;
  }
}
