/** A page of a browser that reads files itself, with threads that a test can look at. */
import { File as NodeFile } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Capture } from "@aglens/contract";
import type { CaptureFile } from "@aglens/contract";
import type { LocalNews, LocalServer } from "../src/data/local-server.ts";
import type { KeptRecord, KeptStore, KeptTables } from "../src/local/kept-store.ts";
import { createLocalServer } from "../src/local/local-server.ts";
import type { FromCapture, FromReader, ToCapture, ToReader } from "../src/local/messages.ts";
import { serveCapture } from "../src/local/serve-capture.ts";
import { serveReader } from "../src/local/serve-reader.ts";
import { threadHere, type ThreadHere } from "./thread-here.ts";

const CAPTURES = new URL("../../../fixtures/captures/", import.meta.url);

export interface PageInput {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function committed(capture: string): PageInput[] {
  const folder = new URL(`${capture}/`, CAPTURES);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".xel") || path.endsWith(".xml"))
    .sort()
    .map((path) => ({ path, bytes: new Uint8Array(readFileSync(new URL(path, folder))) }));
}

/** A browser's store that lasts as long as the test. */
export interface StoreHere extends KeptStore {
  readonly kept: Map<string, KeptRecord>;
  readonly keptTables: Map<string, KeptTables>;
}

export function storeHere(): StoreHere {
  const kept = new Map<string, KeptRecord>();
  const keptTables = new Map<string, KeptTables>();
  return {
    kept,
    keptTables,
    records: () => Promise.resolve([...kept.values()]),
    tables: (digest) => Promise.resolve(keptTables.get(digest) ?? null),
    put: (record, tables) => {
      kept.set(record.digest, record);
      if (tables !== null) keptTables.set(record.digest, tables);
      return Promise.resolve();
    },
    removeTables: (digest) => Promise.resolve(void keptTables.delete(digest)),
    remove: (digest) => {
      kept.delete(digest);
      keptTables.delete(digest);
      return Promise.resolve();
    },
  };
}

/** @param store data that the browser kept from earlier pages */
export function localPage(
  store: KeptStore = storeHere(),
  serveFiles = serveReader,
): {
  server: LocalServer;
  readers: ThreadHere<ToReader, FromReader>[];
  captures: ThreadHere<ToCapture, FromCapture>[];
  json: (method: string, path: string, body?: unknown) => Promise<{ status: number; value: unknown }>;
} {
  const captures: ThreadHere<ToCapture, FromCapture>[] = [];
  const readers: ThreadHere<ToReader, FromReader>[] = [];
  const server = createLocalServer({
    store,
    startReader: () => {
      const thread = threadHere(serveFiles);
      readers.push(thread);
      return thread;
    },
    startCapture: () => {
      const thread = threadHere(serveCapture);
      captures.push(thread);
      return thread;
    },
  });
  const json = async (method: string, path: string, body?: unknown) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await server.ask({ method, path, body: text, signal: null });
    const value =
      answer.body === null ? null : (JSON.parse(await new Response(answer.body).text()) as unknown);
    return { status: answer.status, value };
  };
  return { server, readers, captures, json };
}

export type Page = ReturnType<typeof localPage>;

/** @returns the id of a new capture */
export const create = async ({ json }: Page): Promise<string> =>
  Capture.parse((await json("POST", "/local-captures", {})).value).id;

/** Adds a file to a capture. */
export const add = (
  { server }: Page,
  captureId: string,
  { path, bytes }: PageInput,
  replaces?: string,
): Promise<CaptureFile[]> =>
  server.upload({
    captureId,
    // A thread gets a copy, which the files of a component test's document can't be.
    file: new NodeFile([bytes], basename(path)) as unknown as File,
    path,
    replaces,
    handle: null,
    onBytes: () => {},
    signal: new AbortController().signal,
  });

/** The end of a capture's analysis. */
export const ended = ({ server }: Page, id: string): Promise<LocalNews> =>
  new Promise((resolve) => {
    server.watch(id, (news) => {
      if (news.kind !== "progress") resolve(news);
    });
  });

/** @returns the id of a capture of these files that is analyzed */
export async function analysed(opened: Page, files: readonly PageInput[]): Promise<string> {
  const id = await create(opened);
  for (const file of files) await add(opened, id, file);
  await opened.json("POST", `/captures/${id}/analysis`);
  const end = await ended(opened, id);
  if (end.kind !== "ready") throw new Error(`The analysis ended as ${end.kind}.`);
  return id;
}
