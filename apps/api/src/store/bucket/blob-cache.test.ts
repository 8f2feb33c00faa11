import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { source } from "../../../test/blobs-contract.ts";
import { openBlobs } from "../blobs.ts";
import type { Blobs } from "../blobs.ts";
import { BlobCache } from "./blob-cache.ts";

let folder: string;
let files: Blobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-cache-"));
  files = await openBlobs(folder, { expectRoom: () => Promise.resolve() });
});
afterEach(() => rm(folder, { recursive: true }));

test("room is made though a file is gone by the time that it is let go", async () => {
  for (const id of ["a", "b", "c"]) await files.receive(id, "k", source(Buffer.from("1234")), 10);
  const gone = { ...files, aside: () => (rmSync(files.path("b", "k"), { force: true }), files.aside()) };
  const cache = new BlobCache(gone, 1e9, pino({ level: "silent" }));
  for (const id of ["a", "b", "c"]) cache.came(id, "k", 4, undefined);
  await cache.settle();
  expect(await cache.giveUp(8)).toBe(8);
  expect(await Promise.all(["a", "b", "c"].map((id) => readdir(join(folder, "captures", id))))).toEqual([
    [],
    [],
    [],
  ]);
});
