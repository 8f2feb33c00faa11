/**
 * Answers requests in the browser itself, in place of a server: files that are read there never leave the computer. It
 * is registered here (`provideLocalServer`) and used by `request.ts` and the clients next to it, so that screens are
 * independent of it.
 */
import type { Capture, CaptureFile, Problem, Progress } from "@aglens/contract";

/** An answer as a server sends it. */
export interface LocalAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer> | Blob | null;
}

export interface LocalRequest {
  readonly method: string;
  /** Below the API's own path, with its query. */
  readonly path: string;
  /** JSON text; null without one. */
  readonly body: string | null;
  readonly signal: AbortSignal | null;
}

/** A file that is read. */
export interface LocalUpload {
  readonly captureId: string;
  readonly file: File;
  /** Where it lay in a dropped folder, with its name. */
  readonly path: string;
  /** Bytes of the complete file, of which `file` is the beginning; absent for a complete file. */
  readonly completeBytes?: number | undefined;
  /** Id of the file that it replaces. */
  readonly replaces: string | undefined;
  /** Handle by which the browser opens the file again; null in browsers without handles. */
  readonly handle: FileSystemFileHandle | null;
  readonly onBytes: (read: number) => void;
  readonly signal: AbortSignal;
}

export type LocalNews =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly problem: Problem };

export interface LocalServer {
  /**
   * Never rejects for a request that a server would refuse: the refusal is an answer. Rejects with an AbortError when
   * the signal fires.
   */
  ask(request: LocalRequest): Promise<LocalAnswer>;
  /** Rejects with ProblemError, or with an AbortError when the signal fires. */
  upload(upload: LocalUpload): Promise<CaptureFile[]>;
  /** Opens an `.aglens` file as a new capture. Rejects with ProblemError. */
  openFile(file: File): Promise<Capture>;
  /**
   * Opens a capture that is kept, with the files that the browser can open again; it may ask the user, and has to be called while a
   * click is handled. @returns its id, and files that have to be read before it can be analyzed
   */
  openAgain(digest: string): Promise<{ readonly id: string; readonly files: readonly File[] }>;
  /** Calls back until the returned function is called. */
  watch(captureId: string, listener: (news: LocalNews) => void): () => void;
}

let load: () => Promise<LocalServer> = () =>
  Promise.reject(new Error("No local server was given to this page."));

/** Registers the loader of the local server, which is loaded on its first use. */
export function provideLocalServer(loader: () => Promise<LocalServer>): void {
  let loading: Promise<LocalServer> | null = null;
  load = () => (loading ??= loader());
}

export const localServer = (): Promise<LocalServer> => load();

/** Ids of captures that are read in the browser begin with it. */
export const LOCAL_ID = "local-";

/** Whether a capture is in this browser and on no server. */
export const isLocalId = (id: string): boolean => id.startsWith(LOCAL_ID);
