import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import {
  expectZipEnd,
  looksLikeZip,
  unzip,
  ZIP_END_BYTES,
  zipDirectoryPlace,
  zipEntries,
  ZipError,
} from "./zip.ts";
import type { ZipBounds } from "./zip.ts";

const WIDE: ZipBounds = { maxEntries: 100, maxBytes: 1e9, maxRatio: 1e6, ratioFromBytes: 1e9 };

/** Unzips bytes in chunks; returns written bytes by name, and the entries that ended. */
async function unzipped(bytes: Uint8Array, bounds: Partial<ZipBounds> = {}, chunkBytes = 1e6) {
  const written: Record<string, number> = {};
  const ended: string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
  await unzip(chunks(), { ...WIDE, ...bounds }, (name) => {
    if (name.startsWith("skip")) return Promise.resolve(null);
    written[name] = 0;
    return Promise.resolve({
      write: (piece) => {
        written[name] = (written[name] ?? 0) + piece.length;
        return Promise.resolve();
      },
      end: () => {
        ended.push(name);
        return Promise.resolve();
      },
    });
  });
  return { written, ended };
}

const failure = (bytes: Uint8Array, bounds: Partial<ZipBounds> = {}): Promise<unknown> =>
  unzipped(bytes, bounds).then(
    () => null,
    (error: unknown) => (error instanceof ZipError ? error.code : error),
  );

/** Bytes that do not deflate. */
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i + 1, 2_654_435_761) >>> 13) & 0xff);

test("entries come out whole, in chunks of any size; some are left out", async () => {
  const zip = zipSync({
    "a.xel": noise(20_000),
    skipped: noise(10),
    "b/c.xel": strToU8("abc"),
    empty: strToU8(""),
  });
  for (const chunkBytes of [1e6, 1000, 17]) {
    expect(await unzipped(zip, {}, chunkBytes)).toEqual({
      written: { "a.xel": 20_000, "b/c.xel": 3, empty: 0 },
      ended: ["a.xel", "b/c.xel", "empty"],
    });
  }
});

describe("bounds", () => {
  test("bytes of all entries together", async () => {
    const zip = zipSync({ a: new Uint8Array(600), b: new Uint8Array(400) });
    expect(await failure(zip, { maxBytes: 1000 })).toBeNull();
    expect(await failure(zip, { maxBytes: 999 })).toBe("too-big");
  });

  test("entries", async () => {
    const zip = zipSync({ a: strToU8("a"), b: strToU8("b"), c: strToU8("c") });
    expect(await failure(zip, { maxEntries: 3 })).toBeNull();
    expect(await failure(zip, { maxEntries: 2 })).toBe("too-many-entries");
  });

  test("how many times it inflates, from a size on", async () => {
    const bomb = zipSync({ a: new Uint8Array(1_000_000) });
    // About 1,000 bytes of zip for a million zeros.
    expect(await failure(bomb, { maxRatio: 300, ratioFromBytes: 500_000 })).toBe("too-big");
    expect(await failure(bomb, { maxRatio: 300, ratioFromBytes: 1_000_000 })).toBeNull();
    const dense = zipSync({ a: noise(50_000) });
    expect(await failure(dense, { maxRatio: 300, ratioFromBytes: 0 })).toBeNull();
  });
});

describe("a zip that is cut off", () => {
  test.each([
    ["stored", 0],
    ["deflated", 6],
  ] as const)("inside an entry that is %s is refused", async (_, level) => {
    const zip = zipSync({ "a.xel": noise(300) }, { level });
    expect(await failure(zip)).toBeNull();
    const directory = Buffer.from(zip).indexOf("PK\x01\x02");
    for (let length = 40; length < directory; length += 10) {
      expect([length, await failure(zip.subarray(0, length))]).toEqual([length, "unreadable"]);
    }
  });

  test("anywhere else lacks the record that ends it", () => {
    const zip = zipSync({ "a.xel": noise(300), "b.xel": noise(300) });
    expect(() => expectZipEnd(zip)).not.toThrow();
    for (let length = 0; length < zip.length; length += 1) {
      expect(() => expectZipEnd(zip.subarray(0, length))).toThrow("before its directory");
    }
  });

  test("a comment may follow the record", () => {
    const zip = Buffer.concat([zipSync({ "a.xel": noise(3) }), Buffer.alloc(0xffff, "x")]);
    expect(() => expectZipEnd(zip.subarray(zip.length - ZIP_END_BYTES))).not.toThrow();
  });
});

