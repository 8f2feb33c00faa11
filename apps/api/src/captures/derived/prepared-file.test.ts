import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareColumn } from "@aglens/ag-model/query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPrepared, writePrepared } from "./prepared-file.ts";

const VALIDITY = "a".repeat(64);
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

test("prepared columns are read as they were written, in one buffer, and only from a valid file", async () => {
  expect(await readPrepared(folder, VALIDITY)).toBeNull();
  await writePrepared(folder, VALIDITY, COLUMNS);
  const read = await readPrepared(folder, VALIDITY);
  expect(read).toEqual(COLUMNS);
  const [first, second] = read ?? [];
  expect(first?.ranks.rows.buffer).toBe(second?.ranks.rows.buffer);
  expect(await readPrepared(folder, "b".repeat(64))).toBeNull();
});
