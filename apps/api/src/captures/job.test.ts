import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Progress } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { elementAt } from "../../test/element-at.ts";
import { ROOT } from "../../test/service.ts";
import { Thread } from "../threads/thread.ts";
import { AnalysisError, CancelledError } from "./analysis-error.ts";
import { workerAnalyser } from "./job.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "./model-files.ts";

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
  files: [{ id: "f", name: "a.xel", size: 1, role, replica: "SQL1", path }],
  topologies: [],
});

test("a file is recognised in a thread", async () => {
  const { done } = workerAnalyser(1).recognise({ path: await fileOfPrimary(), name: "a.xel" });
  expect(await done).toMatchObject({ kind: "xel", detectedRole: "primary", gaps: [] });
});

test("recognition waits for a free core, and what was cancelled meanwhile is not begun", async () => {
  const analyser = workerAnalyser(1);
  const path = await fileOfPrimary();
  const first = analyser.recognise({ path, name: "a.xel" });
  const second = analyser.recognise({ path: join(folder, "nothing.xel"), name: "nothing.xel" });
  await second.cancel();
  await first.done;
  await expect(second.done).rejects.toThrow(CancelledError);
});

test("a running recognition is cancelled", async () => {
  const job = workerAnalyser(1).recognise({ path: await fileOfPrimary(), name: "a.xel" });
  const refused = expect(job.done).rejects.toThrow(CancelledError);
  await new Promise(setImmediate);
  await job.cancel();
  await refused;
});

test("a file that is gone fails the job with the system's reason", async () => {
  const { done } = workerAnalyser(1).recognise({ path: join(folder, "gone.xel"), name: "gone.xel" });
  await expect(done).rejects.toThrow("ENOENT");
});

test("an analysis reports its phases in order, its first picture, and what is kept", async () => {
  const phases: Progress["phase"][] = [];
  const previews: Uint8Array[] = [];
  const { done } = workerAnalyser().analyse(
    requestFor(await fileOfPrimary(), "primary"),
    ({ phase }) => {
      if (phases.at(-1) !== phase) phases.push(phase);
    },
    (preview) => previews.push(preview),
  );
  const { files, blocks, severity } = await done;
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

test("what the files are to blame for is a sentence with a code", async () => {
  const { done } = workerAnalyser().analyse({ files: [], topologies: [] }, () => {});
  const error = (await done.catch((reason: unknown) => reason)) as AnalysisError;
  expect(error).toBeInstanceOf(AnalysisError);
  expect(error.code).not.toBe("");
  expect(error.message).toMatch(/[a-z].*\.$/u);
});

test("a topology that cannot be read fails the analysis with its sentence", async () => {
  const topology = join(folder, "ag.xml");
  await writeFile(topology, "<AGInfoRoot><row");
  const request = { ...requestFor(await fileOfPrimary(), "primary"), topologies: [topology] };
  await expect(workerAnalyser().analyse(request, () => {}).done).rejects.toThrow(AnalysisError);
});

test("an analysis that is cancelled is refused at once and gives nothing", async () => {
  const job = workerAnalyser().analyse(requestFor(await fileOfPrimary(), "primary"), () => {});
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
  const job = workerAnalyser().analyse(requestFor(await fileOfPrimary(), "primary"), () => {});
  job.done.catch(() => {});
  let over = false;
  const cancelling = job.cancel().then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(over).toBe(false);
  gate.resolve();
  await cancelling;
  await expect(job.done).rejects.toThrow(CancelledError);
});
