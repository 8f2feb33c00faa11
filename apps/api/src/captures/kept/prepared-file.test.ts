import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareColumn } from "@aglens/ag-model/query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { readPrepared, tablesDigest, writePrepared } from "./prepared-file.ts";

const COLUMNS = [
  prepareColumn({
    values: Float64Array.of(3, 1, Number.NaN, 2),
    bins: { starts: Float64Array.of(0, 2, 4), levels: 2 },
  }),
  prepareColumn({ values: Float64Array.of(5, 4), bins: null }),
];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-prepared-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("prepared columns are read as they were written, and nothing else is left in the folder", async () => {
  await writePrepared(folder, "tables", COLUMNS);
  expect(await readPrepared(folder, "tables")).toEqual(COLUMNS);
  expect(await readdir(folder)).toEqual(["prepared.bin"]);
});

test("there are none without a file, and none of other tables", async () => {
  expect(await readPrepared(folder, "tables")).toBeNull();
  await writePrepared(folder, "tables", COLUMNS);
  expect(await readPrepared(folder, "other tables")).toBeNull();
});

test("a file with any byte changed, or cut off anywhere, counts as none, and is replaced by the next", async () => {
  await writePrepared(folder, "tables", COLUMNS);
  const path = join(folder, "prepared.bin");
  const sound = await readFile(path);
  for (let place = 0; place < sound.length; place += 61) {
    const changed = Uint8Array.from(sound);
    changed[place] = elementAt(sound, place) ^ 0x10;
    await writeFile(path, changed);
    expect(await readPrepared(folder, "tables")).toBeNull();
  }
  for (const length of [0, 5, 100, sound.length - 1]) {
    await writeFile(path, sound);
    await truncate(path, length);
    expect(await readPrepared(folder, "tables")).toBeNull();
  }
  await writePrepared(folder, "tables", COLUMNS);
  expect(await readPrepared(folder, "tables")).toEqual(COLUMNS);
});

test("tables are known by the checksums of all of them; without one of these nothing is kept", () => {
  const sum = (sha256: string) => ({ bytes: 1, sha256 });
  const all = {
    "blocks.arrow": sum("a"),
    "commits.arrow": sum("b"),
    "markers.arrow": sum("c"),
    "events.arrow": sum("d"),
    "model.json": sum("e"),
  };
  expect(tablesDigest(all)).not.toBeNull();
  expect(tablesDigest({ ...all, "commits.arrow": sum("x") })).not.toBe(tablesDigest(all));
  expect(tablesDigest({ "blocks.arrow": sum("a") })).toBeNull();
});
