import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problem } from "@aglens/engine/problems";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryBucket } from "../../../test/memory-bucket.ts";
import type { MemoryBucket } from "../../../test/memory-bucket.ts";
import { openBlobs } from "../blobs.ts";
import { checksumOf } from "../checksum.ts";
import { SharedArrival } from "../shared-arrival.ts";
import { BlobCache } from "./blob-cache.ts";
import { bucketBlobs } from "./bucket-blobs.ts";
import type { BucketBlobs } from "./bucket-blobs.ts";

const KIB = 1024;
const BYTES = Buffer.from(Array.from({ length: 300 * KIB }, (_, at) => (at * 7) % 251));
const SOUND = checksumOf(BYTES);
const NAME = `captures/c/k!${SOUND.sha256}`;

let folder: string;
let bucket: MemoryBucket;
let blobs: BucketBlobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-downloads-"));
  bucket = memoryBucket();
  await bucket.put(NAME, BYTES);
  const files = await openBlobs(folder, { expectRoom: () => Promise.resolve() });
  const cache = new BlobCache(files, 1e9, pino({ level: "silent" }));
  blobs = bucketBlobs({ bucket, files, cache, waitsMs: [1, 1, 1] });
});
afterEach(() => rm(folder, { recursive: true }));

/** Stops readers at an offset until it is opened. */
function gateAt(offset: number) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  bucket.beforePiece = async (_, at) => {
    if (at < offset) return;
    reached.resolve();
    await opened.promise;
  };
  return { reached: reached.promise, open: () => opened.resolve() };
}

/** Is away when this offset is asked for, so many times. */
function awayAt(offset: number, times: number): void {
  let left = times;
  bucket.beforePiece = (_, at) => {
    if (at !== offset || left === 0) return;
    left -= 1;
    throw problem("bucket-unreachable", "away");
  };
}

const onDisk = (): Promise<string[]> => readdir(join(folder, "captures", "c")).catch(() => []);
const aside = (): Promise<string[]> => readdir(join(folder, "incoming"));

describe("a blob that is followed", () => {
  test("is read up to where it has come, and is where it belongs when it is whole", async () => {
    const gate = gateAt(128 * KIB);
    const followed = await blobs.follow("c", { k: SOUND });
    const { coming, whole } = followed;
    const arrival = new SharedArrival(coming["k"]?.cell);
    await gate.reached;
    while (arrival.behind(127 * KIB) === null) await arrival.more;
    const path = coming["k"]?.path ?? "";
    expect(Buffer.compare(await readFile(path), BYTES.subarray(0, 128 * KIB))).toBe(0);
    expect([arrival.behind(128 * KIB), arrival.isComplete, await onDisk()]).toEqual([null, false, []]);
    expect(followed.isComing()).toBe(true);
    gate.open();
    expect(await whole).toEqual([]);
    expect(followed.isComing()).toBe(false);
    expect([arrival.behind(0), arrival.isComplete]).toEqual([BYTES.length, true]);
    expect(Buffer.compare(await readFile(blobs.path("c", "k")), BYTES)).toBe(0);
    followed.release();
    const again = await blobs.follow("c", { k: SOUND });
    expect(again.coming).toEqual({});
    again.release();
  });

  test.each([
    ["has other bytes in the bucket", () => bucket.put(NAME, Buffer.from(BYTES).fill(0, 9, 10))],
    ["is not in the bucket", () => bucket.remove([NAME])],
  ])("and %s is named, and not to be read", async (_, harm) => {
    await harm();
    const followed = await blobs.follow("c", { k: SOUND });
    const { coming, whole } = followed;
    expect(await whole).toEqual(["k"]);
    expect(() => new SharedArrival(coming["k"]?.cell).behind(0)).toThrow("did not come");
    followed.release();
  });

  test("goes on where the bucket was away for a short while, from the byte that it had come to", async () => {
    awayAt(128 * KIB, 2);
    const followed = await blobs.follow("c", { k: SOUND });
    const { whole } = followed;
    expect(await whole).toEqual([]);
    expect(bucket.bytesRead).toBe(BYTES.length);
    followed.release();
  });

  test.each([
    ["with", SOUND, NAME],
    ["without", undefined, "captures/c/k"],
  ])("is missing where it goes in the middle of a break, %s a checksum", async (_, checksum, name) => {
    bucket.objects.clear();
    await bucket.put(name, BYTES);
    bucket.beforePiece = async (_piece, at) => {
      if (at < 128 * KIB) return;
      await bucket.remove([name]);
      throw problem("bucket-unreachable", "away");
    };
    const followed = await blobs.follow("c", { k: checksum });
    const { whole } = followed;
    await expect(whole).rejects.toMatchObject({ problem: { code: "files-missing" } });
    followed.release();
    expect([await onDisk(), await aside()]).toEqual([[], []]);
  });

  test("cannot be had where the bucket stays away", async () => {
    awayAt(128 * KIB, Number.POSITIVE_INFINITY);
    const followed = await blobs.follow("c", { k: SOUND });
    const { coming, whole } = followed;
    await expect(whole).rejects.toMatchObject({ problem: { code: "bucket-unreachable" } });
    expect(() => new SharedArrival(coming["k"]?.cell).behind(0)).toThrow("did not come");
    followed.release();
    expect([await onDisk(), await aside()]).toEqual([[], []]);
  });

  test("comes no further when nobody needs it any more", async () => {
    const gate = gateAt(128 * KIB);
    const followed = await blobs.follow("c", { k: SOUND });
    const { whole } = followed;
    await gate.reached;
    followed.release();
    expect(await whole).toEqual(["k"]);
    expect([await onDisk(), await aside()]).toEqual([[], []]);
  });
});

test("who follows and stops reads no further, also while somebody else brings the same blob", async () => {
  const gate = gateAt(128 * KIB);
  const fetched = blobs.fetch("c", { k: SOUND });
  await gate.reached;
  const followed = await blobs.follow("c", { k: SOUND });
  followed.stop();
  expect(() => new SharedArrival(followed.coming["k"]?.cell).behind(0)).toThrow("did not come");
  gate.open();
  for (const each of [await fetched, followed]) each.release();
  expect(await followed.whole).toEqual([]);
  expect(await onDisk()).toEqual(["k"]);
});

test("who does not follow hears at once that the bucket is away", async () => {
  awayAt(128 * KIB, 1);
  await expect(blobs.fetch("c", { k: SOUND })).rejects.toMatchObject({
    problem: { code: "bucket-unreachable" },
  });
});

describe.each(["fetch", "follow"] as const)("of a blob that comes by %s", (way) => {
  test.each<[string, () => Promise<void>]>([
    ["its capture is deleted", () => blobs.removeCapture("c")],
    ["its capture is deleted to make room", () => blobs.removeCaptureSoon("c")],
    ["another server deletes its capture", () => blobs.removeCopies("c")],
    ["it is deleted", () => blobs.remove("c", "k")],
  ])("no copy stays when %s meanwhile", async (_, remove) => {
    const gate = gateAt(128 * KIB);
    const fetched = blobs[way]("c", { k: SOUND });
    await gate.reached;
    await remove();
    gate.open();
    const got = await fetched;
    if ("whole" in got) expect(await got.whole).toEqual(["k"]);
    got.release();
    expect([await onDisk(), await aside()]).toEqual([[], []]);
  });
});
