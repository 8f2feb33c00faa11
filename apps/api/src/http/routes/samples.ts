import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { Capture } from "@aglens/contract";
import type { FileToAnalyse } from "../../captures/analysis/analyse.ts";
import type { Captures } from "../../captures/captures.ts";
import type { Analyser } from "../../captures/analysis/analyser.ts";
import { PREVIEW_FILE } from "@aglens/engine/analysis";
import { ownerOf } from "../guard.ts";
import { Samples } from "./answer-shapes.ts";
import { ARROW } from "../media.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { problem } from "@aglens/engine/problems";

/** Ready-made captures to look at before having one's own. */
export function sampleRoutes(captures: Captures, analyser: Analyser, directory: string): Route[] {
  const previews = new Map<string, Promise<Uint8Array>>();
  // Only a name that the listing has ever becomes part of a path.
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
      method: "get",
      path: "/samples/:name/preview",
      says: "A sample capture in bins",
      needs: "viewer",
      answer: "arrow",
      handle: async ({ params: { name }, response }) => {
        await expectSample(name);
        // A sample never changes, so its picture is made once.
        const preview = previews.get(name) ?? previewOf(join(directory, name), analyser);
        previews.set(name, preview);
        preview.catch(() => previews.delete(name));
        response.type(ARROW).send(Buffer.from(await preview));
      },
    }),
    route({
      method: "post",
      path: "/samples/:name",
      says: "Make a capture of a sample and analyse it",
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

/** Picture of a sample, straight from its files: the folder a file lies in says whose it is. */
async function previewOf(folder: string, analyser: Analyser): Promise<Uint8Array> {
  const paths = (await sampleFiles(folder)).filter((path) => path.endsWith(".xel"));
  const files = paths.map(async (path, index): Promise<FileToAnalyse> => {
    const replica = basename(dirname(path));
    const role = replica === "primary" ? "primary" : "secondary";
    const { size } = await stat(path);
    return { id: String(index), name: basename(path), size, role, replica, path, from: null };
  });
  const request = { files: await Promise.all(files), topologies: [] };
  const preview = (await analyser.analyse(request, { onProgress: () => {} }).done).files[PREVIEW_FILE];
  if (preview === undefined) throw new Error("The analysis of a sample made no preview.");
  return preview;
}

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
