import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileRows } from "@aglens/fixtures/event-source";
import { readXelBytes, rowInFile } from "xel-parser/format";
import { expect, test } from "vitest";
import { ROOT } from "../../../test/service.ts";
import { elementAt } from "../../../test/element-at.ts";
import { Ring } from "./ring.ts";
import { Spill } from "./spill.ts";

const FILE = readFileSync(
  join(
    ROOT,
    "fixtures/captures/slow-network/primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131069746150017970.xel",
  ),
);
const ROWS = fileRows(FILE);
const BUFFERS = ROWS.filter((row) => rowInFile(row) === "buffer");

/** Times of arrival of what a ring passes on, by kind. */
function emptied(ring: Ring, since = 0): string[] {
  const all: string[] = [];
  ring.empty(since, (replica, row, cameAt) => all.push(`${replica} ${rowInFile(row)} ${cameAt}`));
  return all;
}

test("buffers of the last seconds are passed on after header and metadata of their replica", () => {
  const ring = new Ring(10_000);
  const [first] = BUFFERS;
  for (const row of ROWS.filter((each) => rowInFile(each) !== "buffer")) ring.take(0, row, 1_000);
  for (const cameAt of [2_000, 5_000, 11_000, 14_000]) ring.take(0, elementAt(BUFFERS, 0), cameAt);
  ring.take(1, first as (typeof BUFFERS)[number], 15_000);
  const all = emptied(ring);
  expect(all.filter((each) => each.includes("buffer"))).toEqual([
    "0 buffer 5000",
    "0 buffer 11000",
    "0 buffer 14000",
    "1 buffer 15000",
  ]);
  expect(all[0]).toBe("0 header 1000");
  expect(all.findIndex((each) => each.includes("buffer"))).toBeGreaterThan(
    all.findLastIndex((each) => each.includes("metadata")),
  );
  expect(emptied(ring).filter((each) => each.includes("buffer"))).toEqual([]);
});

test("rows are forgotten by time where none comes any more, and by bytes where too many come", () => {
  const quiet = new Ring(10_000);
  quiet.take(0, elementAt(BUFFERS, 0), 1_000);
  expect(emptied(quiet, 2_000)).toEqual([]);

  const bytes = elementAt(BUFFERS, 0).data.byteLength;
  const full = new Ring(10_000, 2 * bytes);
  for (const cameAt of [1, 2, 3]) full.take(0, elementAt(BUFFERS, 0), cameAt);
  expect(emptied(full)).toEqual(["0 buffer 2", "0 buffer 3"]);
});

test("a spill that holds writes nothing until it is let go, then the last seconds and all that follows", async () => {
  const directory = await mkdtemp(join(tmpdir(), "aglens-ring-"));
  const spill = new Spill(directory, 1, 1e9);
  spill.hold(10_000);
  ROWS.forEach((row, index) => spill.append(0, row, index * 1_000));
  expect(await spill.copySince(0, join(directory, "part"))).toEqual([]);
  expect(spill.kept.bytes).toBe(0);
  const last = (ROWS.length - 1) * 1_000;
  spill.letGo(last - 3_000);
  const files = await spill.end();
  const kept = await readFile(elementAt(files, 0).path);
  const expected = ROWS.filter((row, index) => rowInFile(row) !== "buffer" || index >= ROWS.length - 4);
  const eventsOf = (rows: typeof ROWS): number =>
    readXelBytes(Buffer.concat(rows.map(({ data }) => data))).events.length;
  expect(readXelBytes(kept).events).toHaveLength(eventsOf(expected));
  expect(readXelBytes(kept).events.length).toBeLessThan(readXelBytes(FILE).events.length);
  await rm(directory, { recursive: true });
});
