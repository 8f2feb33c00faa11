import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { readDerivedBlob, writeDerivedBlob } from "./derived-blob.ts";

const VALIDITY = "a".repeat(64);
const OTHER = "b".repeat(64);
const PARTS = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.from({ length: 100 }, (_, i) => i)];
const BYTES = [1, 2, 3, ...Array.from({ length: 100 }, (_, i) => i)];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-derived-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (parts: readonly Uint8Array[]) => writeDerivedBlob(folder, "x.bin", VALIDITY, parts);
const read = async (validity = VALIDITY): Promise<number[] | null> => {
  const bytes = await readDerivedBlob(folder, "x.bin", validity);
  return bytes && [...bytes];
};

test("bytes are read as they were written, from the beginning of their buffer, and nothing else is left in the folder", async () => {
  await write(PARTS);
  expect(await read()).toEqual(BYTES);
  expect((await readDerivedBlob(folder, "x.bin", VALIDITY))?.byteOffset).toBe(0);
  expect(await readdir(folder)).toEqual(["x.bin"]);
});

test("no bytes are read without a file, or with another validity", async () => {
  expect(await read()).toBeNull();
  await write(PARTS);
  expect(await read(OTHER)).toBeNull();
});

test("a file with any byte changed, or cut off anywhere, counts as none, and is replaced by the next", async () => {
  await write(PARTS);
  const path = join(folder, "x.bin");
  const valid = await readFile(path);
  for (let place = 0; place < valid.length; place += 1) {
    const changed = Uint8Array.from(valid);
    changed[place] = elementAt(valid, place) ^ 0x10;
    await writeFile(path, changed);
    expect(await read()).toBeNull();
  }
  for (const length of [0, 3, 4, 67, 68, valid.length - 1]) {
    await writeFile(path, valid.subarray(0, length));
    expect(await read()).toBeNull();
  }
  await write([Uint8Array.of(7)]);
  expect(await read()).toEqual([7]);
});

test("a file of an earlier version, whose checksum fits and which has no validity, counts as none", async () => {
  const content = Buffer.from(`columns${JSON.stringify({ format: 4, tables: VALIDITY })}`);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(content));
  await writeFile(join(folder, "x.bin"), Buffer.concat([content, sum]));
  expect(await read()).toBeNull();
});

test("what can't take its place leaves nothing behind", async () => {
  await expect(writeDerivedBlob(join(folder, "gone"), "x.bin", VALIDITY, PARTS)).rejects.toThrow("ENOENT");
  expect(await readdir(folder)).toEqual([]);
});
