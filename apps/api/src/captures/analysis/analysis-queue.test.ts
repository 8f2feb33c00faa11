import { expect, test } from "vitest";
import { AnalysisQueue, limitsOfMachine, memoryFor } from "./analysis-queue.ts";
import type { QueuedJob } from "./analysis-queue.ts";
import { CancelledError } from "../jobs/job.ts";

/** A queue of jobs that end when the test ends them. */
function queueOf(most: number, memoryBytes = Number.MAX_SAFE_INTEGER) {
  const queue = new AnalysisQueue({ most, memoryBytes });
  const begun: string[] = [];
  const places: string[] = [];
  const start = (name: string, fileBytes = 0) => {
    const work = Promise.withResolvers<string>();
    const threadEnds = Promise.withResolvers<void>();
    const job: QueuedJob<string> = queue.start(
      fileBytes,
      () => {
        begun.push(name);
        return {
          done: work.promise,
          cancel: () => {
            work.reject(new CancelledError(""));
            return threadEnds.promise;
          },
        };
      },
      () => places.push(`${name} ${job.waiting?.place ?? "runs"}`),
    );
    job.done.catch(() => {});
    const finish = async (): Promise<void> => {
      work.resolve(name);
      await job.done;
      await new Promise(setImmediate);
    };
    return { job, finish, fail: work.reject, endThread: threadEnds.resolve };
  };
  return { queue, begun, places, start };
}

const settled = (): Promise<void> => new Promise(setImmediate);

test("so many run at the same time; the others wait in order, and see their place", async () => {
  const { queue, begun, places, start } = queueOf(2);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => start(name));
  expect(begun).toEqual(["a", "b"]);
  expect([queue.running, queue.waiting]).toEqual([2, 2]);
  expect(a?.job.waiting).toBeNull();
  expect(c?.job.waiting).toEqual({
    place: 1,
    reason: "2 analyses run; no more run at the same time (AGLENS_ANALYSES).",
  });
  expect(d?.job.waiting).toEqual({ place: 2, reason: "2 run and 1 wait before it." });
  await a?.finish();
  expect(begun).toEqual(["a", "b", "c"]);
  expect(places).toEqual(["c runs", "d 1"]);
  b?.fail(new Error("broken"));
  await settled();
  expect(begun).toEqual(["a", "b", "c", "d"]);
  expect(await a?.job.done).toBe("a");
  await expect(b?.job.done).rejects.toThrow("broken");
});

test("memory bounds them as well, and the largest of all runs by itself", async () => {
  const need = memoryFor(1e9);
  const { begun, start } = queueOf(9, 2 * need);
  const first = start("first", 1e9);
  start("just fits", 1e9);
  expect(begun).toEqual(["first", "just fits"]);
  const small = start("small");
  expect(small.job.waiting?.reason).toBe(
    "It needs about 0.1 GB of memory; those that run need 9.1 of the 9.1 GB for analyses (AGLENS_ANALYSIS_MEMORY_BYTES).",
  );
  await first.finish();
  expect(begun).toEqual(["first", "just fits", "small"]);

  const tight = queueOf(9, need - 1);
  tight.start("larger than all", 1e9);
  const next = tight.start("small");
  expect(tight.begun).toEqual(["larger than all"]);
  expect(next.job.waiting?.place).toBe(1);
});

test("a small one does not overtake a large one", () => {
  const { begun, start } = queueOf(9, memoryFor(1e9));
  start("a", 0.9e9);
  start("large", 1e9);
  start("small");
  expect(begun).toEqual(["a"]);
});

test("one that is cancelled while it waits is never begun, and lets the others up", async () => {
  const { begun, places, start } = queueOf(1);
  const a = start("a");
  const b = start("b");
  start("c");
  await b.job.cancel();
  await expect(b.job.done).rejects.toThrow(CancelledError);
  expect(places).toEqual(["c 1"]);
  await a.finish();
  expect(begun).toEqual(["a", "c"]);
});

test("one that is cancelled while it runs makes room when its thread has ended, not before", async () => {
  const { begun, start } = queueOf(1);
  const a = start("a");
  start("b");
  const cancelling = a.job.cancel();
  await expect(a.job.done).rejects.toThrow(CancelledError);
  await settled();
  expect(begun).toEqual(["a"]);
  a.endThread();
  await cancelling;
  expect(begun).toEqual(["a", "b"]);
});

test("limits that nobody set are the machine's", () => {
  const { most, memoryBytes } = limitsOfMachine(null, null);
  expect(most).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(1e8);
  expect(limitsOfMachine(3, 4)).toEqual({ most: 3, memoryBytes: 4 });
});

test("a small job would not begin at once while a large one waits for memory: it would overtake", async () => {
  const MB = 1_000_000;
  const { queue, start } = queueOf(3, memoryFor(100 * MB));
  const small = start("small", 1 * MB);
  expect(queue.mayBegin(1 * MB)).toBe(true);
  start("large", 99 * MB);
  expect(queue.waiting).toBe(1);
  expect(queue.mayBegin(1 * MB)).toBe(false);
  await small.finish();
});
