import { expect, test } from "vitest";
import { chunksOf, waitRowset } from "../../test/sample-files.ts";
import type { RecognizedFile } from "../shapes.ts";
import { readSamples, type ReadSamples } from "./read-samples.ts";

const FILE: RecognizedFile = {
  name: "a.out",
  kind: "rowsets",
  server: "SQL9",
  serverFrom: "name",
  utcOffsetMinutes: null,
  use: "Waits.",
  state: "used",
};
const WAITS = waitRowset("2026-05-14T02:16:30", [["WRITELOG", 1, 10]]);

const read = async (text: string, more: Partial<RecognizedFile> = {}): Promise<ReadSamples | null> =>
  readSamples({ ...FILE, ...more }, chunksOf(text));

test("the file that was read has its server by content, and sentences about its figures", async () => {
  const found = await read(`SQL Server Name          SQL1\n${WAITS}`, { utcOffsetMinutes: 0 });
  expect(found!.file).toEqual({
    ...FILE,
    utcOffsetMinutes: 0,
    server: "SQL1",
    serverFrom: "content",
    use: "Waits. One snapshot of wait statistics: figures count from the last start of SQL Server.",
  });
});

test("a file without samples is not used, with the reason", async () => {
  expect((await read(WAITS))!.file).toEqual({
    ...FILE,
    state: "notUsed",
    use: "The file has no UTC offset. Choose its time zone.",
  });
  expect((await read("-- requests --\n\n", { utcOffsetMinutes: 0 }))!.file).toMatchObject({
    state: "notUsed",
    use: "The file has no samples that AG Lens uses.",
    server: "SQL9",
    serverFrom: "name",
  });
});

test("a file of another kind isn't read", async () => {
  expect(await read(WAITS, { kind: "errorlog" })).toBeNull();
});
