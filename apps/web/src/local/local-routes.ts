/**
 * Requests to the API, answered by the captures of this browser: the routes of a server that are useful without one.
 */
import { CaptureChange, FileCorrection, NewCapture, NewNote, NoteText } from "@aglens/contract";
import type { Note } from "@aglens/contract";
import { QUESTION_ROUTES } from "@aglens/engine/answers";
import type { Answer } from "@aglens/engine/answers";
import {
  addNote,
  deleteNote,
  restoreNote,
  rewriteNote,
  shownNotes,
  type ChangedNotes,
  type KeptNote,
} from "@aglens/engine/notes";
import { problem } from "@aglens/engine/problems";
import { filesOfText, filesText } from "../data/files-of-link.ts";
import type { KeptList } from "../data/kept-client.ts";
import { captureDigest, filesOfDigest } from "./capture-digest.ts";
import { hasRightTables, type KeptCaptures } from "./kept-captures.ts";
import type { LocalAnalyses } from "./local-analyses.ts";
import type { LocalCaptures } from "./local-captures.ts";
import type { LocalFiles } from "./local-files.ts";
import type { OpenedCaptures } from "./opened-captures.ts";

/**
 * Parts of a request: the parameters of its path, its query with a list where a parameter is repeated, and its body.
 */
interface PageInput {
  readonly parts: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly body: unknown;
  readonly signal: AbortSignal | null;
}

/** Columns, JSON to write down, or null for an answer without a body. */
export type Reply =
  | { readonly json: unknown; readonly status?: number }
  | { readonly answer: Answer }
  | { readonly arrow: Uint8Array }
  | { readonly blob: Blob }
  | null;

interface Route {
  readonly method: string;
  /** `:name` for a parameter. */
  readonly path: string;
  readonly reply: (given: PageInput) => Reply | Promise<Reply>;
}

const json = (value: unknown, status = 200): Reply => ({ json: value, status });

/** Objects that answer the requests. */
export interface LocalParts {
  readonly captures: LocalCaptures;
  readonly captureFiles: LocalFiles;
  readonly analyses: LocalAnalyses;
  readonly opened: OpenedCaptures;
  readonly kept: KeptCaptures;
  readonly newId: () => string;
  /** ms since 1970. */
  readonly nowMs: () => number;
}

/** The routes that the captures of this browser answer. */
export function localRoutes(parts: LocalParts): Route[] {
  const { captures, captureFiles, analyses, opened, kept } = parts;
  const on = (method: string, path: string, reply: Route["reply"]): Route => ({ method, path, reply });
  return [
    on("GET", "/local-captures", ({ query }) =>
      json(captures.list(Number(query["limit"] ?? 50), query["empty"] === "false" ? 1 : 0)),
    ),
    on("POST", "/local-captures", ({ body }) => json(captures.create(NewCapture.parse(body).name), 201)),
    on("GET", "/captures/:id", async ({ parts: { id = "" }, query: { files } }) =>
      json(await opened.open(id, typeof files === "string" ? filesOfText(files) : null)),
    ),
    on("GET", "/captures/:id/expected", ({ parts: { id = "" } }) =>
      json({ files: captureFiles.expectedFiles(id) }),
    ),
    on("GET", "/captures/:id/aglens-file", async ({ parts: { id = "" }, query, signal }) => ({
      blob: await opened.save(
        id,
        { withFiles: query["files"] === "true", replacesNames: query["names"] === "replaced" },
        signal,
      ),
    })),
    on("GET", "/captures/:id/file-link", ({ parts: { id = "" } }) => {
      const { files } = captures.get(id);
      const named = filesOfDigest(files);
      // A file without a content would be any file.
      if (named.some(({ sha256 }) => sha256 === "")) throw unknownContent();
      return json({ digest: captureDigest(files), files: filesText(named) });
    }),
    on("GET", "/local-captures/kept", async () => json(await keptList(kept))),
    on("DELETE", "/local-captures/kept", async () => (await kept.forgetAll(), null)),
    on(
      "DELETE",
      "/local-captures/kept/:digest",
      async ({ parts: { digest = "" } }) => (await kept.forget(digest), null),
    ),
    on("PATCH", "/captures/:id", ({ parts: { id = "" }, body }) => {
      const { name } = CaptureChange.parse(body);
      return json(name === undefined ? captures.get(id) : captures.rename(id, name));
    }),
    on("DELETE", "/captures/:id", ({ parts: { id = "" } }) => (captures.remove(id), null)),
    on("POST", "/captures/:id/restore", ({ parts: { id = "" } }) => json(captures.restore(id))),
    on("POST", "/captures/:id/parts", ({ parts: { id = "" } }) => json({ captures: captureFiles.split(id) })),
    on("PATCH", "/captures/:id/files/:file", ({ parts: { id = "", file = "" }, body }) =>
      json(captureFiles.correct(id, file, FileCorrection.parse(body))),
    ),
    on(
      "DELETE",
      "/captures/:id/files/:file",
      ({ parts: { id = "", file = "" } }) => (captureFiles.removeFile(id, file), null),
    ),
    on("POST", "/captures/:id/analysis", async ({ parts: { id = "" } }) =>
      json(await analyses.analyse(id), 202),
    ),
    on("DELETE", "/captures/:id/analysis", ({ parts: { id = "" } }) => json(analyses.cancel(id))),
    on("GET", "/captures/:id/preview", ({ parts: { id = "" } }) => ({ arrow: analyses.preview(id) })),
    on("GET", "/captures/:id/summary", ({ parts: { id = "" } }) => json(analyses.summary(id))),
    ...QUESTION_ROUTES.map(({ path, question }) =>
      on("GET", `/captures/:id/${path}`, async ({ parts, query, signal }) => ({
        answer: await analyses.ask(parts["id"] ?? "", question(parts, query), signal),
      })),
    ),
    ...noteRoutes(parts),
    // Empty answers for features that only a server has, for pages that request them.
    on("GET", "/captures/:id/links", () => json({ links: [] })),
    on("GET", "/uploads", () => json({ uploads: [] })),
    on("GET", "/lost-captures", () => json({ captures: [] })),
  ];
}

