import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { source } from "../../../test/blobs-contract.ts";
import { capture } from "../../../test/catalog-contract.ts";
import { openBlobs } from "../../store/blobs.ts";
import type { Blobs } from "../../store/blobs.ts";
import { openLostAndFound } from "../../store/lost-and-found.ts";
import { NO_OTHERS } from "../../store/other-servers.ts";
import { sweepBlobs } from "./sweep.ts";
import type { SweepParts } from "./sweep.ts";

let directory: string;
let blobs: Blobs;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "aglens-sweep-"));
  blobs = await openBlobs(directory, { expectRoom: () => Promise.resolve() });
});
afterEach(() => rm(directory, { recursive: true }));

const put = (id: string, key: string): Promise<number> =>
  blobs.receive(id, key, source(Buffer.from("abc")), 10);
const parts = (more: Partial<SweepParts> = {}): SweepParts => ({
  blobs,
  lost: openLostAndFound(directory),
  recordOf: async (id) => (id === "known" ? capture(id) : null),
  alone: NO_OTHERS.alone,
  log: pino({ level: "silent" }),
  ...more,
});
const sweep = (writtenBefore?: number): Promise<void> => sweepBlobs(parts(), writtenBefore);
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
  const log = { error, warn: vi.fn() };
  await sweepBlobs(parts({ recordOf: () => Promise.resolve(null), log }), Date.now());
  expect([await lost(), error.mock.calls]).toEqual([[], []]);
});

test("files that another server sets aside or takes back at the moment are left to it", async () => {
  await put("gone", "a");
  await put("known", "a");
  const asked: string[] = [];
  const alone = (duty: string): Promise<boolean> => {
    asked.push(duty);
    return Promise.resolve(false);
  };
  await sweepBlobs(parts({ alone }));
  expect(asked.toSorted()).toEqual(["lost files of gone", "lost files of known"]);
  expect([await blobs.keys("gone"), await blobs.keys("known"), await lost()]).toEqual([["a"], ["a"], []]);
});

test("files that were taken back since their capture was found without a record stay where they are", async () => {
  await put("gone", "a");
  let isBack = false;
  const alone = (_: string, work: () => Promise<void>): Promise<boolean> => {
    isBack = true;
    return NO_OTHERS.alone("", work);
  };
  await sweepBlobs(parts({ recordOf: async (id) => (isBack ? capture(id) : null), alone }));
  expect([await blobs.keys("gone"), await lost()]).toEqual([["a"], []]);
});
