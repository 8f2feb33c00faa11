import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knowsOpenFiles, openFiles } from "@aglens/reference-data/open-files";
import { afterAll, expect, test } from "vitest";
import { readXelBytes } from "../src/format/index.ts";
import { chunksOf } from "./file.ts";
import { eventsIn, openSource } from "./source.ts";

const temporary = mkdtempSync(join(tmpdir(), "xel-source-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const FOLDER = join(import.meta.dirname, "../../../fixtures/captures/slow-network/primary");
const XEL = join(FOLDER, readdirSync(FOLDER)[0]);
const EVENT = '<event name="x" package="p" timestamp="2026-01-02T03:04:05.006Z"></event>';

function written(name: string, text: string): string {
  const path = join(temporary, name);
  writeFileSync(path, text);
  return path;
}

async function names(path: string, only?: string): Promise<string[]> {
  const found: string[] = [];
  const options = only === undefined ? {} : { only: new Set([only]) };
  for await (const { name } of eventsIn(path, options)) found.push(name);
  return found;
}

test("a file is recognized by its beginning, whatever its name", async () => {
  expect(await names(XEL)).toEqual(readXelBytes(readFileSync(XEL)).events.map(({ name }) => name));
  expect(await names(written("a.txt", EVENT.repeat(3000)))).toHaveLength(3000);
  const csv = written("b.xel", "name,timestamp\nx,2026-01-02 03:04:05\ny,2026-01-02 03:04:06");
  expect(await names(csv)).toEqual(["x", "y"]);
  expect(await names(csv, "y")).toEqual(["y"]);
});

test("what is none of them is refused as no .xel file", async () => {
  await expect(names(written("c.xel", "hello"))).rejects.toMatchObject({ code: "not-xel" });
  await expect(names(written("d.xel", ""))).rejects.toMatchObject({ code: "empty-file" });
});

test.runIf(knowsOpenFiles)("a reader that never began leaves no file open", async () => {
  // Longer than the bytes read to recognize it, and than those read ahead.
  const long = written("long.xml", EVENT.repeat(100_000));
  const { kind, chunks } = await openSource(long);
  expect(kind).toBe("xml");
  expect(openFiles(long)).toEqual([long]);
  await chunks[Symbol.asyncIterator]().return?.();
  await expect.poll(() => openFiles(long)).toEqual([]);

  await chunksOf(long).return(undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(openFiles(long)).toEqual([]);
});

test("a source that was recognized is read from its beginning, and can be left in the middle", async () => {
  const text = EVENT.repeat(100_000);
  const path = written("whole.xml", text);
  const read: Uint8Array[] = [];
  for await (const chunk of (await openSource(path)).chunks) read.push(chunk);
  expect(Buffer.concat(read).equals(Buffer.from(text))).toBe(true);
  for await (const chunk of (await openSource(path)).chunks) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await expect.poll(() => openFiles(path)).toEqual([]);
});
