/** Links: the capture that a link opens, and the list of links. */
import { Link, LinkList, OpenedLink, type NewLink, type z } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { jsonBody, readJson, send } from "./request.ts";
import type { Question } from "./use-answer.ts";

const pathOf = (id: string): string => `/links/${encodeURIComponent(id)}`;

/** The capture that a link opens; without contents while the link requires a passphrase. */
export function openedLink(id: string): Question<OpenedLink> {
  return changing(jsonFrom(OpenedLink, pathOf(id)));
}

/** Sends the passphrase; rejects with ProblemError `wrong-passphrase`, whose sentence contains the tries left. */
export async function unlockLink(id: string, passphrase: string): Promise<void> {
  await send(`${pathOf(id)}/passphrase`, jsonBody("POST", { passphrase }));
}

/** Links of a capture with their opens, newest first. */
export function linksOfCapture(captureId: string): Question<z.infer<typeof LinkList>> {
  return changing(jsonFrom(LinkList, `/captures/${encodeURIComponent(captureId)}/links`));
}

/** Creates a link; on a server without sign-in only this answer contains its `deleteToken`. */
export function createLink(link: z.input<typeof NewLink>): Promise<Link> {
  return readJson(Link, "/links", jsonBody("POST", link));
}

/** On a server without sign-in only the creator has the token. */
const bearer = (deleteToken: string | null): Record<string, string> =>
  deleteToken === null ? {} : { authorization: `Bearer ${deleteToken}` };

/** Revokes a link: it opens nothing any more. */
export async function revokeLink(id: string, deleteToken: string | null): Promise<void> {
  await send(pathOf(id), { method: "DELETE", headers: bearer(deleteToken) });
}

/** Lets a link open for so many days from now, also one that has expired; null means without an end. */
export function renewLink(
  id: string,
  expiresInDays: z.input<typeof NewLink>["expiresInDays"],
  deleteToken: string | null,
): Promise<Link> {
  const headers = { "content-type": "application/json", ...bearer(deleteToken) };
  return readJson(Link, pathOf(id), { method: "PATCH", headers, body: JSON.stringify({ expiresInDays }) });
}
