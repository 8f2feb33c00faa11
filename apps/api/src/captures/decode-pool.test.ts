import { filetimeText } from "xel-parser/format";
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

test("a file that is no event file fails with the reader's own sentence", async () => {
  const path = join(ROOT, "package.json");
  const file = { path, name: "package.json", size: statSync(path).size };
  await expect(decodePool(1, 0)(file, () => {})).rejects.toThrow("not an Extended Events file");
});
