import { expect, test } from "vitest";
import { problem } from "@aglens/engine/problems";
import { CancelledError } from "./job.ts";
import { whileRoom } from "./while-room.ts";

/** A job that runs until it is settled, and the calls to it. */
function jobUnderWay() {
  const result = Promise.withResolvers<string>();
  const state = { cancelled: 0, onBytes: (): void => {} };
  const begin = (onBytes: () => void) => {
    state.onBytes = onBytes;
    const cancel = (): Promise<void> => {
      state.cancelled += 1;
      result.reject(new CancelledError("Cancelled."));
      return Promise.resolve();
    };
    return { done: result.promise, cancel };
  };
  return { state, result, begin };
}

const full = () => Promise.reject(problem("disk-full", "full"));

test("a job that writes goes on while there is room, and gives its result", async () => {
  const { state, result, begin } = jobUnderWay();
  const done = whileRoom({ expectRoom: () => Promise.resolve() }, begin);
  state.onBytes();
  await new Promise(setImmediate);
  result.resolve("result");
  expect(await done).toBe("result");
  expect(state.cancelled).toBe(0);
});

test("a job that writes is ended when the disk is full, and that is what refuses it", async () => {
  const { state, begin } = jobUnderWay();
  const done = whileRoom({ expectRoom: full }, begin);
  state.onBytes();
  state.onBytes();
  await expect(done).rejects.toMatchObject({ problem: { code: "disk-full" } });
  expect(state.cancelled).toBeGreaterThan(0);
});

test("what fails a job by itself is what fails it, once it has ended", async () => {
  const { state, result, begin } = jobUnderWay();
  result.reject(new Error("bad zip"));
  await expect(whileRoom({ expectRoom: () => Promise.resolve() }, begin)).rejects.toThrow("bad zip");
  expect(state.cancelled).toBe(1);
});
