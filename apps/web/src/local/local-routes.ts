/** Requests to the API, answered by the captures of this browser: the routes of a server that make sense without one. */
import { CaptureChange, FileCorrection, NewCapture, NewNote, NoteText } from "@aglens/contract";
import type { Note } from "@aglens/contract";
import { QUESTION_ROUTES } from "@aglens/engine/answers";
import type { Answer } from "@aglens/engine/answers";
import { problem } from "@aglens/engine/problems";
import type { LocalCaptures } from "./local-captures.ts";

/** Of a request: what its path holds, its query with a list where a parameter is repeated, and its body. */
interface Given {
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
  | null;

interface Route {
  readonly method: string;
  /** `:name` for a part that is given. */
  readonly path: string;
  readonly reply: (given: Given) => Reply | Promise<Reply>;
}

const json = (value: unknown, status = 200): Reply => ({ json: value, status });

/** @param captures of this browser @param newId makes an id @param now UTC, ISO 8601 */
export function localRoutes(captures: LocalCaptures, newId: () => string, now: () => string): Route[] {
  const on = (method: string, path: string, reply: Route["reply"]): Route => ({ method, path, reply });
  return [
    on("GET", "/local-captures", ({ query }) =>
      json(captures.list(Number(query["limit"] ?? 50), query["empty"] === "false" ? 1 : 0)),
    ),
    on("POST", "/local-captures", ({ body }) => json(captures.create(NewCapture.parse(body).name), 201)),
    on("GET", "/captures/:id", ({ parts: { id = "" } }) => json(captures.get(id))),
    on("PATCH", "/captures/:id", ({ parts: { id = "" }, body }) => {
      const { name } = CaptureChange.parse(body);
      return json(name === undefined ? captures.get(id) : captures.rename(id, name));
    }),
    on("DELETE", "/captures/:id", ({ parts: { id = "" } }) => (captures.remove(id), null)),
    on("POST", "/captures/:id/restore", ({ parts: { id = "" } }) => json(captures.restore(id))),
    on("POST", "/captures/:id/parts", ({ parts: { id = "" } }) => json({ captures: captures.split(id) })),
    on("PATCH", "/captures/:id/files/:file", ({ parts: { id = "", file = "" }, body }) =>
      json(captures.correct(id, file, FileCorrection.parse(body))),
    ),
    on(
      "DELETE",
      "/captures/:id/files/:file",
      ({ parts: { id = "", file = "" } }) => (captures.removeFile(id, file), null),
    ),
    on("POST", "/captures/:id/analysis", async ({ parts: { id = "" } }) =>
      json(await captures.analyse(id), 202),
    ),
    on("DELETE", "/captures/:id/analysis", ({ parts: { id = "" } }) => json(captures.cancel(id))),
    on("GET", "/captures/:id/preview", ({ parts: { id = "" } }) => ({ arrow: captures.preview(id) })),
    on("GET", "/captures/:id/summary", ({ parts: { id = "" } }) => json(captures.summary(id))),
    ...QUESTION_ROUTES.map(({ path, question }) =>
      on("GET", `/captures/:id/${path}`, async ({ parts, query, signal }) => ({
        answer: await captures.ask(parts["id"] ?? "", question(parts, query), signal),
      })),
    ),
    ...noteRoutes(captures, newId, now),
    // What only a server has, for pages that ask for it.
    on("GET", "/captures/:id/links", () => json({ links: [] })),
    on("GET", "/uploads", () => json({ uploads: [] })),
    on("GET", "/lost-captures", () => json({ captures: [] })),
  ];
}

function noteRoutes(captures: LocalCaptures, newId: () => string, now: () => string): Route[] {
  const deleted = new Map<string, Note>();
  const noSuchNote = (): Error => problem("note-not-found", "The capture has no such note.");
  const noteOf = (id: string, note: string): Note => {
    const found = captures.notes(id).find((one) => one.id === note);
    if (found === undefined) throw noSuchNote();
    return found;
  };
  return [
    {
      method: "GET",
      path: "/captures/:id/notes",
      reply: ({ parts: { id = "" } }) => json({ notes: captures.notes(id).toSorted(byInstant) }),
    },
    {
      method: "POST",
      path: "/captures/:id/notes",
      reply: ({ parts: { id = "" }, body }) => {
        const note: Note = { ...NewNote.parse(body), id: newId(), written: now() };
        captures.changeNotes(id, (notes) => [...notes, note]);
        return json(note, 201);
      },
    },
    {
      method: "PATCH",
      path: "/captures/:id/notes/:note",
      reply: ({ parts: { id = "", note = "" }, body }) => {
        const changed = { ...noteOf(id, note), text: NoteText.parse(body).text, written: now() };
        captures.changeNotes(id, (notes) => notes.map((one) => (one.id === note ? changed : one)));
        return json(changed);
      },
    },
    {
      method: "DELETE",
      path: "/captures/:id/notes/:note",
      reply: ({ parts: { id = "", note = "" } }) => {
        deleted.set(note, noteOf(id, note));
        captures.changeNotes(id, (notes) => notes.filter((one) => one.id !== note));
        return null;
      },
    },
    {
      method: "POST",
      path: "/captures/:id/notes/:note/restore",
      reply: ({ parts: { id = "", note = "" } }) => {
        const restored = deleted.get(note);
        if (restored === undefined) throw noSuchNote();
        captures.changeNotes(id, (notes) => [...notes.filter((one) => one.id !== note), restored]);
        return json(restored);
      },
    },
  ];
}

const byInstant = (a: Note, b: Note): number =>
  a.fromTicks.length - b.fromTicks.length || (a.fromTicks < b.fromTicks ? -1 : 1);

/** The route of a request with the parts of its path; null for an address that nobody answers. */
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
