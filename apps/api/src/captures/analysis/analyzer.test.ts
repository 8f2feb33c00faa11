import type { Worker } from "node:worker_threads";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { createXelWriter } from "xel-parser/writer";
import type { Progress } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { Thread } from "../../threads/thread.ts";
import { AnalysisError } from "@aglens/engine/analysis";
import { CancelledError } from "../jobs/job.ts";
import { workerAnalyzer } from "./analyzer.ts";
import type { Analyzer } from "./analyzer.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { until } from "../../../test/until.ts";

const SAMPLE = join(ROOT, "fixtures/captures/slow-secondary-disk");
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-job-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOfPrimary(): Promise<string> {
  const from = join(SAMPLE, "primary", elementAt(await readdir(join(SAMPLE, "primary")), 0));
  const path = join(folder, "a.xel");
  await copyFile(from, path);
  return path;
}

const requestFor = (path: string, role: "primary" | "secondary") => ({
  files: [{ id: "f", name: "a.xel", size: 1, role, replica: "SQL1", path, from: null }] as const,
  topologies: [],
});

test("a file is recognized in a thread", async () => {
  const { done } = workerAnalyzer(undefined, 1).recognise(
    { path: await fileOfPrimary(), name: "a.xel" },
    "c",
  );
  expect(await done).toMatchObject({ kind: "xel", detectedRole: "primary", gaps: [] });
});

test("the thread of a file that is being sent starts meanwhile, is the one that recognizes it, and ends without it", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const path = await fileOfPrimary();
  const threads = { started: 0, ended: 0 };
  const count = (thread: Worker): void => {
    threads.started++;
    thread.once("exit", () => threads.ended++);
  };
  process.on("worker", count);
  try {
    const over = analyzer.expectFile();
    // No more threads than cores, regardless of the number of files.
    analyzer.expectFile()();
    const { done } = analyzer.recognise({ path, name: "a.xel" }, "c");
    expect(await done).toMatchObject({ kind: "xel", detectedRole: "primary" });
    over();
    await until(() => threads.ended === 1);
    const neverCame = analyzer.expectFile();
    neverCame();
    await until(() => threads.ended === 2);
    expect(threads.started).toBe(2);
  } finally {
    process.off("worker", count);
  }
  expect(await analyzer.recognise({ path, name: "a.xel" }, "c").done).toMatchObject({ kind: "xel" });
});

describe("the thread of a file that was sent", () => {
  const threads = { started: 0, ended: 0 };
  const count = (thread: Worker): void => {
    threads.started++;
    thread.once("exit", () => threads.ended++);
  };
  beforeEach(() => {
    Object.assign(threads, { started: 0, ended: 0 });
    process.on("worker", count);
  });
  afterEach(() => process.off("worker", count));

  /** Sends a file and reads it, while it arrives or after it is complete. */
  async function sent(analyzer: Analyzer, path: string, size: number, isFollowed: boolean): Promise<void> {
    const file = { path, name: "a.xel" };
    const over = analyzer.expectFile();
    const followed = isFollowed ? analyzer.follow(file, "c", size) : null;
    followed?.end((await stat(path)).size, "ab");
    expect(await (followed ?? analyzer.recognise(file, "c", size)).done).toMatchObject({ kind: "xel" });
    over();
  }

  test("reads the small ones that come behind it too, and ends when none comes any more", async () => {
    const analyzer = workerAnalyzer(undefined, 1);
    const path = await fileOfPrimary();
    for (const isFollowed of [true, false, true, false]) {
      await sent(analyzer, path, 1_000, isFollowed);
      await until(() => analyzer.load.recognising === 0);
    }
    expect(threads).toEqual({ started: 1, ended: 0 });
    await until(() => threads.ended === 1);
  });

  test.each([true, false])("ends with a large one, followed: %s", async (isFollowed) => {
    const analyzer = workerAnalyzer(undefined, 1);
    const path = await fileOfPrimary();
    await sent(analyzer, path, 1_000, true);
    await until(() => analyzer.load.recognising === 0);
    await sent(analyzer, path, 17 * 1024 * 1024, isFollowed);
    await until(() => threads.ended === 1);
    await sent(analyzer, path, 1_000, isFollowed);
    expect(threads.started).toBe(2);
  });
});

