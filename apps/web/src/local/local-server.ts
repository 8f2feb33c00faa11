/** The local server of a page (`data/local-server.ts`): the engine's work, in threads of the browser. */
import { LOCAL_ID, type LocalAnswer, type LocalRequest, type LocalServer } from "../data/local-server.ts";
import { ProblemError as ShownProblem } from "../data/problem.ts";
import { problem } from "@aglens/engine/problems";
import type { WorkThread } from "./capture-thread.ts";
import { LocalAnalyses } from "./local-analyses.ts";
import { LocalCaptures } from "./local-captures.ts";
import { LocalFiles } from "./local-files.ts";
import { OpenedCaptures } from "./opened-captures.ts";
import { filesOfHandles } from "./files-of-handles.ts";
import { KeptCaptures } from "./kept-captures.ts";
import type { KeptStore } from "./kept-store.ts";
import { localRoutes, type Reply, routeOf } from "./local-routes.ts";
import { problemOfError } from "./problem-of-error.ts";
import { type ReaderThread, Readers } from "./readers.ts";

export interface Threads {
  /** Where captures are kept. */
  readonly store: KeptStore;
  readonly startReader: () => ReaderThread;
  readonly startCapture: () => WorkThread;
}

const MEDIA_TYPES = {
  json: "application/json",
  arrow: "application/vnd.apache.arrow.stream",
  csv: "text/csv",
  // A browser without a server does not write Parquet.
  parquet: "application/vnd.apache.parquet",
  perfetto: "application/x-protobuf",
};

/** Files are closed with the page. @param threads functions that start threads */
export function createLocalServer({ startReader, startCapture, store }: Threads): LocalServer {
  const newId = (): string =>
    crypto.getRandomValues(new Uint32Array(3)).reduce((id, part) => id + part.toString(36), "");
  const now = (): string => new Date().toISOString();
  const readers = new Readers(startReader, navigator.hardwareConcurrency);
  const kept = new KeptCaptures(store, now);
  const means = { readers, startCapture, kept, newId, now };
  const captures = new LocalCaptures(means);
  const analyses = new LocalAnalyses(means, captures);
  const captureFiles = new LocalFiles(means, captures, analyses);
  const opened = new OpenedCaptures(means, captures, analyses);
  const nowMs = (): number => Date.now();
  const routes = localRoutes({ captures, captureFiles, analyses, opened, kept, newId, nowMs });

  const replyTo = async ({ method, path, body, signal }: LocalRequest): Promise<Reply> => {
    const { pathname, searchParams } = new URL(path, "http://local");
    const found = routeOf(routes, method, pathname);
    if (found === null) {
      throw problem("not-found", "This needs a server; the page runs without one.");
    }
    const query = Object.fromEntries(
      [...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))]),
    );
    return found.route.reply({
      parts: found.parts,
      query,
      body: body === null ? {} : (JSON.parse(body) as unknown),
      signal,
    });
  };

  return {
    async ask(request) {
      try {
        return answerOf(await replyTo(request));
      } catch (error) {
        if (isAbort(error)) throw error;
        const document = problemOfError(error);
        return jsonAnswer(document, document.status);
      }
    },
    async upload({ captureId, onBytes, signal, ...file }) {
      try {
        return await captureFiles.receive(captureId, file, onBytes, signal);
      } catch (error) {
        if (isAbort(error)) throw error;
        const { code, status, detail } = problemOfError(error);
        throw new ShownProblem(code, status, detail);
      }
    },
    watch: (captureId, listener) => captures.watch(captureId, listener),
    async openFile(file) {
      try {
        return await opened.openFile(file);
      } catch (error) {
        const { code, status, detail } = problemOfError(error);
        throw new ShownProblem(code, status, detail);
      }
    },
    async openAgain(digest) {
      const found = await kept.find(digest);
      const files = found === null ? [] : await filesOfHandles(found.record.handles);
      const { id, state } = await opened.open(`${LOCAL_ID}${digest}`, null);
      if (state === "ready") captureFiles.giveSources(id, files);
      return { id, files: state === "ready" ? [] : files };
    },
  };
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

const oneOrAll = (values: string[]): string | string[] =>
  values.length === 1 ? (values[0] as string) : values;

function answerOf(reply: Reply): LocalAnswer {
  if (reply === null) return { status: 204, type: "application/json", body: null };
  if ("arrow" in reply) return { status: 200, type: MEDIA_TYPES.arrow, body: ownBytes(reply.arrow) };
  if ("blob" in reply) return { status: 200, type: "application/zip", body: reply.blob };
  if ("answer" in reply) {
    const { type, bytes } = reply.answer;
    return { status: 200, type: MEDIA_TYPES[type], body: ownBytes(bytes) };
  }
  return jsonAnswer(reply.json, reply.status ?? 200);
}

const jsonAnswer = (value: unknown, status: number): LocalAnswer => ({
  status,
  type: "application/json",
  body: new TextEncoder().encode(JSON.stringify(value)),
});

/** Memory of the page, which a response may use. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
