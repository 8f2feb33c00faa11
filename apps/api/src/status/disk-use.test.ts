import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { diskGrowth, noteDiskUse, readDiskParts } from "./disk-use.ts";

test("each file of the data directory belongs to one part", async () => {
  const directory = await mkdtemp(join(tmpdir(), "aglens-disk-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const write = async (path: string, bytes: number): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), "x".repeat(bytes));
  };
  await write("captures/here/file1", 1);
  await write("captures/here/summary.json", 2);
  await write("captures/gone/file1", 4);
  await write("captures/gone/summary.json", 8);
  await write("incoming/part", 16);
  await write("uploads/a/part", 32);
  await write("live/run/buffer", 64);
  await write("lost-and-found/x/file", 128);
  await write("catalogue.sqlite", 256);
  expect(await readDiskParts(directory, (id) => Promise.resolve(id === "gone"))).toEqual({
    captures: 1,
    tables: 2,
    trash: 12,
    uploads: 48,
    live: 64,
    lost: 128,
    other: 256,
  });
  expect(await readDiskParts(join(directory, "none"), () => Promise.resolve(false))).toMatchObject({
    captures: 0,
    other: 0,
  });
});

test("growth is known from the second day on, of 14 days at most", async () => {
  const facts = new Map<string, string>();
  const kept = {
    fact: (name: string) => Promise.resolve(facts.get(name) ?? null),
    saveFact: (name: string, value: string) => Promise.resolve(void facts.set(name, value)),
  };
  const day = (number: number, used: number): Promise<void> =>
    noteDiskUse(kept, { total: 1_000, free: 1_000 - used }, Date.UTC(2026, 0, number, 5));
  expect(await diskGrowth(kept)).toBeNull();
  await day(1, 100);
  // The first note of a day counts.
  await day(1, 900);
  expect(await diskGrowth(kept)).toBeNull();
  await day(2, 110);
  expect(await diskGrowth(kept)).toBe(10);
  await day(15, 240);
  expect(await diskGrowth(kept)).toBe(10);
  await day(16, 390);
  // From the 2nd on: 280 in 14 days.
  expect(await diskGrowth(kept)).toBe(20);
});
