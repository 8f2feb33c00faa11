import type { z } from "zod";
import { withBasePath } from "../base-path.ts";
import { BROWSER_HEADER, browserName } from "./browser-name.ts";
import { localServer } from "./local-server.ts";
import { isAnsweredHere } from "./place.ts";
import { ProblemError, problemOf } from "./problem.ts";

export const API = withBasePath("/api/v1");

/** Answers to requests that no caller has sent yet, arrived or pending, by path. */
const ahead = new Map<string, Promise<Response>>();

/** After this time the answer may have changed on the server, ms. */
const AHEAD_MS = 2_000;

/** Sends a request ahead of its caller: the first caller within two seconds gets its answer. */
export function askAhead(path: string): void {
  if (isAnsweredHere(path) || ahead.has(path)) return;
  const sent = fetch(`${API}${path}`, named({}));
  // The caller that uses the answer gets the error.
  sent.catch(() => {});
  keepAhead(path, sent);
}

/** Keeps an answer that the server sent unasked, for a caller within two seconds. */
export function tellAhead(path: string, answer: unknown): void {
  keepAhead(path, Promise.resolve(Response.json(answer)));
}

function keepAhead(path: string, sent: Promise<Response>): void {
  ahead.set(path, sent);
  setTimeout(() => {
    if (ahead.get(path) === sent) ahead.delete(path);
  }, AHEAD_MS);
}

function takeAhead(path: string, { method = "GET" }: RequestInit): Promise<Response> | undefined {
  const sent = method === "GET" ? ahead.get(path) : undefined;
  ahead.delete(path);
  return sent;
}

/** A request to the API; rejects with ProblemError when it is refused. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = isAnsweredHere(path)
    ? await askHere(path, init)
    : await (takeAhead(path, init) ?? fetch(`${API}${path}`, named(init)));
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const problem = problemOf(response.status, body);
  if (problem.code === "sign-in-needed") reportSignedOut();
  throw problem;
}

/** The request with the name of this browser. */
function named(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(BROWSER_HEADER, browserName());
  return { ...init, headers };
}

/** The same, answered in this browser. */
async function askHere(
  path: string,
  { method = "GET", body, signal = null }: RequestInit,
): Promise<Response> {
  const server = await localServer();
  const text = typeof body === "string" ? body : null;
  const { status, type, body: bytes } = await server.ask({ method, path, body: text, signal });
  return new Response(bytes, { status, headers: { "content-type": type } });
}

/** A validated JSON answer. Rejects with ProblemError `answer` when it does not have the requested shape. */
export async function readJson<T extends z.ZodType>(
  schema: T,
  path: string,
  init: RequestInit = {},
): Promise<z.infer<T>> {
  const response = await send(path, init);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw unreadable(response.status);
  return parsed.data;
}

/** An Arrow answer, decoded. Rejects with ProblemError `answer` when it cannot be. */
export async function readColumns<T>(
  decode: (bytes: Uint8Array) => T,
  path: string,
  init: RequestInit = {},
): Promise<T> {
  const response = await send(path, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  try {
    return decode(bytes);
  } catch {
    throw unreadable(response.status);
  }
}

/** The server and this page may have different versions, or a proxy between them answered. */
function unreadable(status: number): ProblemError {
  return new ProblemError(
    "answer",
    status,
    "The server's answer cannot be read by this page. Load the page again; if that does not help, look in the server's log.",
  );
}

/** Options of a request with a JSON body. */
export function jsonBody(method: string, body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** The first answer of the server that a session has ended is reported here. */
type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls when the server answered that no user is signed in (any more). @returns ends it */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportSignedOut(): void {
  for (const listener of listeners) listener();
}
