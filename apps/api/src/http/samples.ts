import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Router } from "express";
import type { Captures } from "../captures/captures.ts";
import { problem } from "./problem.ts";

/** Ready-made captures to look at before having one's own. */
export function addSampleRoutes(router: Router, captures: Captures, directory: string): void {
  router.get("/samples", async (_request, response) => {
    response.json({ samples: await sampleNames(directory) });
  });

  router.post("/samples/:name", async (request, response) => {
    const { name } = request.params;
    // Only a name that the listing has ever becomes part of a path.
    if (!(await sampleNames(directory)).includes(name)) {
      throw problem("sample-not-found", "There is no such sample capture.");
    }
    const capture = captures.create(`Sample: ${name.replaceAll("-", " ")}`);
    for (const path of await sampleFiles(join(directory, name))) {
      await captures.receive(capture.id, relative(directory, path), createReadStream(path));
    }
    const started = captures.startAnalysis(capture.id);
    response.status(201).location(`/api/v1/captures/${started.id}`).json(started);
  });
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
