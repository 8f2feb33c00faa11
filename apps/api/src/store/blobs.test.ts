import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBlobs, TooBigError } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";

const MIB = 1024 * 1024;

let folder: string;
let blobs: Blobs;
/** What the disk was asked to have room for, bytes. */
let asked: number[];
/** Looks at the disk that find room, before one does not. */
let looks: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-blobs-"));
  asked = [];
  looks = Number.POSITIVE_INFINITY;
  const expectRoom = (bytes = 0): Promise<void> =>
    asked.push(bytes) > looks ? Promise.reject(new Error("no room")) : Promise.resolve();
  blobs = await openBlobs(folder, { expectRoom });
});
afterEach(() => rm(folder, { recursive: true }));

async function* source(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
const kept = (): Promise<string[]> => readdir(join(folder, "captures", "c")).catch(() => []);
const aside = (): Promise<string[]> => readdir(join(folder, "incoming"));

describe("a blob", () => {
  test("is there when it is whole, and not before", async () => {
    const writer = await blobs.create("c", "k");
    await writer.write(Buffer.from("ab"));
    expect([await kept(), (await aside()).length, writer.size]).toEqual([[], 1, 2]);
    await writer.write(Buffer.from("c"));
    await writer.commit();
    expect([await kept(), await aside(), await blobs.size("c", "k")]).toEqual([["k"], [], 3]);
    expect(await readFile(blobs.path("c", "k"), "utf8")).toBe("abc");
  });

  test("that is given up leaves nothing", async () => {
    const writer = await blobs.create("c", "k");
    await writer.write(Buffer.from("ab"));
    await writer.discard();
    expect([await kept(), await aside(), await blobs.size("c", "k")]).toEqual([[], [], null]);
  });

  test("may have just as many bytes as the limit", async () => {
    const receive = (bytes: number): Promise<number> =>
      blobs.receive("c", `k${bytes}`, source(new Uint8Array(2), new Uint8Array(bytes - 2)), 10);
    expect(await receive(10)).toBe(10);
    await expect(receive(11)).rejects.toEqual(new TooBigError(10));
    expect([await kept(), await aside()]).toEqual([["k10"], []]);
  });

  test("looks at the disk before its first bytes and after each 16 MiB", async () => {
    const piece = new Uint8Array(8 * MIB);
    await blobs.receive("c", "k", source(new Uint8Array(1), piece, piece, piece), 1e9);
    // When it is made, its first byte, and the piece by which 16 MiB more are reached.
    expect(asked).toEqual([0, 1, 8 * MIB]);
    looks = asked.length + 1;
    await expect(blobs.receive("c", "other", source(new Uint8Array(1)), 1e9)).rejects.toThrow("no room");
    expect([await kept(), await aside()]).toEqual([["k"], []]);
    await expect(blobs.receiveAside(blobs.aside(), source(), 1e9)).rejects.toThrow("no room");
    await expect(blobs.expectRoom()).rejects.toThrow("no room");
  });
});

test.each(["", ".", "..", "a/b", "a\\b", "ä", "x".repeat(81)])("%j is not a name of one", (name) => {
  expect(() => blobs.path(name, "k")).toThrow("Not a blob name.");
  expect(() => blobs.path("c", name)).toThrow("Not a blob name.");
});

test("a name has up to 80 characters", () => {
  const name = `A-z_0.${"x".repeat(74)}`;
  expect(blobs.path(name, name)).toBe(join(folder, "captures", name, name));
});

test("what an earlier process left unfinished is deleted, what it finished stays", async () => {
  await blobs.receive("c", "k", source(Buffer.from("abc")), 10);
  await writeFile(blobs.aside(), "cut off");
  const again = await openBlobs(folder, { expectRoom: () => Promise.resolve() });
  expect([await aside(), await again.captures(), await again.keys("c")]).toEqual([[], ["c"], ["k"]]);
});

test("a file is taken over once; none is none", async () => {
  const file = join(folder, "file");
  await writeFile(file, "abcd");
  expect(await blobs.adopt("c", "k", file)).toBe(4);
  expect(await blobs.adopt("c", "k", file)).toBe(4);
  expect(await blobs.adopt("c", "other", file)).toBeNull();
});

test("a file beside the blobs is written where the capture has blobs, and not again while it is the same", async () => {
  await blobs.writeBeside("c", "beside.json", "one");
  expect(await kept()).toEqual([]);
  await mkdir(join(folder, "captures", "c"));
  await blobs.writeBeside("c", "beside.json", "one");
  expect(await readFile(blobs.path("c", "beside.json"), "utf8")).toBe("one");
  await blobs.writeBeside("c", "beside.json", "two");
  expect([await readFile(blobs.path("c", "beside.json"), "utf8"), await kept()]).toEqual([
    "two",
    ["beside.json"],
  ]);
});

test("a capture is removed with all it has; one that has nothing too", async () => {
  for (const remove of ["removeCapture", "removeCaptureSoon"] as const) {
    await blobs.receive("c", "k", source(Buffer.from("abc")), 10);
    await blobs[remove]("c");
    await blobs[remove]("c");
    expect([await blobs.captures(), await blobs.keys("c"), await aside()]).toEqual([[], [], []]);
  }
});
