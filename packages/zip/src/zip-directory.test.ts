import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readZipDirectory, zipEntryBytes } from "./zip-directory.ts";
import type { BytesAt } from "./zip-directory.ts";
import type { ZipEntry } from "./zip.ts";

/** A text that deflating makes shorter, and in which any damaged byte changes the result. */
const TEXT = Array.from({ length: 40 }, (_, i) => `block ${i} hardened on SQL${(i % 3) + 1}`).join("\n");

const bytesAt = (bytes: Uint8Array): BytesAt => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
});

/** The bytes of an entry, or null where it is refused. */
async function contents(zip: BytesAt, entry: ZipEntry): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of zipEntryBytes(zip, entry)) pieces.push(piece.slice());
  } catch (error) {
    expect(error).toMatchObject({ code: "unreadable" });
    return null;
  }
  return Buffer.concat(pieces);
}

test.each([
  ["stored", 0],
  ["deflated", 6],
] as const)("any bit of an entry that is %s and changed is noticed, or changes nothing", async (_, level) => {
  const zip = zipSync({ "a.txt": strToU8(TEXT) }, { level });
  const [entry] = await readZipDirectory(bytesAt(zip), 1);
  const from = entry!.offset + 30 + "a.txt".length;
  let refused = 0;
  for (let at = from; at < from + entry!.packedBytes; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = zip.slice();
      damaged[at]! ^= 1 << bit;
      const read = await contents(bytesAt(damaged), entry!);
      if (read === null) refused += 1;
      else expect([at - from, bit, read.toString()]).toEqual([at - from, bit, TEXT]);
    }
  }
  // In deflated bytes, the mark of the last block and up to seven bits after its end do not matter.
  expect(refused).toBeGreaterThanOrEqual(8 * entry!.packedBytes - (level === 0 ? 0 : 8));
});

test("an entry whose checksum is another one is refused", async () => {
  const zip = bytesAt(zipSync({ "a.txt": strToU8(TEXT) }));
  const [entry] = await readZipDirectory(zip, 1);
  expect((await contents(zip, entry!))?.toString()).toBe(TEXT);
  expect(await contents(zip, { ...entry!, crc: entry!.crc ^ 1 })).toBeNull();
});

test.each([
  ["stored", 0],
  ["deflated", 6],
] as const)("an entry that is %s and longer than declared is given up at once", async (_, level) => {
  // No two pieces of 32 KiB of these bytes can be packed into one.
  const noise = Uint8Array.from(
    { length: 1_000_000 },
    (_byte, i) => Math.imul(i, 2_654_435_761) >>> (i % 24),
  );
  const zip = bytesAt(zipSync({ "a.xel": noise }, { level }));
  const [entry] = await readZipDirectory(zip, 1);
  expect(entry!.packedBytes).toBeGreaterThan(100_000);
  let given = 0;
  let reads = 0;
  const counted: BytesAt = {
    size: zip.size,
    read: (offset, length) => {
      reads += 1;
      return zip.read(offset, length);
    },
  };
  const reading = (async () => {
    for await (const piece of zipEntryBytes(counted, { ...entry!, bytes: 1_000 })) given += piece.length;
  })();
  await expect(reading).rejects.toMatchObject({ code: "unreadable" });
  // Its head and one piece were read, and none of its bytes was passed on.
  expect([given, reads]).toEqual([0, 2]);
});

/** The directory of a zip with fields of its end record changed. */
function withEnd(zip: Uint8Array, change: (zip: Buffer, end: number) => void): BytesAt {
  const changed = Buffer.from(zip);
  change(changed, changed.lastIndexOf("PK\x05\x06"));
  return bytesAt(changed);
}

test("a directory that reaches over the end of its zip is refused, and one that ends there is read", async () => {
  const zip = zipSync({ "a.txt": strToU8(TEXT) });
  const ending = (more: number): BytesAt =>
    withEnd(zip, (bytes, end) => {
      const offset = bytes.readUInt32LE(end + 16);
      bytes.writeUInt32LE(zip.length - offset + more, end + 12);
    });
  expect(await readZipDirectory(ending(0), 1)).toHaveLength(1);
  await expect(readZipDirectory(ending(1), 1)).rejects.toMatchObject({
    code: "unreadable",
    message: "The directory of the zip is not where its end says.",
  });
  const elsewhere = withEnd(zip, (bytes, end) => bytes.writeUInt32LE(0xffff_ffff, end + 16));
  await expect(readZipDirectory(elsewhere, 1)).rejects.toThrow("is not where its end says");
  await expect(readZipDirectory(bytesAt(zip.subarray(0, -1)), 1)).rejects.toThrow("before its directory");
});