test("a file is read while it arrives by the thread that waits for it, within the memory for such files", async () => {
  const analyzer = workerAnalyzer({ most: 1, memoryBytes: 8000 }, 1);
  const path = await fileOfPrimary();
  const file = { path, name: "a.xel" };
  expect(analyzer.follow(file, "c", 1)).toBeNull();
  const over = analyzer.expectFile();
  // An eighth of the memory.
  expect(analyzer.follow(file, "c", 1001)).toBeNull();
  const followed = analyzer.follow(file, "c", 1000);
  expect(analyzer.load.recognising).toBe(0);
  // Complete files do not wait for it.
  expect(await analyzer.recognise(file, "d").done).toMatchObject({ detectedRole: "primary" });
  await until(() => analyzer.load.recognising === 0);
  followed?.end((await stat(path)).size, "ab");
  expect(analyzer.load.recognising).toBe(1);
  expect(await followed?.done).toMatchObject({ detectedRole: "primary", gaps: [], sha256: "ab" });
  over();
});

test("how far a file is read is told while its parts come", async () => {
  const name = "log_flush_start";
  const schema = { packages: [{ name: "sqlserver", id: 2, events: [{ name, columns: [] }] }] };
  const writer = createXelWriter(schema, { bufferBytes: 64 * 1024 });
  const events = 100_000;
  for (let i = 1; i <= events; i++) writer.write(name, 10_000 * i, {});
  const bytes = writer.finish();
  const path = join(folder, "a.xel");
  await writeFile(path, bytes);
  const analyzer = workerAnalyzer(undefined, 1);
  const over = analyzer.expectFile();
  const followed = analyzer.follow({ path, name: "a.xel" }, "c", bytes.length);
  expect(followed?.soFar()).toEqual({ bytes: 0, points: [] });
  const half = bytes.length >> 1;
  followed?.arrived(half);
  await until(() => (followed?.soFar().points.length ?? 0) > 0);
  const { bytes: read = 0, points = [] } = followed?.soFar() ?? {};
  expect(read).toBeLessThanOrEqual(half);
  // One event a millisecond.
  const [first] = points;
  expect(first?.events).toBeLessThan(events / 2);
  // One event a millisecond, from a full second on.
  expect(first?.at.split(".")[1]).toBe(`${String((first?.events ?? 0) % 1000).padStart(3, "0")}0000Z`);
  followed?.end(bytes.length, "ab");
  expect(await followed?.done).toMatchObject({ events });
  over();
});

test("the thread of a file that does not come in full ends", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  analyzer.expectFile();
  const followed = analyzer.follow({ path: await fileOfPrimary(), name: "a.xel" }, "c", 9);
  followed?.arrived(1_000_000);
  await followed?.cancel();
  await expect(followed?.done).rejects.toThrow(CancelledError);
  // Its place is free again.
  expect(analyzer.expectFile()).toBeTypeOf("function");
  expect(analyzer.follow({ path: join(folder, "b.xel"), name: "b.xel" }, "c", 9)).not.toBeNull();
});

test("recognition waits for a free core, and what was cancelled meanwhile is not begun", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const path = await fileOfPrimary();
  const first = analyzer.recognise({ path, name: "a.xel" }, "c");
  const second = analyzer.recognise({ path: join(folder, "nothing.xel"), name: "nothing.xel" }, "c");
  const refused = expect(second.done).rejects.toThrow(CancelledError);
  await second.cancel();
  await refused;
  await first.done;
});

test("a zip is unpacked in a thread: its files are written to the folder that was given", async () => {
  const [path, to] = [join(folder, "z.zip"), join(folder, "unpacked")];
  await writeFile(path, zipSync({ "SQL1/a.xel": strToU8("abc") }));
  const name = { name: "z.zip", folder: null, path: "" };
  const request = { path, name, folder: to, maxFiles: 1, maxBytes: 10 };
  const [file, ...more] = await workerAnalyzer().unpack(request, () => {}).done;
  expect(file).toMatchObject({ name: { name: "a.xel", folder: "SQL1", path: "z.zip/SQL1" }, size: 3 });
  expect(await readFile(file?.path ?? "", "utf8")).toBe("abc");
  expect(more).toEqual([]);
});

