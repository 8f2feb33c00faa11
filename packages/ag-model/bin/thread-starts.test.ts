import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { startThread, startThreadsAhead, threadsFor } from "./thread-starts.ts";

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

describe.runIf(cores > 1)("threads that were started ahead", () => {
  test("are those that are asked first", async () => {
    startThreadsAhead([64 * MB, 64 * MB]);
    const later = new Worker("", { eval: true }).threadId;
    const [first, second, third] = [startThread(), startThread(), startThread()];
    expect([first, second].every(({ threadId }) => threadId < later)).toBe(true);
    expect(third.threadId).toBeGreaterThan(later);
    await Promise.all([first, second, third].map((thread) => thread.terminate()));
  });

  test("keep no process", () => {
    const program = `import { startThreadsAhead } from ${JSON.stringify(new URL("thread-starts.ts", import.meta.url).href)};
      startThreadsAhead([${64 * MB}, ${64 * MB}]);`;
    const run = ["--input-type=module", "--eval", program];
    const { status, stderr } = spawnSync(process.execPath, run, { encoding: "utf8", timeout: 60_000 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
