import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPaces } from "./paces.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-paces-"));
});
afterAll(() => rm(folder, { recursive: true }));

const warnings: unknown[] = [];
const log = { warn: (...what: unknown[]) => void warnings.push(what) };
const ns = { decode: 5, roles: 1, join: 400, align: 60, measure: 170, verdict: 280, store: 100 };

test("the paces of the last ten analyses are known after a restart, newest last", async () => {
  const paces = await openPaces(folder, log);
  expect(paces.last).toEqual([]);
  await Promise.all(Array.from({ length: 12 }, (_, i) => paces.add({ bytes: 1_000 + i, ns })));
  const restarted = await openPaces(folder, log);
  expect(restarted.last.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 10 }, (_, i) => 1_002 + i));
  expect(restarted.last[0]?.ns).toEqual(ns);
  expect(await readFile(join(folder, "paces.json"), "utf8")).not.toContain("1001");
});

test("a damaged file counts as none, and one that cannot be written is a warning", async () => {
  await writeFile(join(folder, "paces.json"), '[{"bytes":-1}]');
  expect((await openPaces(folder, log)).last).toEqual([]);
  const nowhere = await openPaces(join(folder, "missing"), log);
  await nowhere.add({ bytes: 1, ns });
  expect(nowhere.last).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});
