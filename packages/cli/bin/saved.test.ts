import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tableFromIPC } from "apache-arrow";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { analyzeFiles } from "@aglens/ag-model/commands";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise, captureInBins } from "@aglens/ag-model/query";
import { CaptureFile, encodeModel, encodeWindow } from "@aglens/contract";
import { aglensFileBytes, type PackedCapture } from "@aglens/engine/aglens-file";
import { recognizeFile, type ReadableFile } from "@aglens/engine/files";
import { analyze } from "./saved.ts";
import { tables } from "./tables.ts";

const CAPTURE = fileURLToPath(new URL("../../../fixtures/captures/slow-network/", import.meta.url));

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file of evidence, whose facts keep sensitive texts. */
async function errorlog(server: string): Promise<{ file: CaptureFile; facts: Uint8Array }> {
  const lines = [
    "UTC adjustment: 0:00",
    `Server name is '${server}'.`,
    "SQL Server is starting at normal priority base (=7).",
  ];
  const text = lines.map((line) => `2026-05-14 02:00:00.00 Server      ${line}`).join("\n");
  const bytes = new TextEncoder().encode(`${text}\n\tafter it: secret-4711`);
  const readable = (content: Uint8Array): ReadableFile => ({
    name: "ERRORLOG",
    size: content.length,
    bytes: () => once(content),
    chunks: () => once(content),
    head: (length) => Promise.resolve(content.subarray(0, length)),
    tail: (length) => Promise.resolve(content.subarray(-length)),
  });
  let facts = new Uint8Array();
  const recognized = await recognizeFile(readable(bytes), {
    keepSensitive: true,
    replace: async (pieces) => {
      for await (const piece of pieces) facts = Uint8Array.from(piece);
      return readable(facts);
    },
  });
  const file = CaptureFile.parse({
    ...recognized,
    id: "log",
    name: "ERRORLOG",
    role: "primary",
    replica: server,
  });
  return { file, facts };
}

let folder: string;
let files: string[];
let saved: string;
let damaged: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-saved-"));
  const found = await readdir(CAPTURE, { recursive: true });
  files = found.filter((name) => name.endsWith(".xel")).map((name) => join(CAPTURE, name));
  const {
    captures: [analysed],
  } = await analyzeFiles(files);
  const { model } = analysed!;
  const log = await errorlog(model.replicas[0]!.name);
  const capture: PackedCapture = {
    name: "Slow network",
    created: "2026-01-01T00:00:00.000Z",
    verdict: "",
    severity: "slow",
    place: "network",
    files: [log.file],
    notes: [],
  };
  const bytesWith = (facts: Uint8Array) =>
    aglensFileBytes({
      capture: { ...capture, notes: [] },
      tables: {
        ...encodeModel(model),
        "summary.json": new TextEncoder().encode(JSON.stringify(summarise(model, "", "", diagnose(model)))),
        "preview.arrow": encodeWindow(captureInBins(model, 200)),
      },
      sources: [{ id: "log", bytes: () => once(facts) }],
      replacesNames: false,
    });
  saved = join(folder, "case.aglens");
  await writeFile(saved, bytesWith(log.facts));
  damaged = join(folder, "damaged.aglens");
  await writeFile(damaged, bytesWith(Uint8Array.of(1, 2)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function printed(...args: string[]): Promise<string> {
  const lines: string[] = [];
  expect(await analyze(args, (text) => lines.push(text))).toBe(0);
  return lines.join("\n");
}

test("a saved capture has the verdict and the figures of its event files", async () => {
  expect(await printed(saved)).toBe(await printed(...files));
  expect(JSON.parse(await printed(saved, "--json"))).toEqual(JSON.parse(await printed(...files, "--json")));
});

test("its tables have a row per log block, per replica and per commit, as those of its event files", async () => {
  const [ofFiles, ofSaved] = [join(folder, "files"), join(folder, "saved")];
  expect(await tables([...files, "--out", ofFiles], () => {})).toBe(0);
  expect(await tables([saved, "--out", ofSaved], () => {})).toBe(0);
  for (const name of ["blocks", "hops", "commits", "findings"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [a, b] = await Promise.all(
      [ofFiles, ofSaved].map(async (at) => tableFromIPC(await readFile(join(at, `${name}.arrow`)))),
    );
    expect(String(b), name).toBe(String(a));
  }
});

test("its tables have events of its other files, without sensitive texts", async () => {
  const out = join(folder, "saved");
  expect(await tables([saved, "--out", out], () => {})).toBe(0);
  const rows = tableFromIPC(await readFile(join(out, "evidence_events.arrow"))).toArray();
  expect(rows.map((row) => row!.toJSON()["kind"])).toEqual(["restart"]);
  expect(JSON.stringify(rows)).not.toContain("4711");
});

test("a file of it whose facts can't be read is named, and its tables are written", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const out = join(folder, "damaged");
  expect(await tables([damaged, "--out", out], () => {})).toBe(3);
  expect(said.mock.calls).toEqual([[`${damaged}: Can't read ERRORLOG. Remove the file and add it again.`]]);
  const rowsOf = async (name: string) => tableFromIPC(await readFile(join(out, name))).numRows;
  expect(await rowsOf("evidence_events.arrow")).toBe(0);
  expect(await rowsOf("blocks.arrow")).toBeGreaterThan(0);
});

test("what is none, and event files beside it, are refused with a sentence", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const other = join(folder, "other.aglens");
  await writeFile(other, "no zip");
  expect(await analyze([other])).toBe(4);
  expect(said.mock.lastCall?.[0]).toContain(other);
  expect(await analyze([saved, files[0]!])).toBe(2);
  expect(said.mock.lastCall?.[0]).toMatch(/Provide \.aglens files alone/u);
  expect(await tables([other, "--out", folder])).toBe(4);
  expect(await analyze([join(folder, "gone.aglens")])).toBe(4);
  expect(said.mock.lastCall?.[0]).toMatch(
    /^Can't read .*gone\.aglens: no such file or folder exists\. Check/u,
  );
  expect(await analyze([saved, other], () => {})).toBe(3);
  expect(said.mock.lastCall?.[0]).toMatch(/^Can't read .*other\.aglens\. /u);
});
