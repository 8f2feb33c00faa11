/** The list of all captures, and actions on several of them at once. */
import { LibraryPage } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { jsonBody, send } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** Lines of one page. */
export const LIBRARY_PAGE = 100;

/** @param query view, facets, words and order as the API expects them */
export function libraryPage(query: URLSearchParams, offset: number): Question<LibraryPage> {
  const params = new URLSearchParams(query);
  params.set("offset", String(offset));
  params.set("limit", String(LIBRARY_PAGE));
  return changing(jsonFrom(LibraryPage, `/library?${params.toString()}`));
}

/** Keeps a capture permanently, or for this server's number of days from now on. */
export async function keepCapture(id: string, kept: boolean): Promise<void> {
  await send(`/captures/${encodeURIComponent(id)}`, jsonBody("PATCH", { kept }));
}

/** Deletes a capture with its files and links permanently. */
export async function deleteCapturePermanently(id: string): Promise<void> {
  await send(`/captures/${encodeURIComponent(id)}?forGood=true`, { method: "DELETE" });
}
