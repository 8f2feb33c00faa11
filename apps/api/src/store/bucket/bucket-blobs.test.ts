import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeBlobs, source } from "../../../test/blobs-contract.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { S3_PROGRAM, startS3 } from "../../../test/s3.ts";
import type { TestS3 } from "../../../test/s3.ts";
import { openBlobs, withBlobs } from "../blobs.ts";
import type { Blobs } from "../blobs.ts";
import { checksumOf } from "../checksum.ts";
import { BlobCache } from "./blob-cache.ts";
import { bucketBlobs } from "./bucket-blobs.ts";
import { openBucket } from "./bucket.ts";
import type { Bucket, BucketLimits } from "./bucket.ts";

const LOG = pino({ level: "silent" });
const ROOM = { expectRoom: () => Promise.resolve() };
const MIB = 1024 * 1024;

interface OneServer {
  readonly bucket: Bucket;
  readonly blobs: Blobs;
  readonly cache: BlobCache;
}

interface OneServerParts {
  /** Limit for the files on its disk. */
  readonly mostBytes?: number;
  readonly limits?: Partial<BucketLimits>;
  /** Calls of the bucket that the test answers. */
  readonly changes?: Partial<Bucket>;
}

/** @param folder the server's own @param place that all servers have */
async function server(
  folder: string,
  place: string,
  { mostBytes = 1e9, limits, changes }: OneServerParts = {},
): Promise<OneServer> {
  const bucket = { ...openBucket(place, LOG, limits), ...changes };
  const files = await openBlobs(folder, ROOM);
  const cache = new BlobCache(files, mostBytes, LOG);
  return { bucket, cache, blobs: bucketBlobs({ bucket, files, cache }) };
}

