/** Requests of signed-in users, of signing in and out, and of the audit log. */
import { AccessState, AuditPage, type Capture, type Person, SignedOut } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { API, jsonBody, readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** The signed-in user and the ways to sign in; only where the server requires sign-in. */
export function accessState(): Question<AccessState> {
  return changing(jsonFrom(AccessState, "/access"));
}

/** Signs in with an access token; rejects with ProblemError `wrong-token`, whose sentence contains the tries left. */
export function signInByToken(token: string): Promise<AccessState> {
  return readJson(AccessState, "/access/token", jsonBody("POST", { token }));
}

export function signOut(): Promise<SignedOut> {
  return readJson(SignedOut, "/access/session", { method: "DELETE" });
}

/** Address of the directory's sign-in, which returns to an address of the app. */
export function directoryAddress(returnTo: string): string {
  return `${API}/access/directory?returnTo=${encodeURIComponent(returnTo)}`;
}

/**
 * @param before `next` of the page before; null for the newest entries
 * @param words text that one of an entry's fields has
 */
export function auditPage(before: number | null, words: string): Question<AuditPage> {
  const params = new URLSearchParams({ q: words, limit: "20" });
  if (before !== null) params.set("before", String(before));
  return changing(jsonFrom(AuditPage, `/access/audit?${params.toString()}`));
}

/** Address of the same entries as a table. */
export function auditTableAddress(words: string): string {
  return `${API}/access/audit.csv?${new URLSearchParams({ q: words }).toString()}`;
}

/**
 * Whether a user may change a capture; `person` is null on a server without sign-in. The server decides; this hides
 * actions that it would refuse.
 */
export function mayChangeCapture(person: Person | null, { owner }: Pick<Capture, "owner">): boolean {
  if (person === null || person.role === "admin") return true;
  return person.role === "contributor" && owner?.id === person.id;
}

/** Whether a user may upload, analyze and attach; null on a server without sign-in. */
export function mayContribute(person: Person | null): boolean {
  return person === null || person.role === "contributor" || person.role === "admin";
}

/** Whether a user may do tasks that concern the entire server; null on a server without sign-in. */
export function mayAdminister(person: Person | null): boolean {
  return person === null || person.role === "admin";
}