test("a zip that is refused is refused with its sentence, from a thread too", async () => {
  const path = join(folder, "z.zip");
  await writeFile(path, zipSync({ "a.xel": strToU8("abc") }).subarray(0, 60));
  const name = { name: "z.zip", folder: null, path: "" };
  const request = { path, name, folder: join(folder, "unpacked"), maxFiles: 1, maxBytes: 10 };
  await expect(workerAnalyzer().unpack(request, () => {}).done).rejects.toMatchObject({
    problem: { code: "bad-zip", detail: expect.stringContaining("before its directory") },
  });
});

test("files that wait are read by one thread after the other, and a broken one takes only itself along", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const path = await fileOfPrimary();
  const gone = analyzer.recognise({ path: join(folder, "gone.xel"), name: "gone.xel" }, "c").done;
  const files = Array.from({ length: 20 }, () => analyzer.recognise({ path, name: "a.xel" }, "c").done);
  expect(analyzer.load).toMatchObject({ recognising: 1, filesWaiting: 20 });
  await expect(gone).rejects.toThrow("ENOENT");
  const kinds = (await Promise.all(files)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["xel"]));
  expect(analyzer.load).toMatchObject({ filesWaiting: 0 });
});

test("a running recognition is cancelled", async () => {
  const job = workerAnalyzer(undefined, 1).recognise({ path: await fileOfPrimary(), name: "a.xel" }, "c");
  const refused = expect(job.done).rejects.toThrow(CancelledError);
  await new Promise(setImmediate);
  await job.cancel();
  await refused;
});

test("a file that is gone fails the job with the system's reason", async () => {
  const { done } = workerAnalyzer(undefined, 1).recognise(
    { path: join(folder, "gone.xel"), name: "gone.xel" },
    "c",
  );
  await expect(done).rejects.toThrow("ENOENT");
});

test("an analysis begins with what was read and prepared on receipt: the file is not read again", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const request = requestFor(await fileOfPrimary(), "primary");
  const [{ path }] = request.files;
  const again = await analyzer.analyse(request, { onProgress: () => {} }).done;
  await analyzer.recognise({ path, name: "a.xel", storedAt: path, prepares: true }, "c").done;
  await rm(path);
  const sources = [{ name: "a.xel", path, checksum: { bytes: 1, sha256: "" } }];
  expect((await analyzer.analyse({ ...request, sources }, { onProgress: () => {} }).done).files).toEqual(
    again.files,
  );
});

test("an analysis that is cancelled while its events still come leaves them to the next one", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const request = requestFor(await fileOfPrimary(), "primary");
  const [{ path }] = request.files;
  await analyzer.recognise({ path, name: "a.xel", storedAt: path, prepares: true }, "c").done;
  const first = analyzer.analyse(request, { onProgress: () => {} });
  const refused = expect(first.done).rejects.toThrow(CancelledError);
  await first.cancel();
  await refused;
  await rm(path);
  expect((await analyzer.analyse(request, { onProgress: () => {} }).done).first?.length).toBeGreaterThan(0);
});

test("what was prepared of one of a server's files does not serve their analysis: both are read, and held against their checksums", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const request = requestFor(await fileOfPrimary(), "primary");
  const [file] = request.files;
  await analyzer.recognise({ path: file.path, name: "a.xel", storedAt: file.path, prepares: true }, "c").done;
  const sources = [{ name: "a.xel", path: file.path, checksum: { bytes: 1, sha256: "" } }];
  const files = [file, { ...file, id: "g", name: "b.xel" }];
  await expect(
    analyzer.analyse({ ...request, files, sources }, { onProgress: () => {} }).done,
  ).rejects.toThrow("a.xel");
});

