import {
  ReadyCapture,
  type BinWindow,
  type BlockWindow,
  Capture,
  CaptureFile,
  CaptureList,
  CaptureParts,
  decodeWindow,
  type FileCorrection,
  Progress,
  z,
  LostCaptures,
} from "@aglens/contract";
import { FILES_PARAMETER } from "./files-of-link.ts";
import { isLocalId, localServer, type LocalNews } from "./local-server.ts";
import { capturesPath, type Place, usePlace } from "./place.ts";
import { problemOf, ProblemError } from "./problem.ts";
import { changing, columnsFrom, jsonFrom } from "./questions.ts";
import { API, jsonBody, readJson, send } from "./request.ts";
import type { Question } from "./use-answer.ts";
import { keepSensitiveParameter } from "./keep-sensitive.ts";

const UploadedFiles = z.object({ files: z.array(CaptureFile) });

const pathOf = (id: string): string => `/captures/${encodeURIComponent(id)}`;

/** The newest captures of a place that have files and that the browser may see, without drafts. */
export function newestCaptures(most: number, place: Place): Question<z.infer<typeof CaptureList>> {
  return changing(jsonFrom(CaptureList, `${capturesPath(place)}?empty=false&drafts=without&limit=${most}`));
}

/** One's newest drafts on the server. */
export function newestDrafts(most: number): Question<z.infer<typeof CaptureList>> {
  return changing(jsonFrom(CaptureList, `/captures?empty=false&drafts=only&limit=${most}`));
}

/** One capture with its files and, while it is analyzed, its progress. */
export function captureById(id: string): Question<Capture> {
  return changing(jsonFrom(Capture, `${pathOf(id)}${isLocalId(id) ? filesOfAddress() : ""}`));
}

/** Several captures in this order, without those that are gone. */
export function capturesById(ids: readonly string[]): Question<readonly Capture[]> {
  return changing({
    key: `captures ${ids.join()}`,
    ask: async (signal) => {
      const answers = await Promise.allSettled(ids.map((id) => captureById(id).ask(signal)));
      const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      const [first] = answers;
      if (found.length === 0 && first?.status === "rejected") throw first.reason;
      return found;
    },
  });
}

/** The files that a link from another browser names. */
function filesOfAddress(): string {
  const files = new URLSearchParams(window.location.search).get(FILES_PARAMETER);
  return files === null ? "" : `?${new URLSearchParams({ [FILES_PARAMETER]: files }).toString()}`;
}

/** The slowest block per column of a capture, as soon as its blocks are joined. */
export function previewOfCapture(id: string): Question<BlockWindow | BinWindow> {
  return columnsFrom(decodeWindow, `${pathOf(id)}/preview`);
}

/** One capture in its current state, for callers that change it. */
export function readCapture(id: string): Promise<Capture> {
  return readJson(Capture, pathOf(id));
}

/** An empty draft that files can be added to, on the place where the analysis runs; it is named by its files. */
export function createCapture(): Promise<Capture> {
  return readJson(Capture, capturesPath(usePlace.getState().place), jsonBody("POST", { draft: true }));
}

/** Creates a capture for each group of a capture's files; a capture with one group stays unchanged. */
export async function partCapture(id: string): Promise<readonly Capture[]> {
  return (await readJson(CaptureParts, `${pathOf(id)}/parts`, jsonBody("POST", {}))).captures;
}

/** Renames a capture. */
export function renameCapture(id: string, name: string): Promise<Capture> {
  return readJson(Capture, pathOf(id), jsonBody("PATCH", { name }));
}

/** Lets all signed-in users open a capture, or only its owner and admins. */
export function shareCapture(id: string, shared: boolean): Promise<Capture> {
  return readJson(Capture, pathOf(id), jsonBody("PATCH", { shared }));
}

/** Moves a capture to the trash, from which it can be restored for a week. */
export async function deleteCapture(id: string): Promise<void> {
  await send(pathOf(id), { method: "DELETE" });
}

/** Restores a capture from the trash. */
export function restoreCapture(id: string): Promise<Capture> {
  return readJson(Capture, `${pathOf(id)}/restore`, { method: "POST" });
}

/** Files of captures that the server's catalogue does not have. */
export const lostCaptures: Question<z.infer<typeof LostCaptures>> = changing(
  jsonFrom(LostCaptures, "/lost-captures"),
);

/** Creates a capture from such files. */
export function restoreLostCapture(id: string): Promise<Capture> {
  return readJson(Capture, `/lost-captures/${encodeURIComponent(id)}/restore`, { method: "POST" });
}