describe.skipIf(skipsWithout(S3_PROGRAM))("with an S3 server (npm run s3-server)", () => {
  let s3: TestS3;
  let folder: string;
  let place: string;
  let opened: OneServer[];
  beforeAll(async () => {
    s3 = await startS3(S3_PROGRAM);
  });
  afterAll(() => s3.end());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "aglens-bucket-"));
    place = await s3.newPlace();
    opened = [];
  });
  afterEach(async () => {
    for (const { bucket, cache } of opened) {
      bucket.close();
      await cache.settle();
    }
    await rm(folder, { recursive: true });
  });
  const open = async (name: string, parts?: OneServerParts): Promise<OneServer> => {
    const one = await server(join(folder, name), place, parts);
    opened.push(one);
    return one;
  };

  describeBlobs("a bucket", async () => {
    const own = await mkdtemp(join(tmpdir(), "aglens-bucket-"));
    const its = await s3.newPlace();
    return {
      open: async () => (await server(own, its)).blobs,
      end: () => rm(own, { recursive: true }),
    };
  });

  const put = ({ blobs }: OneServer, captureId: string, key: string, text: string): Promise<number> =>
    blobs.receive(captureId, key, source(Buffer.from(text)), 1e9);
  const read = (
    { blobs }: OneServer,
    captureId: string,
    key: string,
    text: string | undefined,
  ): Promise<string> =>
    withBlobs(
      blobs,
      captureId,
      { [key]: text === undefined ? undefined : checksumOf(Buffer.from(text)) },
      () => readFile(blobs.path(captureId, key), "utf8"),
    );

  test("what one server stored another one reads, from its own disk the second time", async () => {
    const [north, south] = [await open("north"), await open("south")];
    await put(north, "c", "k", "abc");
    expect(await read(south, "c", "k", "abc")).toBe("abc");
    await south.bucket.remove(["captures/c/k"]);
    expect(await read(south, "c", "k", "abc")).toBe("abc");
  });

  test("a blob that is not on the disk is read in ranges, and is not brought there", async () => {
    const [north, south] = [await open("north"), await open("south")];
    const bytes = Buffer.from(Array.from({ length: MIB }, (_, at) => at % 251));
    const checksum = checksumOf(bytes);
    await north.blobs.receive("c", "named", source(bytes), 1e9, checksum);
    await north.blobs.receive("c", "plain", source(bytes), 1e9);
    const wanted = { named: checksum, plain: undefined, absent: undefined };
    const here = await north.blobs.fetch("c", {}, wanted);
    expect(Object.keys(here.inRanges)).toEqual([]);
    const there = await south.blobs.fetch("c", {}, wanted);
    const { inRanges } = there;
    expect(Object.keys(inRanges)).toEqual(["named", "plain"]);
    for (const blob of Object.values(inRanges)) {
      expect(blob.size).toBe(MIB);
      expect(Buffer.compare(await blob.read(600_000, 9), bytes.subarray(600_000, 600_009))).toBe(0);
    }
    expect(await readdir(join(folder, "south/captures"))).toEqual([]);
    await north.blobs.remove("c", "named");
    await expect(inRanges["named"]?.read(0, 9)).rejects.toMatchObject({ problem: { code: "files-missing" } });
    await s3.whileAway(() =>
      expect(inRanges["plain"]?.read(0, 9)).rejects.toMatchObject({
        problem: { code: "bucket-unreachable" },
      }),
    );
    for (const fetched of [here, there]) fetched.release();
  });

  test("of two that make the same in two ways each finds what its record names", async () => {
    const [north, south] = [await open("north"), await open("south")];
    const [one, two] = ["one", "two"].map((text) => checksumOf(Buffer.from(text)));
    await north.blobs.receive("c", "k", source(Buffer.from("one")), 1e9, one);
    await south.blobs.receive("c", "k", source(Buffer.from("two")), 1e9, two);
    for (const each of [north, south]) {
      expect(await read(each, "c", "k", "one")).toBe("one");
      expect(await read(each, "c", "k", "two")).toBe("two");
    }
  });

  test.each([
    ["one", "two"],
    ["two", "one"],
  ])(
    "of %s and %s the one that was stored last is what a reader gets who knows none",
    async (first, last) => {
      const north = await open("north");
      for (const text of [first, last])
        await north.blobs.receive("c", "k", source(Buffer.from(text)), 1e9, checksumOf(Buffer.from(text)));
      // A store may have times to the second only.
      const times = { [first]: 1_000, [last]: 2_000 };
      const list: Bucket["list"] = async (prefix) =>
        (await north.bucket.list(prefix)).map((line) => {
          const text = [first, last].find((each) => line.name.endsWith(checksumOf(Buffer.from(each)).sha256));
          return { ...line, storedAt: times[text ?? ""] ?? 0 };
        });
      const east = await open("east", { changes: { list } });
      expect(await read(east, "c", "k", undefined)).toBe(last);
    },
  );

  test("what several want at once comes once, and is free to be let go where it cannot come", async () => {
    const north = await open("north");
    await put(north, "c", "k", "abc");
    let gets = 0;
    const get: Bucket["get"] = (...of) => {
      gets += 1;
      return north.bucket.get(...of);
    };
    const south = await open("south", { changes: { get } });
    await Promise.all([1, 2, 3].map(() => read(south, "c", "k", undefined)));
    expect(gets).toBe(1);
    const away = await open("away", { changes: { get: () => Promise.reject(new Error("away")) } });
    await put(away, "c", "other", "abc");
    await expect(away.blobs.fetch("c", { k: undefined, other: undefined })).rejects.toThrow("away");
    expect(await away.cache.giveUp(3)).toBe(3);
  });

  test("what is damaged on a server's disk is fetched again; what is damaged in the bucket its reader finds", async () => {
    const north = await open("north");
    await put(north, "c", "k", "abc");
    const path = north.blobs.path("c", "k");
    await truncate(path, 1);
    expect(await read(north, "c", "k", "abc")).toBe("abc");
    // The damaged file has the same length, so only a process that did not write it finds the damage.
    await writeFile(path, "xyz");
    expect(await read(await open("north"), "c", "k", "abc")).toBe("abc");
    await north.bucket.put("captures/c/k", Buffer.from("bad"));
    expect(await read(await open("south"), "c", "k", "abc")).toBe("bad");
  });

  test("files that were used longest ago are let go, not those in use", async () => {
    const north = await open("north", { mostBytes: 10 });
    await put(north, "used", "k", "1234");
    const used = await north.blobs.fetch("used", { k: undefined });
    await put(north, "old", "k", "1234");
    await put(north, "new", "k", "1234");
    await north.cache.settle();
    const here = async (captureId: string) =>
      (await readdir(join(folder, "north/captures", captureId))).length;
    expect([await here("used"), await here("old"), await here("new")]).toEqual([1, 0, 1]);
    used.release();
    expect(await read(north, "old", "k", "1234")).toBe("1234");
    await north.cache.settle();
    expect([await here("used"), await here("old")]).toEqual([1, 1]);
  });

  test("what an earlier analysis stored is removed once nobody can be about to record it", async () => {
    const north = await open("north");
    const [one, two] = ["one", "two"].map((text) => checksumOf(Buffer.from(text)));
    await north.blobs.receive("c", "k", source(Buffer.from("one")), 1e9, one);
    await north.blobs.receive("c", "k", source(Buffer.from("two")), 1e9, two);
    await put(north, "c", "other", "abc");
    await north.blobs.removeOthers("c", { k: two }, Date.now() - 60_000);
    expect(await north.bucket.list("captures/c/")).toHaveLength(3);
    await north.blobs.removeOthers("c", { k: two }, Date.now() + 60_000);
    expect((await north.bucket.list("captures/c/")).map(({ name }) => name)).toEqual([
      `captures/c/k!${two?.sha256}`,
      "captures/c/other",
    ]);
  });

  test("long files go and are copied in parts", async () => {
    const north = await open("north", { limits: { partBytes: 5 * MIB, mostCopiedBytes: 6 * MIB } });
    const bytes = Buffer.alloc(11 * MIB + 1, "some bytes of a file; ");
    await north.blobs.receive("c", "k", source(bytes), 1e9, checksumOf(bytes));
    await north.blobs.move("c", "k", "d");
    const south = await open("south");
    await withBlobs(south.blobs, "d", { k: checksumOf(bytes) }, async () =>
      expect((await readFile(south.blobs.path("d", "k"))).equals(bytes)).toBe(true),
    );
    expect(await north.bucket.list("captures/")).toMatchObject([{ bytes: bytes.length }]);
  });

  test("a long file whose end cannot be read is not stored, not even what came before", async () => {
    const north = await open("north", { limits: { partBytes: 5 * MIB } });
    const path = join(folder, "short");
    await writeFile(path, Buffer.alloc(11 * MIB));
    await expect(north.bucket.putFile("short", path, 16 * MIB)).rejects.toThrow();
    expect(await north.bucket.list("")).toEqual([]);
  });

  test("of more objects than go at once all are removed", async () => {
    const { bucket } = await open("north");
    const names = Array.from({ length: 1_002 }, (_, index) => `n${index}`);
    const there = names.slice(999);
    for (const name of there) await bucket.put(name, new Uint8Array(1));
    await bucket.remove(names);
    expect(await bucket.list("")).toEqual([]);
  });

  test("a bucket that does not answer is a sentence for who asks", async () => {
    const north = await server(join(folder, "north"), "s3://no-such-bucket/");
    opened.push(north);
    await expect(put(north, "c", "k", "abc")).rejects.toMatchObject({
      problem: { code: "bucket-unreachable", status: 503 },
    });
    expect(await readdir(join(folder, "north/incoming"))).toEqual([]);
    await expect(north.bucket.check()).rejects.toThrow("cannot reach the bucket");
  });
});
