import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeModel, TABLES_FORMAT } from "@aglens/contract";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import { checksumOf } from "../../store/checksum.ts";
import type { HeldCapture } from "./answer-thread.ts";
import { isSmall, SharedAnswerThreads } from "./shared-answer-thread.ts";
import type { Answer } from "@aglens/engine/answers";

const NEVER = new AbortController().signal;
let folders: string[];
let threads: SharedAnswerThreads;

/** Captures of one, two and three blocks. */
beforeAll(async () => {
  folders = await Promise.all(
    [1, 2, 3].map(async (blocks) => {
      const folder = await mkdtemp(join(tmpdir(), "aglens-shared-"));
      const model = modelOf(Array.from({ length: blocks }, (_, block) => ({ at: 1_000 * block })));
      for (const [file, bytes] of Object.entries(encodeModel(model)))
        await writeFile(join(folder, file), bytes);
      return folder;
    }),
  );
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
beforeEach(() => {
  threads = new SharedAnswerThreads();
});
afterEach(() => threads.close());

const storedAs = (files: StoredAnalysis["files"]): StoredAnalysis => ({ format: TABLES_FORMAT, files });
const captureIn = (folder: string): HeldCapture => ({ folder, stored: undefined, paths: {} });
const blocksIn = (answer: Answer | null): number =>
  (JSON.parse(new TextDecoder().decode(answer?.bytes)) as { blocks: number }).blocks;

test("many captures share threads, and each question is answered about its own", async () => {
  const opened = folders.map((folder) => threads.open(captureIn(folder), () => {}));
  const answers = await Promise.all(
    opened.flatMap((capture) => [0, 1].map(() => capture.ask({ ask: "statistics" }, NEVER))),
  );
  expect(answers.map(blocksIn)).toEqual([1, 1, 2, 2, 3, 3]);
  expect(opened.map(({ isBusy, isShared }) => [isBusy, isShared])).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test("a question that does not fit is refused, and the next one is answered", async () => {
  const [folder = ""] = folders;
  const capture = threads.open(captureIn(folder), () => {});
  const bad = capture.ask({ ask: "overview", bins: 10, secondary: 7 }, NEVER);
  const good = capture.ask({ ask: "statistics" }, NEVER);
  await expect(bad).rejects.toMatchObject({ problem: { code: "bad-request" } });
  expect(blocksIn(await good)).toBe(1);
});

test("tables that are missing fail the question, and are read again once they are there", async () => {
  const gone = await mkdtemp(join(tmpdir(), "aglens-shared-"));
  const capture = threads.open(captureIn(gone), () => {});
  await expect(capture.ask({ ask: "statistics" }, NEVER)).rejects.toMatchObject({
    problem: { code: "capture-damaged" },
  });
  for (const [file, bytes] of Object.entries(encodeModel(modelOf([{ at: 0 }]))))
    await writeFile(join(gone, file), bytes);
  expect(blocksIn(await capture.ask({ ask: "statistics" }, NEVER))).toBe(1);
  await rm(gone, { recursive: true });
});

test("tables that were asked last are kept, as many as the memory of the process allows", async () => {
  const [first = "", second = ""] = folders;
  const withChecksums = async (folder: string): Promise<HeldCapture> => ({
    ...captureIn(folder),
    stored: storedAs(
      Object.fromEntries(
        await Promise.all(
          (await readdir(folder)).map(
            async (file) => [file, checksumOf(await readFile(join(folder, file)))] as const,
          ),
        ),
      ),
    ),
  });
  const captures = await Promise.all([first, second].map(withChecksums));
  /** Asks both of one thread, and then the first again, whose tables were deleted from the disk. */
  const stillAnswers = async (memoryBytes: number): Promise<boolean> => {
    const own = new SharedAnswerThreads(undefined, memoryBytes);
    // Each gets the next thread: the first and the last the same one, of up to four.
    const handles = Array.from({ length: 13 }, (_, i) => own.open(captures[i % 12 === 0 ? 0 : 1]!, () => {}));
    for (const handle of handles.slice(0, 12)) await handle.ask({ ask: "statistics" }, NEVER);
    await rename(first, `${first}-gone`);
    const answered = handles[12]!.ask({ ask: "markers" }, NEVER).then(
      () => true,
      () => false,
    );
    const isKept = await answered;
    await rename(`${first}-gone`, first);
    await own.close();
    return isKept;
  };
  expect(await stillAnswers(64e9)).toBe(true);
  expect(await stillAnswers(1)).toBe(false);
});

test("who went away is left out; a capture that is closed refuses what it was asked and answers nothing more", async () => {
  let ended = 0;
  const [folder = ""] = folders;
  const capture = threads.open(captureIn(folder), () => (ended += 1));
  const left = new AbortController();
  const first = capture.ask({ ask: "markers" }, NEVER);
  const skipped = capture.ask({ ask: "markers" }, left.signal);
  left.abort();
  expect(capture.isBusy).toBe(true);
  expect([(await first)?.type, await skipped]).toEqual(["arrow", null]);
  const asked = Promise.allSettled([0, 1].map(() => capture.ask({ ask: "markers" }, NEVER)));
  await capture.close();
  await capture.close();
  for (const result of await asked)
    expect(result).toMatchObject({ status: "rejected", reason: { problem: { code: "wrong-state" } } });
  await expect(capture.ask({ ask: "markers" }, NEVER)).rejects.toThrow("changed");
  expect(ended).toBe(1);
});

test("a capture is small when its tables are known to be; one of an earlier version is not", () => {
  const of = (...sizes: number[]): HeldCapture => ({
    ...captureIn("x"),
    stored: storedAs(Object.fromEntries(sizes.map((bytes, i) => [String(i), { bytes, sha256: "" }]))),
  });
  expect([isSmall(of()), isSmall(of(1e6, 23e6)), isSmall(of(1e6, 23_000_001))]).toEqual([false, true, false]);
});
