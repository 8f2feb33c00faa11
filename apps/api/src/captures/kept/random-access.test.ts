import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bytesAt, randomAccess } from "./random-access.ts";

const folder = mkdtempSync(join(tmpdir(), "aglens-random-access-"));
const path = join(folder, "ten-bytes");
writeFileSync(path, Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
afterAll(() => rmSync(folder, { recursive: true }));

test("a file is read at any offset, as far as it reaches", async () => {
  const file = await randomAccess(path);
  expect(file.size).toBe(10);
  expect([...(await file.read(3, 4))]).toEqual([3, 4, 5, 6]);
  expect([...(await file.read(0, 10))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([...(await file.read(8, 100))]).toEqual([8, 9]);
  expect([...(await file.read(9, 1))]).toEqual([9]);
  expect([...(await file.read(10, 1))]).toEqual([]);
  expect([...(await file.read(50, 1))]).toEqual([]);
  await file.close();
});

test("a file that was cut short since gives what is left", async () => {
  const cut = join(folder, "cut");
  writeFileSync(cut, new Uint8Array(10).fill(7));
  const file = await randomAccess(cut);
  writeFileSync(cut, Uint8Array.of(7, 7, 7));
  expect([...(await file.read(1, 9))]).toEqual([7, 7]);
  await file.close();
});

test("bytes are counted from the end where the offset is negative, from the beginning at the earliest", async () => {
  expect([...(await bytesAt(path, 2, 3))]).toEqual([2, 3, 4]);
  expect([...(await bytesAt(path, 0, 1))]).toEqual([0]);
  expect([...(await bytesAt(path, -3, 2))]).toEqual([7, 8]);
  expect([...(await bytesAt(path, -100, 2))]).toEqual([0, 1]);
});
