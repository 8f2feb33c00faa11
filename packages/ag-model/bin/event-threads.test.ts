/** Files read in threads have the same answers as files read one after the other. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { XelFormatError } from "xel-parser/format";
import { analyze } from "./analyze.ts";
import { analyzeFiles } from "./analyzed-captures.ts";
import { EventThreads, threadsFor } from "./event-threads.ts";
import { readFileEvents } from "./event-work.ts";

const CAPTURES = join(import.meta.dirname, "../../../fixtures/captures");
const temporary = mkdtempSync(join(tmpdir(), "xel-threads-"));
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(temporary, { recursive: true }));

const xelIn = (folder: string): string[] =>
  readdirSync(join(CAPTURES, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".xel"))
    .map((name) => join(CAPTURES, folder, name));

function written(name: string, bytes: Uint8Array | string): string {
  const path = join(temporary, name);
  writeFileSync(path, bytes);
  return path;
}

const IN_THREADS = { threadsFrom: 0 };
const HERE = { threadsFrom: Number.POSITIVE_INFINITY };

/** Exit code, answer and standard error. */
async function answerOf(args: readonly string[], reading: { readonly threadsFrom: number }) {
  const output: string[] = [];
  const errors: string[] = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void errors.push(text));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
  const ended = vi.spyOn(EventThreads.prototype, "end");
  const code = await analyze(args, (text) => output.push(text), reading);
  expect(ended).toHaveBeenCalledTimes(reading === IN_THREADS && availableParallelism() > 1 ? 1 : 0);
  vi.restoreAllMocks();
  return { code, output, errors };
}

const zip = written(
  "capture.zip",
  zipSync(
    Object.fromEntries([
      ...xelIn("slow-network").map((path, i) => [`${i}.xel`, new Uint8Array(readFileSync(path))] as const),
      ["notes.txt", strToU8("taken at night")],
    ]),
    { level: 1 },
  ),
);

const primary = xelIn("slow-network/primary");
function ofVersion11(): Uint8Array {
  const bytes = readFileSync(primary[0]);
  bytes.writeUInt16LE(11, 4);
  return bytes;
}

/** The first file of the primary with another declared size of GUIDs, so that they are read at wrong positions. */
function readWrongly(): string {
  const file = readFileSync(primary[0]);
  const name = Buffer.from("guid\0\0", "utf16le");
  file[file.indexOf(name) + name.length] = 16;
  return written("wrongly.xel", file);
}

const secondary = xelIn("slow-network/secondary");

test.each([
  [
    "two servers of several files each, with their roles",
    ["--primary", ...primary, "--secondary", ...secondary],
  ],
  ["wrong roles", ["--primary", ...secondary, "--secondary", ...primary]],
  ["a zip with something else in it", [zip]],
  ["damaged files", xelIn("damaged")],
  [
    "files of another kind and of another version",
    [
      written("empty.xel", ""),
      written("words.xel", "no events"),
      written("version11.xel", ofVersion11()),
      primary[0],
    ],
  ],
  ["a file whose ids cannot be those of a group", [readWrongly(), secondary[0]]],
])("%s are answered as by one thread", async (_, args) => {
  const found = await answerOf(args, IN_THREADS);
  expect(found).toEqual(await answerOf(args, HERE));
  expect(found.output.length + found.errors.length).toBeGreaterThan(0);
});

test("a file whose ids cannot be those of a group is named with the reason", async () => {
  const { code, output, errors } = await answerOf([readWrongly(), secondary[0]], IN_THREADS);
  // The other server's file is analyzed without it.
  expect([code, output.length]).toEqual([3, 1]);
  expect(errors).toEqual([
    expect.stringMatching(
      /wrongly\.xel: The events name 4,182 availability databases\. .+, or leave it out\.$/u,
    ),
  ]);
});

