/** Who is signed in, signing in and out, and the record of who did what. */
import { AccessState, AuditPage, type Capture, type Person, SignedOut } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { API, jsonBody, readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** Who is signed in and how one can; only where the server asks people to sign in. */
export function accessState(): Question<AccessState> {
  return changing(jsonFrom(AccessState, "/access"));
}

/** Signs in with an access token; rejects with ProblemError `wrong-token`, whose sentence has the tries left. */
export function signInByToken(token: string): Promise<AccessState> {
  return readJson(AccessState, "/access/token", jsonBody("POST", { token }));
}

export function signOut(): Promise<SignedOut> {
  return readJson(SignedOut, "/access/session", { method: "DELETE" });
}

/** Where the browser has to go to sign in by the directory and come back to an address of the app. */
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

/** Where the browser gets the same as a table. */
export function auditTableAddress(words: string): string {
  return `${API}/access/audit.csv?${new URLSearchParams({ q: words }).toString()}`;
}

/** Whether somebody may change a capture; null is a server where nobody signs in. The server decides, this hides what it would refuse. */
export function mayChangeCapture(person: Person | null, { owner }: Pick<Capture, "owner">): boolean {
  if (person === null || person.role === "admin") return true;
  return person.role === "contributor" && owner?.id === person.id;
}

/** Whether somebody may upload, analyze and attach; null is a server where nobody signs in. */
export function mayContribute(person: Person | null): boolean {
  return person === null || person.role === "contributor" || person.role === "admin";
}

/** Whether somebody may do what concerns the server as a whole; null is a server where nobody signs in. */
export function mayAdminister(person: Person | null): boolean {
  return person === null || person.role === "admin";
}
