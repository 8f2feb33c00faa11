import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { source } from "../../../test/blobs-contract.ts";
import { openBlobs } from "../blobs.ts";
import type { Blobs } from "../blobs.ts";
import { checksumOf } from "../checksum.ts";
import { BlobCache } from "./blob-cache.ts";

let folder: string;
let files: Blobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-cache-"));
  files = await openBlobs(folder, { expectRoom: () => Promise.resolve() });
});
afterEach(() => rm(folder, { recursive: true }));

const put = (...ids: string[]) =>
  Promise.all(ids.map((id) => files.receive(id, "k", source(Buffer.from("1234")), 10)));
const here = (...ids: string[]) => Promise.all(ids.map((id) => readdir(join(folder, "captures", id))));

test("what is used by two is let go when both have ended", async () => {
  await put("a");
  const cache = new BlobCache(files, 1e9, pino({ level: "silent" }));
  const [first, second] = [cache.use("a", ["k"]), cache.use("a", ["k"])];
  first();
  expect(await cache.giveUp(4)).toBe(0);
  second();
  expect(await cache.giveUp(4)).toBe(4);
  expect(await here("a")).toEqual([[]]);
});

test("what begins to be used while room is made is not let go", async () => {
  await put("a", "b");
  let isUsed = false;
  const asked: Blobs = {
    ...files,
    aside: () => {
      if (!isUsed) cache.use("b", ["k"]);
      isUsed = true;
      return files.aside();
    },
  };
  const cache = new BlobCache(asked, 1e9, pino({ level: "silent" }));
  for (const id of ["a", "b"]) cache.came(id, "k", 4, undefined);
  await cache.settle();
  expect(await cache.giveUp(8)).toBe(4);
  expect(await here("a", "b")).toEqual([[], ["k"]]);
});

test("what came without a checksum is not taken for what was there before", async () => {
  await put("a");
  const cache = new BlobCache(files, 1e9, pino({ level: "silent" }));
  const expected = checksumOf(Buffer.from("1234"));
  cache.came("a", "k", 4, expected.sha256);
  expect(await cache.has("a", "k", expected)).toBe(true);
  await writeFile(files.path("a", "k"), "5678");
  cache.came("a", "k", 4, undefined);
  expect(await cache.has("a", "k", expected)).toBe(false);
});

test("room is made though a file is gone by the time that it is let go", async () => {
  await put("a", "b", "c");
  const gone = { ...files, aside: () => (rmSync(files.path("b", "k"), { force: true }), files.aside()) };
  const cache = new BlobCache(gone, 1e9, pino({ level: "silent" }));
  for (const id of ["a", "b", "c"]) cache.came(id, "k", 4, undefined);
  await cache.settle();
  expect(await cache.giveUp(8)).toBe(8);
  expect(await here("a", "b", "c")).toEqual([[], [], []]);
});