test("files of one server that overlap are analyzed alike, whether or not their events were kept on receipt", async () => {
  const analyzer = workerAnalyzer(undefined, 1);
  const request = requestFor(await fileOfPrimary(), "primary");
  const [first] = request.files;
  const path = join(folder, "b.xel");
  await copyFile(first.path, path);
  const files = [first, { ...first, id: "g", name: "b.xel", path }];
  const fromDisk = await analyzer.analyse({ ...request, files }, { onProgress: () => {} }).done;
  for (const { path: storedAt, name } of files)
    await analyzer.recognise({ path: storedAt, name, storedAt, prepares: false }, "c").done;
  expect((await analyzer.analyse({ ...request, files }, { onProgress: () => {} }).done).files).toEqual(
    fromDisk.files,
  );
});

test("an analysis reports its phases in order, its first picture, and what is kept", async () => {
  const phases: Progress["phase"][] = [];
  const previews: Uint8Array[] = [];
  const keptFirst: string[][] = [];
  const { done } = workerAnalyzer().analyse(requestFor(await fileOfPrimary(), "primary"), {
    onProgress: ({ phase }) => {
      if (phases.at(-1) !== phase) phases.push(phase);
    },
    onPreview: (preview) => previews.push(preview),
    onKept: (kept) => keptFirst.push(Object.keys(kept.files)),
  });
  void done.then(() => keptFirst.push(["the end"]));
  const { files, blocks, severity } = await done;
  expect(keptFirst).toEqual([Object.keys(files), ["the end"]]);
  expect(phases.filter((phase) => phase !== "decode")).toEqual([
    "roles",
    "join",
    "align",
    "measure",
    "verdict",
    "store",
  ]);
  expect(previews).toHaveLength(1);
  expect(files[PREVIEW_FILE]).toEqual(previews[0]);
  expect(JSON.parse(new TextDecoder().decode(files[SUMMARY_FILE]))).toMatchObject({
    blocks: { total: blocks },
  });
  expect(blocks).toBeGreaterThan(0);
  expect(severity).not.toBe("");
});

test("who does not ask for what is kept before the end has it then", async () => {
  const request = requestFor(await fileOfPrimary(), "primary");
  const { files } = await workerAnalyzer().analyse(request, { onProgress: () => {} }).done;
  expect(Object.keys(files)).toEqual(expect.arrayContaining([PREVIEW_FILE, SUMMARY_FILE]));
});

test("what the files are to blame for is a sentence with a code", async () => {
  const { done } = workerAnalyzer().analyse({ files: [], topologies: [] }, { onProgress: () => {} });
  const error = (await done.catch((reason: unknown) => reason)) as AnalysisError;
  expect(error).toBeInstanceOf(AnalysisError);
  expect(error.code).not.toBe("");
  expect(error.message).toMatch(/[a-z].*\.$/u);
});

test("a topology that cannot be read fails the analysis with its sentence", async () => {
  const topology = join(folder, "ag.xml");
  await writeFile(topology, "<AGInfoRoot><row");
  const request = { ...requestFor(await fileOfPrimary(), "primary"), topologies: [topology] };
  await expect(workerAnalyzer().analyse(request, { onProgress: () => {} }).done).rejects.toThrow(
    AnalysisError,
  );
});

test("an analysis that is cancelled is refused at once and gives nothing", async () => {
  const job = workerAnalyzer().analyse(requestFor(await fileOfPrimary(), "primary"), {
    onProgress: () => {},
  });
  const refused = expect(job.done).rejects.toThrow(CancelledError);
  await job.cancel();
  await refused;
});

test("a cancellation is over when the thread has ended, not before", async () => {
  const gate = Promise.withResolvers<void>();
  const ending = vi.spyOn(Thread.prototype, "end").mockImplementation(async function (this: Thread<never>) {
    await gate.promise;
    ending.mockRestore();
    await this.end();
  });
  const job = workerAnalyzer().analyse(requestFor(await fileOfPrimary(), "primary"), {
    onProgress: () => {},
  });
  job.done.catch(() => {});
  let over = false;
  const cancelling = job.cancel().then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(over).toBe(false);
  gate.resolve();
  await cancelling;
  await expect(job.done).rejects.toThrow(CancelledError);
});
