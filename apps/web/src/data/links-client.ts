/** Links: what one opens, and those that were made. */
import { Link, LinkList, OpenedLink, type NewLink, type z } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { jsonBody, readJson, send } from "./request.ts";
import type { Question } from "./use-answer.ts";

const pathOf = (id: string): string => `/links/${encodeURIComponent(id)}`;

/** What a link opens; nothing of it while it asks for a passphrase. */
export function openedLink(id: string): Question<OpenedLink> {
  return changing(jsonFrom(OpenedLink, pathOf(id)));
}

/** Gives the passphrase; rejects with ProblemError `wrong-passphrase`, whose sentence has the tries left. */
export async function unlockLink(id: string, passphrase: string): Promise<void> {
  await send(`${pathOf(id)}/passphrase`, jsonBody("POST", { passphrase }));
}

/** Links of a capture with their opens, newest first. */
export function linksOfCapture(captureId: string): Question<z.infer<typeof LinkList>> {
  return changing(jsonFrom(LinkList, `/captures/${encodeURIComponent(captureId)}/links`));
}

/** Makes a link; where nobody signs in its `deleteToken` comes only in this answer. */
export function createLink(link: z.input<typeof NewLink>): Promise<Link> {
  return readJson(Link, "/links", jsonBody("POST", link));
}

/** Where nobody signs in, only who made it has the token. */
const bearer = (deleteToken: string | null): Record<string, string> =>
  deleteToken === null ? {} : { authorization: `Bearer ${deleteToken}` };

/** Takes a link back: it opens nothing any more. */
export async function takeBackLink(id: string, deleteToken: string | null): Promise<void> {
  await send(pathOf(id), { method: "DELETE", headers: bearer(deleteToken) });
}

/** Lets a link open for so many days from now, also one that has expired; null for good. */
export function renewLink(
  id: string,
  expiresInDays: z.input<typeof NewLink>["expiresInDays"],
  deleteToken: string | null,
): Promise<Link> {
  const headers = { "content-type": "application/json", ...bearer(deleteToken) };
  return readJson(Link, pathOf(id), { method: "PATCH", headers, body: JSON.stringify({ expiresInDays }) });
}