test("a zip has as many entries as are allowed, with 1 KiB of directory each", async () => {
  const zip = zipSync({ "a.txt": strToU8("a"), "b.txt": strToU8("b") });
  expect((await readZipDirectory(bytesAt(zip), 2)).map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
  const refused = { code: "too-many-entries", message: "The zip has more than 1 entries." };
  await expect(readZipDirectory(bytesAt(zip), 1)).rejects.toMatchObject(refused);
  // Names of 489 letters: with the 46 bytes of its head each of two entries has 535, and both together 1,070.
  const long = zipSync({ ["a".repeat(489)]: strToU8("a"), ["b".repeat(489)]: strToU8("b") });
  let reads = 0;
  const counted = {
    ...bytesAt(long),
    read: (at: number, length: number) => ((reads += 1), bytesAt(long).read(at, length)),
  };
  await expect(readZipDirectory(counted, 1)).rejects.toMatchObject(refused);
  // Its end alone: a directory of that length is not read.
  expect(reads).toBe(1);
  const [only] = await readZipDirectory(bytesAt(zipSync({ ["c".repeat(1024 - 46)]: strToU8("c") })), 1);
  expect(only?.name).toHaveLength(978);
});

test("an entry of many pieces comes out as it went in, and an empty one as nothing", async () => {
  const noise = Uint8Array.from({ length: 200_000 }, (_byte, i) => Math.imul(i, 2_654_435_761) >>> (i % 24));
  for (const level of [0, 6] as const) {
    const zip = bytesAt(zipSync({ "a.xel": noise, empty: new Uint8Array() }, { level }));
    const [entry, empty] = await readZipDirectory(zip, 2);
    expect(entry!.packedBytes).toBeGreaterThan(3 * 32 * 1024);
    expect(Buffer.compare((await contents(zip, entry!))!, noise)).toBe(0);
    expect(await contents(zip, empty!)).toHaveLength(0);
  }
});

test("an entry whose head is none, is cut or is of an encrypted one is refused, as are bytes that reach over the end", async () => {
  const zip = zipSync({ "a.txt": strToU8(TEXT) }, { level: 0 });
  const [entry] = await readZipDirectory(bytesAt(zip), 1);
  expect(await contents(bytesAt(zip), { ...entry!, isEncrypted: true })).toBeNull();
  expect(await contents(bytesAt(zip), { ...entry!, offset: 1 })).toBeNull();
  expect(await contents(bytesAt(zip), { ...entry!, offset: zip.length - 29 })).toBeNull();
  // The bytes of the entry end where the zip does.
  const whole = zip.subarray(0, 30 + "a.txt".length + entry!.packedBytes);
  expect((await contents(bytesAt(whole), entry!))?.toString()).toBe(TEXT);
  expect(await contents(bytesAt(whole.subarray(0, -1)), entry!)).toBeNull();
  expect(await contents(bytesAt(zip), { ...entry!, bytes: TEXT.length + 1 })).toBeNull();
});

test("an extra field of its head is no part of an entry", async () => {
  const zip = zipSync({ "a.txt": [strToU8(TEXT), { extra: { 0x4444: strToU8("12345") } }] }, { level: 0 });
  const [entry] = await readZipDirectory(bytesAt(zip), 1);
  expect((await contents(bytesAt(zip), entry!))?.toString()).toBe(TEXT);
});

test("an entry that is packed in another way is refused as such", async () => {
  const zip = bytesAt(zipSync({ "a.txt": strToU8(TEXT) }));
  const [entry] = await readZipDirectory(zip, 1);
  const reading = (async () => {
    for await (const _ of zipEntryBytes(zip, { ...entry!, method: 12 })) continue;
  })();
  await expect(reading).rejects.toThrow("a.txt in it is packed in a way that is not known.");
});
