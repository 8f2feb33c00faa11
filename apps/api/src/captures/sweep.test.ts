import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { source } from "../../test/blobs-contract.ts";
import { capture } from "../../test/catalogue-contract.ts";
import { openBlobs } from "../store/blobs.ts";
import type { Blobs } from "../store/blobs.ts";
import { openLostAndFound } from "../store/lost-and-found.ts";
import { sweepBlobs } from "./sweep.ts";

let directory: string;
let blobs: Blobs;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "aglens-sweep-"));
  blobs = await openBlobs(directory, { expectRoom: () => Promise.resolve() });
});
afterEach(() => rm(directory, { recursive: true }));

const put = (id: string, key: string): Promise<number> =>
  blobs.receive(id, key, source(Buffer.from("abc")), 10);
const sweep = (writtenBefore?: number): Promise<void> =>
  sweepBlobs(
    blobs,
    openLostAndFound(directory),
    async (id) => (id === "known" ? capture(id) : null),
    pino({ level: "silent" }),
    writtenBefore,
  );
const lost = (): Promise<string[]> => readdir(join(directory, "lost-and-found")).catch(() => []);

test("where other servers write, what has no record yet and was just written stays where it is", async () => {
  await put("coming", "a");
  await put("known", "a");
  await put("known", "summary.json");
  await sweep(Date.now() - 60_000);
  expect([await blobs.keys("coming"), await blobs.keys("known"), await lost()]).toEqual([
    ["a"],
    ["a", "summary.json"],
    [],
  ]);
});

test("there too, what has been without a record for long is set aside, and what can be made again is removed", async () => {
  await put("gone", "a");
  await put("known", "a");
  await put("known", "summary.json");
  await sweep(Date.now() + 60_000);
  expect([await blobs.keys("gone"), await blobs.keys("known")]).toEqual([[], []]);
  expect(new Set((await lost()).map((name) => name.split("_")[0]))).toEqual(new Set(["gone", "known"]));
});

test("a capture that another server has deleted since it was listed is none that was lost", async () => {
  await put("gone", "a");
  const before = blobs;
  blobs = {
    ...blobs,
    captures: async () => {
      const ids = await before.captures();
      await blobs.removeCapture("gone");
      return ids;
    },
  };
  const error = vi.fn();
  await sweepBlobs(
    blobs,
    openLostAndFound(directory),
    () => Promise.resolve(null),
    { error, warn: vi.fn() },
    Date.now(),
  );
  expect([await lost(), error.mock.calls]).toEqual([[], []]);
});
