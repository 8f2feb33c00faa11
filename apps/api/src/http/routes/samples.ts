import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { Capture } from "@aglens/contract";
import type { Captures } from "../../captures/captures.ts";
import { ownerOf } from "../guard.ts";
import { Samples } from "./answer-shapes.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { problem } from "@aglens/engine/problems";

/** Ready-made captures to look at before having one's own. */
export function sampleRoutes(captures: Captures, directory: string): Route[] {
  // Only a name from the list of samples ever becomes part of a path.
  const expectSample = async (name: string): Promise<void> => {
    if (!(await sampleNames(directory)).includes(name)) throw noSuchSample();
  };
  return [
    route({
      method: "get",
      path: "/samples",
      says: "Names of the sample captures",
      needs: "viewer",
      answer: Samples,
      handle: async () => ({ samples: await sampleNames(directory) }),
    }),
    route({
      method: "post",
      path: "/samples/:name",
      says: "Make a capture of a sample and analyze it",
      needs: "contributor",
      status: 201,
      answer: Capture,
      handle: async ({ params: { name }, response }) => {
        await expectSample(name);
        const { id } = await captures.create(`Sample: ${name.replaceAll("-", " ")}`, ownerOf(response));
        for (const path of await sampleFiles(join(directory, name))) {
          await captures.files.receive(id, relative(directory, path), createReadStream(path));
        }
        response.location(`/api/v1/captures/${id}`);
        return captures.analyses.start(id);
      },
    }),
  ];
}

const noSuchSample = (): Error => problem("sample-not-found", "There is no such sample capture.");

async function sampleNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function sampleFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:xel|xml)$/iu.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
