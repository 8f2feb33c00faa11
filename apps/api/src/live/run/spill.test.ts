import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readXelBytes } from "xel-parser/format";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileRows } from "@aglens/fixtures/event-source";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import { Spill } from "./spill.ts";

const FILE = readFileSync(
  join(
    ROOT,
    "fixtures/captures/slow-network/primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131069746150017970.xel",
  ),
);
const ROWS = fileRows(FILE);
const EVENTS = eventsIn(FILE);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "aglens-spill-"));
});
afterEach(() => rm(directory, { recursive: true }));

function eventsIn(bytes: Uint8Array): number {
  return readXelBytes(bytes).events.length;
}

test("rows of a file make the file again", async () => {
  const spill = new Spill(directory, 1, 1e9);
  for (const row of ROWS) spill.append(0, row, 0);
  const files = await spill.end();
  expect(files).toHaveLength(1);
  const kept = await readFile(elementAt(files, 0).path);
  // The original has only filler after its last buffer.
  expect(kept.equals(FILE.subarray(0, kept.length))).toBe(true);
  expect(spill.kept).toEqual({ bytes: kept.length, limit: 1e9, droppedBytes: 0, lostBytes: 0 });
  expect(eventsIn(kept)).toBe(EVENTS);
});

test("files roll over, and each can be read alone", async () => {
  const spill = new Spill(directory, 2, 1e9, 200_000);
  for (const row of ROWS) for (const replica of [0, 1]) spill.append(replica, row, 0);
  const files = await spill.end();
  for (const replica of [0, 1]) {
    const own = files.filter((file) => file.replica === replica);
    expect(own.length).toBeGreaterThan(2);
    const events = await Promise.all(own.map(async ({ path }) => eventsIn(await readFile(path))));
    expect(events.every((count) => count > 0)).toBe(true);
    expect(events.reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
  }
});

test("the limit gives up the oldest file and says how much", async () => {
  const spill = new Spill(directory, 1, 400_000, 100_000);
  for (const row of ROWS) spill.append(0, row, 0);
  const files = await spill.end();
  const { bytes, droppedBytes } = spill.kept;
  expect(bytes).toBeLessThanOrEqual(400_000);
  expect(droppedBytes).toBeGreaterThan(0);
  expect(spill.kept.lostBytes).toBe(0);
  expect((await readdir(directory)).toSorted()).toEqual(
    files.map(({ path }) => path.slice(directory.length + 1)),
  );
  expect(files[0]?.path).not.toMatch(/0_0000\.xel$/u);
});

test("a file that somebody else removed meanwhile is given up all the same", async () => {
  const spill = new Spill(directory, 1, 400_000, 100_000);
  for (const row of ROWS.slice(0, 3)) spill.append(0, row, 0);
  await until(async () => (await readdir(directory)).includes("0_0001.xel"));
  await rm(join(directory, "0_0000.xel"));
  for (const row of ROWS.slice(3)) spill.append(0, row, 0);
  const files = await spill.end();
  expect(spill.failure).toBeNull();
  expect(spill.kept.bytes).toBeLessThanOrEqual(400_000);
  expect((await readdir(directory)).toSorted()).toEqual(
    files.map(({ path }) => path.slice(directory.length + 1)),
  );
});

test("the file that a replica writes is never given up for another's", async () => {
  const spill = new Spill(directory, 2, 400_000, 100_000);
  for (const row of ROWS.slice(0, 3)) spill.append(0, row, 0);
  for (const row of ROWS) spill.append(1, row, 0);
  const files = await spill.end();
  expect(spill.kept.droppedBytes).toBeGreaterThan(0);
  // Its metadata filled the file before this one, which was closed and could go.
  expect(files[0]?.path).toMatch(/0_0001\.xel$/u);
  expect(files[1]?.path).not.toMatch(/1_000[01]\.xel$/u);
});

test("a second reader's header and metadata do not break the file", async () => {
  const spill = new Spill(directory, 1, 1e9);
  const half = Math.floor(ROWS.length / 2);
  const again = ROWS.slice(0, 2);
  for (const row of [...ROWS.slice(0, half), ...again, ...ROWS.slice(half)]) spill.append(0, row, 0);
  const file = elementAt(await spill.end(), 0);
  expect(eventsIn(await readFile(file.path))).toBe(EVENTS);
});

test("an all-zero row, where readers would stop, is left out; so is the lack of a header", async () => {
  const spill = new Spill(directory, 1, 1e9);
  spill.append(0, { type: 0, data: new Uint8Array(4096) }, 0);
  for (const row of ROWS.slice(1)) spill.append(0, row, 0);
  const file = elementAt(await spill.end(), 0);
  expect(eventsIn(await readFile(file.path))).toBe(EVENTS);
});

test("a disk that takes nothing is reported, not thrown", async () => {
  const spill = new Spill(join(directory, "file/none"), 1, 1e9);
  await writeFile(join(directory, "file"), "");
  for (const row of ROWS) spill.append(0, row, 0);
  expect(await spill.end()).toEqual([]);
  expect(spill.failure).toBeInstanceOf(Error);
  expect(spill.kept.lostBytes).toBeGreaterThan(FILE.length / 2);
});

test("what would leave too little room on the disk is dropped and reported, what came before stays", async () => {
  let room = true;
  const expectRoom = (bytes: number): Promise<void> => {
    expect(bytes).toBeGreaterThan(0);
    return room ? Promise.resolve() : Promise.reject(new Error("No room."));
  };
  const spill = new Spill(directory, 1, 1e9, undefined, expectRoom);
  for (const row of ROWS.slice(0, -1)) spill.append(0, row, 0);
  await spill.copySince(0, join(directory, "part"));
  const { bytes } = spill.kept;
  room = false;
  await expect(spill.copySince(0, join(directory, "other"))).rejects.toThrow("No room.");
  const last = elementAt(ROWS, ROWS.length - 1);
  spill.append(0, last, 0);
  const file = elementAt(await spill.end(), 0);
  expect(spill.failure).toEqual(new Error("No room."));
  expect(spill.kept).toMatchObject({ bytes, droppedBytes: 0, lostBytes: last.data.byteLength });
  expect((await readFile(file.path)).byteLength).toBe(bytes);
});

test("what a slow disk has not taken yet is bounded: the rest is dropped, and room comes back once it is written", async () => {
  const MIB = 1024 * 1024;
  // Zeros are not a buffer: they wait like any other row, and nothing is written.
  const row = (bytes: number) => ({ ...elementAt(ROWS, 0), data: new Uint8Array(bytes) });
  const spill = new Spill(directory, 1, 1e9);
  spill.append(0, row(32 * MIB), 0);
  spill.append(0, row(32 * MIB), 0);
  expect(spill.kept.lostBytes).toBe(0);
  spill.append(0, row(1), 0);
  expect(spill.kept.lostBytes).toBe(1);
  await spill.end();
  spill.append(0, row(64 * MIB), 0);
  expect(spill.kept.lostBytes).toBe(1);
  spill.append(0, row(2), 0);
  expect(spill.kept.lostBytes).toBe(3);
  expect(await spill.end()).toEqual([]);
});

test("the last minutes are copied as files of their own, and what is recorded goes on", async () => {
  const spill = new Spill(directory, 2, 1e9, 200_000);
  const append = (from: number, to: number): void => {
    for (const [i, row] of ROWS.entries()) if (i >= from && i < to) spill.append(0, row, i);
  };
  const half = Math.floor(ROWS.length / 2);
  append(0, ROWS.length - 1);
  const copies = await spill.copySince(half, join(directory, "part"));
  append(ROWS.length - 1, ROWS.length);
  // The second replica had no events in that time.
  expect(copies.map(({ replica }) => replica)).toEqual([0]);
  const copied = await readFile(elementAt(copies, 0).path);
  expect(copied.byteLength).toBe(elementAt(copies, 0).bytes);
  const expected = eventsInRows(half, ROWS.length - 1);
  expect(expected).toBeGreaterThan(0);
  expect(eventsIn(copied)).toBe(expected);
  const files = await spill.end();
  const all = await Promise.all(files.map(async ({ path }) => eventsIn(await readFile(path))));
  expect(all.reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
});

test("the last minutes are copied of what a run still has that reached its limit", async () => {
  const spill = new Spill(directory, 1, 400_000, 100_000);
  for (const [i, row] of ROWS.entries()) spill.append(0, row, i);
  const copies = await spill.copySince(0, join(directory, "part"));
  expect(spill.kept.droppedBytes).toBeGreaterThan(0);
  const copied = eventsIn(await readFile(elementAt(copies, 0).path));
  const files = await spill.end();
  const kept = await Promise.all(files.map(async ({ path }) => eventsIn(await readFile(path))));
  expect(copied).toBe(kept.reduce((sum, count) => sum + count, 0));
  expect(copied).toBeLessThan(EVENTS);
});

/** Events of the rows from one to another: of the file with these buffers less that without any. */
function eventsInRows(from: number, to: number): number {
  const isEvents = (row: (typeof ROWS)[number]): boolean => row.type === 0;
  const rows = ROWS.filter((row, i) => !isEvents(row) || (i >= from && i < to));
  return eventsIn(Buffer.concat(rows.map(({ data }) => data)));
}
