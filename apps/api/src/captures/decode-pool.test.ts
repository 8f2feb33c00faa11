import { filetimeText, XelFormatError } from "xel-parser/format";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { elementAt } from "../../test/element-at.ts";
import { ROOT } from "../../test/service.ts";
import { decodeHere } from "./decode.ts";
import { decodePool } from "./decode-pool.ts";

test("a thread gives the same columns as reading here", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const file = { path, name, size: statSync(path).size };
  const here = await decodeHere(file, () => {});
  const elsewhere = await decodePool(1, 0)(file, () => {});
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(elsewhere).toEqual(here);
});

test("progress says how far into the capture's time a file is read", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const reports: { events: number; at: string | null }[] = [];
  const columns = await decodeHere({ path, name, size: statSync(path).size }, (_, events, at) =>
    reports.push({ events, at }),
  );
  // Rows are ordered by time, and the last buffer holds the last event.
  expect(reports.at(-1)).toEqual({
    events: columns.length,
    at: filetimeText(elementAt(columns.ticks, columns.length - 1)),
  });
  const times = reports.map(({ at }) => at ?? "");
  expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)));
});

test("a file gets a thread from a size on, 16 MB unless another is given", async () => {
  const path = join(ROOT, "package.json");
  /** Whether the failure came from this thread: over to another one, an error keeps its words and loses its kind. */
  const isReadHere = async (size: number, ...bounds: [number?, number?]): Promise<boolean> => {
    const error = await decodePool(...bounds)({ path, name: "package.json", size }, () => {}).catch(
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
  await expect(decodePool(1, 0)(file, () => {})).rejects.toThrow("not an Extended Events file");
});

test("what the listener throws ends the reading", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const name = elementAt(readdirSync(folder), 0);
  const path = join(folder, name);
  const stop = (): never => {
    throw new Error("cancelled");
  };
  await expect(decodePool(1, 0)({ path, name, size: statSync(path).size }, stop)).rejects.toThrow(
    "cancelled",
  );
});
