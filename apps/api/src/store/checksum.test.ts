import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readHashed } from "./checksum.ts";

const MEBIBYTE = 2 ** 20;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-checksum-"));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([0, 1, 4 * MEBIBYTE, 9 * MEBIBYTE + 7])(
  "a file of %i bytes is read whole, with its checksum",
  async (bytes) => {
    const written = randomBytes(bytes);
    const path = join(folder, `${bytes}`);
    await writeFile(path, written);
    const { content, checksum } = await readHashed(path);
    expect(written.equals(content)).toBe(true);
    expect(checksum).toEqual({ bytes, sha256: createHash("sha256").update(written).digest("hex") });
  },
);

test.each([
  [4 * MEBIBYTE + 10, 32],
  [4 * MEBIBYTE + 32, 32],
  [20, 32],
])("of a file of %i bytes its last %i are not in the checksum", async (bytes, trailer) => {
  const written = randomBytes(bytes);
  const path = join(folder, "with trailer");
  await writeFile(path, written);
  const { content, checksum } = await readHashed(path, trailer);
  const hashed = written.subarray(0, Math.max(0, bytes - trailer));
  expect(written.equals(content)).toBe(true);
  expect(checksum).toEqual({
    bytes: hashed.length,
    sha256: createHash("sha256").update(hashed).digest("hex"),
  });
});

test("a file that is missing is said to be", async () => {
  await expect(readHashed(join(folder, "nowhere"))).rejects.toMatchObject({ code: "ENOENT" });
});