/** Deletes such files permanently. */
export async function deleteLostCapture(id: string): Promise<void> {
  await send(`/lost-captures/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Corrects the role or the replica of a file. */
export async function correctFile(id: string, file: string, correction: FileCorrection): Promise<void> {
  await send(`${pathOf(id)}/files/${encodeURIComponent(file)}`, jsonBody("PATCH", correction));
}

/** Removes a file from a capture. */
export async function removeFile(id: string, file: string): Promise<void> {
  await send(`${pathOf(id)}/files/${encodeURIComponent(file)}`, { method: "DELETE" });
}

/** Starts the analysis; `watchProgress` reports its progress. */
export async function startAnalysis(id: string): Promise<void> {
  await send(`${pathOf(id)}/analysis`, { method: "POST" });
}

/** Stops a running analysis; the files stay. */
export async function cancelAnalysis(id: string): Promise<void> {
  await send(`${pathOf(id)}/analysis`, { method: "DELETE" });
}

/** Creates a capture from one of the server's samples. */
export function openSample(name: string): Promise<Capture> {
  return readJson(Capture, `/samples/${encodeURIComponent(name)}`, { method: "POST" });
}

/** A file to send, with its path in a dropped folder (`SQL2/trace_0.xel`), otherwise its name. */
export interface FileToSend {
  readonly file: File;
  readonly path: string;
  /** Handle by which the browser opens the file again; null where it has none. */
  readonly handle?: FileSystemFileHandle | null;
  /** Bytes of the complete file, of which `file` is the beginning, because it isn't used; absent for a complete file. */
  readonly completeBytes?: number;
}

/**
 * Sends one file. It uses XMLHttpRequest, because only that reports the number of sent bytes. A zip answers with a file
 * per entry. `replaces` is the id of the file that the new one replaces; when it does not fit, the capture stays as it
 * was. Rejects with ProblemError, or with an AbortError when `signal` fires.
 */
export function uploadFile(
  id: string,
  { file, path, handle = null, completeBytes }: FileToSend,
  onBytes: (sent: number) => void,
  signal: AbortSignal,
  replaces?: string,
): Promise<CaptureFile[]> {
  if (isLocalId(id)) {
    return localServer().then((server) =>
      server.upload({ captureId: id, file, path, completeBytes, replaces, handle, onBytes, signal }),
    );
  }
  return new Promise((resolve, reject) => {
    const query = new URLSearchParams({
      name: file.name,
      ...(path === file.name ? {} : { path }),
      ...(completeBytes === undefined ? {} : { completeBytes: String(completeBytes) }),
      ...(replaces === undefined ? {} : { replaces }),
      ...keepSensitiveParameter(),
    });
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.open("POST", `${API}${pathOf(id)}/files?${query.toString()}`);
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
  /** Called with the capture in the message; null where the capture has to be read to learn how the analysis ended. */
  readonly onReady: (analysed: ReadyCapture | null) => void;
  readonly onFailed: (sentence: string) => void;
}

/**
 * Follows a running analysis by server-sent events; returns a function that stops it. The browser reconnects
 * automatically.
 */
export function watchProgress(id: string, listener: ProgressListener): () => void {
  if (isLocalId(id)) return watchHere(id, listener);
  const events = new EventSource(`${API}${pathOf(id)}/progress`);
  events.addEventListener("progress", (event) => {
    const parsed = Progress.safeParse(parseJson(event.data));
    if (parsed.success) listener.onProgress(parsed.data);
  });
  events.addEventListener("ready", (event) => {
    events.close();
    listener.onReady(ReadyCapture.safeParse(parseJson(event.data)).data ?? null);
  });
  events.addEventListener("failed", (event) => {
    events.close();
    const body = parseJson(event.data);
    listener.onFailed(problemOf(500, body).message);
  });
  // The browser reconnects after a broken connection; once it has given up, the capture itself shows how the analysis
  // ended.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) listener.onReady(null);
  });
  return () => events.close();
}

function watchHere(id: string, { onProgress, onReady, onFailed }: ProgressListener): () => void {
  let isOver = false;
  let stop = (): void => {};
  const hear = (news: LocalNews): void => {
    if (news.kind === "progress") onProgress(news.progress);
    else if (news.kind === "ready") onReady(null);
    else onFailed(news.problem.detail);
  };
  void localServer().then((server) => {
    if (!isOver) stop = server.watch(id, hear);
  });
  return () => {
    isOver = true;
    stop();
  };
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return null;
  }
}
