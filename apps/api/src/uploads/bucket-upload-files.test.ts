import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { source } from "../../test/blobs-contract.ts";
import { skipsWithout } from "../../test/programs.ts";
import { S3_PROGRAM, startS3 } from "../../test/s3.ts";
import type { TestS3 } from "../../test/s3.ts";
import { systemClock } from "../kernel/clock.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import type { Bucket } from "../store/bucket/bucket.ts";
import { bucketUploadFiles } from "./bucket-upload-files.ts";
import { openUploadFiles } from "./upload-files.ts";
import type { UploadFiles, UploadNote } from "./upload-files.ts";

const ROOM = { expectRoom: () => Promise.resolve() };
const MIB = 1024 * 1024;

const note = (id: string, size: number): UploadNote => ({
  id,
  captureId: "c",
  name: "a.xel",
  path: "a.xel",
  size,
  head: null,
  begun: "2026-01-01T00:00:00.000Z",
});

async function* brokenOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error("broken off");
}

describe.skipIf(skipsWithout(S3_PROGRAM))("uploads in a bucket (npm run s3-server)", () => {
  let s3: TestS3;
  let folder: string;
  let bucket: Bucket;
  beforeAll(async () => {
    s3 = await startS3(S3_PROGRAM);
  });
  afterAll(() => s3.end());
  let north: UploadFiles;
  let south: UploadFiles;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "aglens-uploads-"));
    bucket = openBucket(await s3.newPlace(), pino({ level: "silent" }));
    const open = async (name: string) =>
      bucketUploadFiles(bucket, await openUploadFiles(join(folder, name), ROOM, systemClock));
    [north, south] = [await open("north"), await open("south")];
  });
  afterEach(async () => {
    bucket.close();
    await rm(folder, { recursive: true });
  });

  const begin = async (id: string, size: number): Promise<void> => {
    await north.begin(id);
    await north.save(note(id, size));
  };
  const append = (files: UploadFiles, id: string, offset: number, text: string): Promise<number> =>
    files.append(id, offset, source(Buffer.from(text)));
  const whole = async (files: UploadFiles, id: string, size: number): Promise<string> =>
    readFile(await files.whole({ id, size }), "utf8");

  test("what one server got another one goes on with, and each has the whole file", async () => {
    await begin("u", 9);
    expect(await append(north, "u", 0, "abc")).toBe(3);
    expect((await south.received("u")).bytes).toBe(3);
    expect(await append(south, "u", 3, "def")).toBe(6);
    expect(await append(north, "u", 6, "ghi")).toBe(9);
    expect([await whole(north, "u", 9), await whole(south, "u", 9)]).toEqual(["abcdefghi", "abcdefghi"]);
    expect([await south.notes(), await south.note("u"), await south.note("other")]).toEqual([
      [note("u", 9)],
      note("u", 9),
      null,
    ]);
  });

  test("what came before a source broke off is there, and the sum of what two servers got at once", async () => {
    await begin("u", 6);
    await expect(north.append("u", 0, brokenOff(Buffer.from("ab")))).rejects.toThrow("broken off");
    expect((await south.received("u")).bytes).toBe(2);
    // A late request to one server, while the sender continued at another.
    await append(south, "u", 2, "cd");
    await append(north, "u", 2, "cde");
    expect((await south.received("u")).bytes).toBe(5);
    await append(north, "u", 0, "a");
    expect(await append(south, "u", 5, "f")).toBe(6);
    expect(await whole(south, "u", 6)).toBe("abcdef");
  });

  test("what another server got again counts once", async () => {
    await begin("u", 4);
    await append(north, "u", 0, "abc");
    await append(south, "u", 1, "b");
    expect((await south.received("u")).bytes).toBe(3);
    await append(north, "u", 3, "d");
    expect([await whole(north, "u", 4), await whole(south, "u", 4)]).toEqual(["abcd", "abcd"]);
  });

  test("a part that goes while it is brought here is another server's work", async () => {
    await begin("u", 3);
    await append(north, "u", 0, "abc");
    const gone: Bucket = { ...bucket, get: () => Promise.resolve(null) };
    const west = bucketUploadFiles(gone, await openUploadFiles(join(folder, "west"), ROOM, systemClock));
    await expect(west.whole({ id: "u", size: 3 })).rejects.toMatchObject({
      problem: { code: "wrong-state" },
    });
  });

  test("what follows a gap does not count until the gap is filled", async () => {
    await begin("u", 6);
    await append(north, "u", 0, "ab");
    await append(south, "u", 4, "ef");
    expect((await south.received("u")).bytes).toBe(2);
    await append(north, "u", 2, "cd");
    expect((await south.received("u")).bytes).toBe(6);
    expect(await whole(south, "u", 6)).toBe("abcdef");
  });

  test("the server that gets all bytes has them on its disk while they come", async () => {
    await begin("u", 6);
    await append(north, "u", 0, "abc");
    expect(await readFile(north.path("u"), "utf8")).toBe("abc");
    await append(north, "u", 3, "def");
    await north.notes();
    expect(await readFile(north.path("u"), "utf8")).toBe("abcdef");
    expect(await whole(north, "u", 6)).toBe("abcdef");
  });

  test("one that begins while others are listed keeps its bytes on the disk of its server", async () => {
    const listed = Promise.withResolvers<void>();
    const slow: Bucket = {
      ...bucket,
      list: async (prefix) => {
        const objects = await bucket.list(prefix);
        if (prefix === "uploads/") await listed.promise;
        return objects;
      },
    };
    const files = await openUploadFiles(join(folder, "west"), ROOM, systemClock);
    const west = bucketUploadFiles(slow, files);
    const notes = west.notes();
    await begin("u", 6);
    await append(west, "u", 0, "abc");
    listed.resolve();
    await notes;
    expect(await readFile(west.path("u"), "utf8")).toBe("abc");
  });

  test("long parts are several objects", async () => {
    const bytes = Buffer.alloc(20 * MIB, "some bytes of a file; ");
    await begin("u", bytes.length);
    await north.append("u", 0, source(bytes.subarray(0, 9 * MIB), bytes.subarray(9 * MIB)));
    expect((await bucket.list("uploads/u/part-")).map((object) => object.bytes)).toEqual([
      8 * MIB,
      8 * MIB,
      4 * MIB,
    ]);
    expect((await readFile(await south.whole({ id: "u", size: bytes.length }))).equals(bytes)).toBe(true);
  });

  test("one that is over is known to all, without its bytes; one that is removed to none", async () => {
    await begin("u", 3);
    await append(north, "u", 0, "abc");
    await north.save({ ...note("u", 3), fileIds: ["f"] });
    await north.removeBytes("u");
    expect((await south.note("u"))?.fileIds).toEqual(["f"]);
    await begin("v", 3);
    await append(south, "v", 0, "a");
    await north.save({ ...note("v", 3), fileIds: ["f"] });
    await south.notes();
    await expect(readFile(south.path("v"))).rejects.toThrow("ENOENT");
    await north.remove("v");
    expect((await south.received("u")).at).toBeGreaterThan(Date.now() - 60_000);
    await expect(south.whole(note("u", 3))).rejects.toMatchObject({ problem: { code: "wrong-state" } });
    await south.remove("u");
    expect([await north.notes(), await north.note("u")]).toEqual([[], null]);
    expect(await bucket.list("")).toEqual([]);
  });
});
