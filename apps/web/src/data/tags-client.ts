/** Tags of captures: those of a capture, all existing ones, and how they are added and removed. */
import { Capture, LibraryPage, z } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import { jsonBody, readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

const pathOf = (id: string): string => `/captures/${encodeURIComponent(id)}`;
const Tagged = Capture.pick({ tags: true });

/** Tags of each of some captures, in their order. */
export function tagsOf(ids: readonly string[]): Question<readonly (readonly string[])[]> {
  return changing({
    key: `tags of ${ids.join()}`,
    ask: (signal) =>
      Promise.all(ids.map(async (id) => (await readJson(Tagged, pathOf(id), { signal })).tags ?? [])),
  });
}

const Facets = z.object({ facets: LibraryPage.shape.facets.pick({ tag: true }) });

/** Every tag that a capture has which one may see, the one that most have first. */
export const knownTags = changing(jsonFrom(Facets, "/library?limit=1"));

/** Adds a tag to a capture. */
export async function addTag(id: string, tag: string): Promise<void> {
  await readJson(Tagged, `${pathOf(id)}/tags`, jsonBody("POST", { tag }));
}

/** Removes a tag from a capture. */
export async function removeTag(id: string, tag: string): Promise<void> {
  await readJson(Tagged, `${pathOf(id)}/tags/${encodeURIComponent(tag)}`, { method: "DELETE" });
}
