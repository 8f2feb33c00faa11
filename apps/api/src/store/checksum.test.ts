import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOfTable, readChecked, readWithCrc32 } from "./checksum.ts";

const MEBIBYTE = 2 ** 20;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-checksum-"));
});
afterAll(() => rm(folder, { recursive: true }));

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test.each([0, 1, 4 * MEBIBYTE, 9 * MEBIBYTE + 7])(
  "a file of %i bytes is read whole where it is what it should be, by either sum",
  async (bytes) => {
    const written = randomBytes(bytes);
    const path = join(folder, `${bytes}`);
    await writeFile(path, written);
    const expected = await checksumOfTable(written);
    expect(expected).toMatchObject({ bytes, sha256: sha256Of(written) });
    expect(written.equals((await readChecked(path, expected))!)).toBe(true);
    const { crc32: _, ...older } = expected;
    expect(written.equals((await readChecked(path, older))!)).toBe(true);
  },
);

test("a changed byte, and one too many or too few, is found by either sum", async () => {
  const sound = randomBytes(5 * MEBIBYTE);
  const expected = await checksumOfTable(sound);
  const { crc32: _, ...older } = expected;
  const path = join(folder, "damaged");
  const changed = Buffer.from(sound);
  changed.writeUInt8(changed.readUInt8(4 * MEBIBYTE + 3) ^ 0x10, 4 * MEBIBYTE + 3);
  for (const damaged of [changed, sound.subarray(1), Buffer.concat([sound, Buffer.alloc(1)])]) {
    await writeFile(path, damaged);
    expect(await readChecked(path, expected)).toBeNull();
    expect(await readChecked(path, older)).toBeNull();
  }
});

test.each([0, 4, 9])(
  "of nine digits and a trailer of %i bytes the sum is that of the digits",
  async (trailer) => {
    const path = join(folder, "with trailer");
    await writeFile(path, Buffer.concat([Buffer.from("123456789"), randomBytes(trailer)]));
    const { content, sum } = await readWithCrc32(path, trailer);
    expect(content.length).toBe(9 + trailer);
    // The check value that CRC-32 is published with.
    expect(sum).toBe(0xcbf4_3926);
  },
);

test("a file that is missing is said to be", async () => {
  await expect(readWithCrc32(join(folder, "nowhere"))).rejects.toMatchObject({ code: "ENOENT" });
});
