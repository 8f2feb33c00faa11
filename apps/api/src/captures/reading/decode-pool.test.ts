import { filetimeText, XelFormatError } from "xel-parser/format";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeColumns, type EventColumns } from "@aglens/ag-model/events";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { decodeHere } from "./decode.ts";
import { decodePool } from "./decode-pool.ts";

async function wholeOf(pieces: AsyncIterable<EventColumns>): Promise<EventColumns> {
  const all: EventColumns[] = [];
  for await (const piece of pieces) all.push(piece);
  return mergeColumns(all);
}

test("a thread gives the same columns as reading here", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const file = { path, name, size: statSync(path).size };
  const here = await wholeOf(decodeHere(file, () => {}));
  const elsewhere = await wholeOf(decodePool(1, 0)(file, () => {}));
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(elsewhere).toEqual(here);
});

test("progress says how far into the capture's time a file is read", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const reports: { events: number; at: string | null }[] = [];
  const columns = await wholeOf(
    decodeHere({ path, name, size: statSync(path).size }, (_, events, at) => reports.push({ events, at })),
  );
  // Rows are ordered by time, and the last event is in the last buffer.
  expect(reports.at(-1)).toEqual({
    events: columns.length,
    at: filetimeText(elementAt(columns.ticks, columns.length - 1)),
  });
  const times = reports.map(({ at }) => at ?? "");
  expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)));
});

test("a file gets a thread from a size on, 16 MB unless another is given", async () => {
  const path = join(ROOT, "package.json");
  /** Whether the failure is from this thread: an error from another thread keeps its text and loses its class. */
  const isReadHere = async (size: number, ...bounds: [number?, number?]): Promise<boolean> => {
    const error = await wholeOf(decodePool(...bounds)({ path, name: "package.json", size }, () => {})).catch(
      (reason: unknown) => reason,
    );
    return error instanceof XelFormatError;
  };
  expect(await isReadHere(16 * 1024 * 1024 - 1)).toBe(true);
  expect(await isReadHere(16 * 1024 * 1024)).toBe(false);
  expect(await isReadHere(99, 1, 100)).toBe(true);
  expect(await isReadHere(100, 1, 100)).toBe(false);
});

test("a file that is no event file fails with the reader's own sentence", async () => {
  const path = join(ROOT, "package.json");
  const file = { path, name: "package.json", size: statSync(path).size };
  await expect(wholeOf(decodePool(1, 0)(file, () => {}))).rejects.toThrow("not an Extended Events file");
});

test("what the listener throws ends the reading", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const stop = (): never => {
    throw new Error("cancelled");
  };
  const read = decodePool(1, 0)({ path, name, size: statSync(path).size }, stop);
  await expect(wholeOf(read)).rejects.toThrow("cancelled");
});

test("a file whose reading is given up leaves its slot to the next one", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, name, size: statSync(path).size };
  });
  const decode = decodePool(1, 0);
  for await (const { length } of decode(elementAt(files, 0), () => {})) {
    expect(length).toBeGreaterThan(0);
    break;
  }
  expect((await wholeOf(decode(elementAt(files, 1), () => {}))).length).toBeGreaterThan(0);
});
