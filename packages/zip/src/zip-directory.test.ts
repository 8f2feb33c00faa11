import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readZipDirectory, zipEntryBytes } from "./zip-directory.ts";
import type { BytesAt } from "./zip-directory.ts";
import type { ZipEntry } from "./zip.ts";

/** A text that deflating makes shorter, and no byte of which stands where another could. */
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
  // Of deflated bytes the mark of the last block and up to seven bits after its end say nothing.
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
  // Of this no two pieces of 32 KiB can be packed into one.
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
  // Its head and one piece were read, and nothing of it was handed on.
  expect([given, reads]).toEqual([0, 2]);
});