test("the directory names each entry with its CRC, and whether it is encrypted", () => {
  const zip = zipSync({ "a.xel": strToU8("123456789"), "ü/b": strToU8("") }, {});
  const place = zipDirectoryPlace(zip);
  const directory = zip.slice(place?.offset, (place?.offset ?? 0) + (place?.bytes ?? 0));
  // The check value in the CRC's definition for these nine digits.
  const entries = [
    { name: "a.xel", crc: 0xcbf43926, isEncrypted: false, bytes: 9, offset: 0 },
    { name: "ü/b", crc: 0, isEncrypted: false, bytes: 0 },
  ];
  expect(zipEntries(directory)).toMatchObject(entries);
  expect(zipEntries(directory.subarray(0, -1))).toMatchObject(entries.slice(0, 1));
  expect(zipEntries(directory.subarray(0, 45))).toEqual([]);
  directory[8] = 1;
  expect(zipEntries(directory)[0]?.isEncrypted).toBe(true);
});

test("an entry's extra field and comment are passed over, and its fields are its own", () => {
  const stored = { level: 0, extra: { 0x4444: strToU8("12345") }, comment: "the first" } as const;
  const zip = zipSync({ a: [strToU8("abc"), stored], b: strToU8("log ".repeat(99)) }, { level: 6 });
  const entries = zipEntries(zip.subarray(zipDirectoryPlace(zip)?.offset));
  expect(entries.map(({ name, method, bytes }) => [name, method, bytes])).toEqual([
    ["a", 0, 3],
    ["b", 8, 396],
  ]);
  expect(entries[0]?.packedBytes).toBe(3);
  expect(entries[1]?.packedBytes).toBeLessThan(99);
  expect(Buffer.from(zip).readUInt32LE(entries[1]?.offset ?? 0)).toBe(0x04034b50);
});

test("a name is in Latin letters where its entry does not say that it is UTF-8", () => {
  const zip = zipSync({ ü: strToU8("a") });
  const directory = zip.slice(zipDirectoryPlace(zip)?.offset);
  expect(zipEntries(directory)[0]?.name).toBe("ü");
  // Bit 11 of the flags (APPNOTE 4.4.4).
  directory[9] = 0;
  expect(zipEntries(directory)[0]?.name).toBe("Ã¼");
});

test("a zip64 has its directory elsewhere", () => {
  const zip = Buffer.from(zipSync({ a: strToU8("a") }));
  zip.writeUInt32LE(0xffffffff, zip.length - 6);
  expect(zipDirectoryPlace(zip)).toBeNull();
  const long = Buffer.from(zipSync({ a: strToU8("a") }));
  long.writeUInt32LE(0xffffffff, long.length - 10);
  expect(zipDirectoryPlace(long)).toBeNull();
  expect(zipDirectoryPlace(strToU8("no zip at all, and longer than the record"))).toBeNull();
});

test("what is no zip inside is refused with a sentence", async () => {
  expect(await failure(new Uint8Array(100))).toBe("unreadable");
  expect(await failure(zipSync({}))).toBe("unreadable");
  const damaged = zipSync({ a: strToU8("log ".repeat(500)) });
  damaged.fill(0xff, 40, 60);
  expect(await failure(damaged)).toBe("unreadable");
});

test("a zip is known by how it begins, also an empty one", () => {
  expect(looksLikeZip(zipSync({ a: strToU8("a") }))).toBe(true);
  expect(looksLikeZip(zipSync({}))).toBe(true);
  for (const head of ["PK\x03\x03", "PK\x05\x05", "PL\x03\x04", "QK\x03\x04", "PK\x04\x04", "xel", ""]) {
    expect(looksLikeZip(strToU8(head))).toBe(false);
  }
});
