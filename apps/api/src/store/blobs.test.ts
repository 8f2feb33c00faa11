import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeBlobs, source } from "../../test/blobs-contract.ts";
import { openBlobs } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";

const MIB = 1024 * 1024;
const ROOM = { expectRoom: () => Promise.resolve() };

describeBlobs("files", async () => {
  const own = await mkdtemp(join(tmpdir(), "aglens-blobs-"));
  return { open: () => openBlobs(own, ROOM), end: () => rm(own, { recursive: true }) };
});

let folder: string;
let blobs: Blobs;
/** Space for which the disk was checked, bytes. */
let asked: number[];
/** Number of checks of the disk that find space, before one does not. */
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

const kept = (): Promise<string[]> => readdir(join(folder, "captures", "c")).catch(() => []);
const aside = (): Promise<string[]> => readdir(join(folder, "incoming"));

test("one that is written, given up, too big or removed leaves nothing aside", async () => {
  async function* watched(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("ab");
    expect(await aside()).toHaveLength(1);
  }
  await blobs.receive("c", "k", watched(), 1_000);
  expect([await kept(), await aside()]).toEqual([["k"], []]);
  await expect(blobs.receive("c", "big", source(new Uint8Array(2)), 1)).rejects.toThrow("More than 1 bytes.");
  await blobs.writeInThread("c", "beside", "text");
  expect([(await kept()).toSorted(), await aside()]).toEqual([["beside", "k"], []]);
  await blobs.removeCapture("c");
  expect([await kept(), await aside()]).toEqual([[], []]);
});

test("the disk is looked at before the first bytes and after each 16 MiB", async () => {
  const piece = new Uint8Array(8 * MIB);
  await blobs.receive("c", "k", source(new Uint8Array(1), piece, piece, piece), 1e9);
  // Checked at the creation, with the first byte, and with the piece that reaches 16 MiB more.
  expect(asked).toEqual([0, 1, 8 * MIB]);
  looks = asked.length + 1;
  await expect(blobs.receive("c", "other", source(new Uint8Array(1)), 1e9)).rejects.toThrow("no room");
  expect([await kept(), await aside()]).toEqual([["k"], []]);
  await expect(blobs.receiveAside(blobs.aside(), source(), 1e9)).rejects.toThrow("no room");
  await expect(blobs.expectRoom()).rejects.toThrow("no room");
});

test("what an earlier process left unfinished is deleted", async () => {
  await writeFile(blobs.aside(), "cut off");
  await openBlobs(folder, ROOM);
  expect(await aside()).toEqual([]);
});
