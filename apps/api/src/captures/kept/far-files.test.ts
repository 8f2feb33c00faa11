import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeModel, RawEvents } from "@aglens/contract";
import type { Question } from "@aglens/engine/answers";
import { problem } from "@aglens/engine/problems";
import { base } from "@aglens/fixtures/scenarios";
import { simulate } from "@aglens/fixtures/simulator";
import { readEvents } from "@aglens/ag-model/events";
import { buildModel } from "@aglens/ag-model/replication";
import pino from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { source } from "../../../test/blobs-contract.ts";
import { memoryBucket } from "../../../test/memory-bucket.ts";
import type { MemoryBucket } from "../../../test/memory-bucket.ts";
import { openBlobs, withBlobs } from "../../store/blobs.ts";
import type { Blobs } from "../../store/blobs.ts";
import { BlobCache } from "../../store/bucket/blob-cache.ts";
import { bucketBlobs } from "../../store/bucket/bucket-blobs.ts";
import { checksumOf } from "../../store/checksum.ts";
import { AnswerThread } from "../answers/answer-thread.ts";
import { SharedAnswerThreads } from "../answers/shared-answer-thread.ts";
import type { OpenedThread } from "../answers/shared-answer-thread.ts";

const LOG = pino({ level: "silent" });
const NEVER = new AbortController().signal;
const NAME = "primary.xel";
const KEY = "file";

/** @param position of the first event */
const pageFrom = (position: number): Question => ({
  ask: "rawEvents",
  first: { position },
  replicas: null,
  names: null,
  text: "",
  read: 200,
});

/** Some MB of events of one server. */
let bytes: Uint8Array;
let tables: ReturnType<typeof encodeModel>;
beforeAll(async () => {
  const { files } = simulate({ ...base, load: { seconds: 60, thinkUs: 1500 }, bufferBytes: 1 << 20 });
  bytes = files.find(({ role }) => role === "primary")?.bytes ?? new Uint8Array();
  tables = encodeModel(buildModel([{ role: "primary", columns: await readEvents(source(bytes), NAME) }]));
});

let folder: string;
let bucket: MemoryBucket;
/** Blobs of a server that has nothing of the capture on its disk. */
let blobs: Blobs;
let thread: OpenedThread;
let shared: SharedAnswerThreads;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-far-"));
  for (const [name, table] of Object.entries(tables)) await writeFile(join(folder, name), table);
  bucket = memoryBucket();
  await bucket.put(`captures/c/${KEY}!${checksumOf(bytes).sha256}`, bytes);
  const files = await openBlobs(join(folder, "disk"), { expectRoom: () => Promise.resolve() });
  blobs = bucketBlobs({ bucket, files, cache: new BlobCache(files, 1e9, LOG) });
  shared = new SharedAnswerThreads();
});
afterEach(async () => {
  await thread.close();
  await shared.close();
  await rm(folder, { recursive: true });
});

describe.each(["a thread of its own", "a thread of many captures"])("in %s", (kind) => {
  beforeEach(() => {
    const capture = { folder, stored: undefined, paths: { [NAME]: blobs.path("c", KEY) } };
    thread =
      kind === "a thread of its own" ? new AnswerThread(capture, () => {}) : shared.open(capture, () => {});
  });

  /** Asks for a page of raw events whose first one has this position. */
  const page = (position: number) =>
    withBlobs(
      blobs,
      "c",
      {},
      async (inRanges) => {
        const far = inRanges[KEY];
        const given = await thread.ask(pageFrom(position), NEVER, far === undefined ? {} : { [NAME]: far });
        return RawEvents.parse(JSON.parse(new TextDecoder().decode(given?.bytes)));
      },
      { [KEY]: checksumOf(bytes) },
    );

  test("a page of raw events takes a small part of a file in the bucket, its neighbor hardly more", async () => {
    const first = await page(20_000);
    expect([first.events.length, first.unreadable]).toEqual([200, 0]);
    const read = bucket.bytesRead;
    expect(bytes.length).toBeGreaterThan(5e6);
    expect(read).toBeLessThan(bytes.length / 3);
    expect((await page(20_200)).events).toHaveLength(200);
    expect(bucket.bytesRead - read).toBeLessThanOrEqual(256 * 1024);
    expect(await readdir(join(folder, "disk", "captures"))).toEqual([]);
  });

  test("the events are those of the file on the disk", async () => {
    const far = await page(20_000);
    await withBlobs(blobs, "c", { [KEY]: checksumOf(bytes) }, () => Promise.resolve());
    const read = bucket.bytesRead;
    expect(await page(20_000)).toEqual(far);
    expect(bucket.bytesRead).toBe(read);
  });

  test("what is wrong with the bucket is said to who asked, and the next one is answered", async () => {
    bucket.beforePiece = () => {
      throw problem("bucket-unreachable", "away");
    };
    await expect(page(0)).rejects.toMatchObject({ problem: { code: "bucket-unreachable" } });
    bucket.beforePiece = () => {};
    expect((await page(0)).events).toHaveLength(200);
    bucket.objects.clear();
    await expect(page(30_000)).rejects.toMatchObject({ problem: { code: "files-missing" } });
  });

  test("a file that is gone from the disk is said to be missing", async () => {
    await expect(thread.ask(pageFrom(0), NEVER)).rejects.toMatchObject({
      problem: { code: "files-missing" },
    });
  });
});