function noteRoutes({ captures, newId, nowMs }: LocalParts): Route[] {
  const change = (id: string, changed: (notes: readonly KeptNote[]) => ChangedNotes): Note => {
    const { notes, note } = changed(captures.notes(id));
    captures.keepNotes(id, notes);
    return note;
  };
  return [
    {
      method: "GET",
      path: "/captures/:id/notes",
      reply: ({ parts: { id = "" } }) => json({ notes: shownNotes(captures.notes(id)) }),
    },
    {
      method: "POST",
      path: "/captures/:id/notes",
      reply: ({ parts: { id = "" }, body }) => {
        const wanted = NewNote.parse(body);
        return json(
          change(id, (notes) => addNote(notes, wanted, newId(), nowMs())),
          201,
        );
      },
    },
    {
      method: "PATCH",
      path: "/captures/:id/notes/:note",
      reply: ({ parts: { id = "", note = "" }, body }) => {
        const { text } = NoteText.parse(body);
        return json(change(id, (notes) => rewriteNote(notes, note, text, nowMs())));
      },
    },
    {
      method: "DELETE",
      path: "/captures/:id/notes/:note",
      reply: ({ parts: { id = "", note = "" } }) => {
        change(id, (notes) => deleteNote(notes, note, nowMs()));
        return null;
      },
    },
    {
      method: "POST",
      path: "/captures/:id/notes/:note/restore",
      reply: ({ parts: { id = "", note = "" } }) =>
        json(change(id, (notes) => restoreNote(notes, note, nowMs()))),
    },
  ];
}

async function keptList(kept: KeptCaptures): Promise<KeptList> {
  const records = await kept.list();
  return {
    captures: records.map(({ digest, id, name, created, used, files, analysed, format, bytes, handles }) => ({
      digest,
      id,
      name,
      created,
      used,
      files: files.length,
      size: files.reduce((sum, { size }) => sum + size, 0),
      verdict: analysed.verdict,
      severity: analysed.severity,
      place: analysed.place,
      bytes,
      hasTables: hasRightTables({ format, files }),
      hasHandles: handles.length > 0,
    })),
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    mostBytes: kept.bounds.bytes,
    isRefused: kept.isRefused,
  };
}

const unknownContent = (): Error =>
  problem(
    "wrong-state",
    "This capture was saved before contents of files were recorded, so no link can name its files. Send the capture itself (.aglens) instead.",
  );

/** The route of a request with the parts of its path; null for an address without a route. */
export function routeOf(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { readonly route: Route; readonly parts: Record<string, string> } | null {
  for (const route of routes) {
    if (route.method !== method) continue;
    const parts = partsOf(route.path, pathname);
    if (parts !== null) return { route, parts };
  }
  return null;
}

function partsOf(pattern: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), pathname.split("/")];
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, name] of wanted.entries()) {
    const part = decodeURIComponent(given[index] ?? "");
    if (name.startsWith(":")) parts[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return parts;
}