test("a server of several files is prepared as a whole, and its events are there for whoever lists them", async () => {
  const args = [...primary, ...secondary];
  const {
    captures: [inThreads],
  } = await analyzeFiles(args, { ...IN_THREADS, keepsEvents: true });
  const {
    captures: [here],
  } = await analyzeFiles(args, { ...HERE, keepsEvents: true });
  expect(inThreads.model).toEqual(here.model);
  expect(inThreads.sources).toEqual(here.sources);
  expect(here.sources.length).toBe(2);
});

test.each([
  ["servers of several files, which are read one after the other", [...primary, ...secondary]],
  ["servers of one file each", [primary[0], secondary[0]]],
])("%s: the same model, without events in memory", async (_, args) => {
  const {
    captures: [here],
  } = await analyzeFiles(args, HERE);
  const {
    captures: [inThreads],
  } = await analyzeFiles(args, IN_THREADS);
  expect(inThreads.model).toEqual(here.model);
  expect(inThreads.sources).toEqual([]);
});

test("files of two servers in one folder, which have the names of one session: each is read by itself", async () => {
  const folder = join(temporary, "both");
  mkdirSync(folder);
  const named = (ticks: number): string => join(folder, `Data_Movement_0_13106974600000${ticks}.xel`);
  const mixed = [primary[0], secondary[0]].map((path, i) => {
    copyFileSync(path, named(1000 + i));
    return named(1000 + i);
  });
  const {
    captures: [apart],
  } = await analyzeFiles([primary[0], secondary[0]], HERE);
  for (const reading of [HERE, IN_THREADS]) {
    const {
      captures: [together],
    } = await analyzeFiles(mixed, reading);
    expect(together.model.blocks).toEqual(apart.model.blocks);
    expect(together.model.hops).toEqual(apart.model.hops);
  }
});

describe("a thread", () => {
  const file = { path: primary[0], name: "SQL1.xel", force: false };

  test("gives a file's events and identity, several files one after the other", async () => {
    const threads = new EventThreads(1);
    try {
      const both = await Promise.all([
        threads.read(file, true),
        threads.read({ ...file, name: "again.xel" }, true),
      ]);
      const here = await readFileEvents(file, true);
      expect(both[0]).toEqual(here);
      expect(both[1].file.name).toBe("again.xel");
      const prepared = await threads.prepare([both[0].columns!]);
      expect(prepared).toMatchObject({ columns: here.columns });
      // Transferred, not copied.
      expect(both[0].columns!.ticks).toHaveLength(0);
    } finally {
      await threads.end();
    }
  });

  test("gives its errors with their class and code, and reads on", async () => {
    const threads = new EventThreads(1);
    try {
      const bad = threads.read({ ...file, path: written("bad.xel", "nothing") }, false);
      await expect(bad).rejects.toBeInstanceOf(XelFormatError);
      await expect(bad).rejects.toMatchObject({ code: "not-xel", offset: 0 });
      const missing = threads.read({ ...file, path: join(temporary, "missing.xel") }, false);
      await expect(missing).rejects.toMatchObject({
        code: "ENOENT",
        message: expect.stringContaining("no such file") as string,
      });
      expect((await threads.read(file, false)).identity.events).toBeGreaterThan(0);
    } finally {
      await threads.end();
    }
  });

  test("that is ended fails what it was asked for, also what waits for its turn and what comes too late", async () => {
    const threads = new EventThreads(1);
    const readings = [threads.read(file, false), threads.read(file, false)];
    const failed = readings.map((reading) => expect(reading).rejects.toThrow("ended without an answer"));
    const ended = threads.end();
    const late = expect(threads.read(file, false)).rejects.toThrow("ended without an answer");
    await Promise.all([...failed, ended, late]);
  });
});

const MB = 2 ** 20;
const cores = availableParallelism();

test.each([
  ["two files of many bytes", [100 * MB, 28 * MB], Math.min(2, cores)],
  ["more files than cores", Array.from({ length: cores + 1 }, () => 128 * MB), cores],
  ["few bytes", [100 * MB, 27 * MB], 0],
  ["one file", [1000 * MB], 1],
])("%s: %j are read by %i threads", (_, sizes, threads) => {
  expect(threadsFor(sizes)).toBe(threads);
});
