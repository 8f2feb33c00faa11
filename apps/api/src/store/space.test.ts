import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problem } from "@aglens/engine/problems";
import { diskOf, isDiskFull, openSpace } from "./space.ts";

const MB = 1_000_000;
const RESERVE_BYTES = 8 * 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-space-"));
});
afterEach(() => rm(folder, { recursive: true }));

const reserve = (): Promise<number> =>
  stat(join(folder, "reserve")).then(
    ({ size }) => size,
    () => 0,
  );

describe("room", () => {
  test.each([
    ["a small disk keeps 5 % free", null, 1000 * MB, 50 * MB],
    ["a large disk keeps 500 MB free", null, 100_000 * MB, 500 * MB],
    ["a setting decides", 7 * MB, 1000 * MB, 7 * MB],
    ["a setting of 0 keeps nothing free", 0, 1000 * MB, 0],
  ])("%s", async (_, setting, total, kept) => {
    const withFree = (free: number) => openSpace(folder, setting, () => ({ free, total }));
    await expect(withFree(kept).expectRoom()).resolves.toBeUndefined();
    await expect(withFree(kept - 1).expectRoom()).rejects.toThrow("AGLENS_KEEP_FREE_BYTES");
    await expect(withFree(kept + 10).expectRoom(10)).resolves.toBeUndefined();
    await expect(withFree(kept + 10).expectRoom(11)).rejects.toThrow("Delete captures or make room");
  });

  test("that is short is named in megabytes, with what is kept free of it", async () => {
    const space = openSpace(folder, 2_600_000_000, () => ({ free: 1_234_400_000, total: 1e12 }));
    await expect(space.expectRoom()).rejects.toThrow(
      "The disk of the API's data directory has 1,234 MB free, and 2,600 MB of it are kept free (AGLENS_KEEP_FREE_BYTES).",
    );
  });

  test("of a real disk is more than nothing and no more than the disk", () => {
    const { free, total } = diskOf(folder);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThanOrEqual(total);
  });
});

test("room that is being made counts until the disk has it, and no more is given up than is needed", async () => {
  let free = 0;
  const waiting = [20, 5, 5].map((bytes) => ({ bytes, ...Promise.withResolvers<void>() }));
  const space = openSpace(folder, 0, () => ({ free, total: 100 }));
  const given: number[] = [];
  space.onShort(() => {
    const next = waiting[given.length];
    if (next === undefined) return Promise.resolve(null);
    given.push(next.bytes);
    return Promise.resolve({ bytes: next.bytes, done: next.promise });
  });
  await space.expectRoom(10);
  await space.expectRoom(20);
  expect(given).toEqual([20]);
  await space.expectRoom(22);
  expect(given).toEqual([20, 5]);
  waiting[0]?.resolve();
  free = 20;
  await waiting[0]?.promise;
  await Promise.resolve();
  await space.expectRoom(25);
  expect(given).toEqual([20, 5]);
  await expect(space.expectRoom(31)).rejects.toThrow("AGLENS_KEEP_FREE_BYTES");
  expect(given).toEqual([20, 5, 5]);
});

describe("the reserve", () => {
  const onDisk = (free: number) => openSpace(folder, 0, () => ({ free, total: 1e12 }));

  test("has real bytes, is given once, and is made again when there is room", async () => {
    const space = onDisk(2 * RESERVE_BYTES);
    expect(space.giveReserve()).toBe(false);
    space.restoreReserve();
    expect(await reserve()).toBe(RESERVE_BYTES);
    expect((await stat(join(folder, "reserve"))).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
    expect(space.giveReserve()).toBe(true);
    expect(await reserve()).toBe(0);
    expect(space.giveReserve()).toBe(false);
    space.restoreReserve();
    expect(await reserve()).toBe(RESERVE_BYTES);
  });

  test("is not made where that would fill the disk, and a part of one is made whole", async () => {
    onDisk(2 * RESERVE_BYTES - 1).restoreReserve();
    expect(await reserve()).toBe(0);
    await writeFile(join(folder, "reserve"), "cut off");
    onDisk(2 * RESERVE_BYTES).restoreReserve();
    expect(await reserve()).toBe(RESERVE_BYTES);
  });
});

test.each([
  [{ code: "ENOSPC" }, true],
  [{ code: "EDQUOT" }, true],
  [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, true],
  [{ code: "ERR_SQLITE_ERROR", errcode: 4874 }, true],
  [{ code: "ERR_SQLITE_ERROR", errcode: 10 }, false],
  [{ code: "EACCES" }, false],
  [problem("disk-full", "Full."), true],
  [problem("too-big", "Big."), false],
  [null, false],
  ["ENOSPC", false],
])("%o is a full disk: %s", (error, expected) => {
  expect(isDiskFull(error)).toBe(expected);
});
