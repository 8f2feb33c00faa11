import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { settled, withAnswers } from "../../test/answers.tsx";
import { ProblemError } from "./problem.ts";
import { useCommand } from "./use-command.ts";

function command() {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  const { result } = renderHook(() => useCommand(work), { wrapper: withAnswers() });
  const state = () => [result.current.isRunning, result.current.error];
  return { runs, state, run: () => settled(() => result.current.run()) };
}

test("a command runs until its work is done", async () => {
  const { runs, state, run } = command();
  expect(state()).toEqual([false, null]);
  await run();
  expect(state()).toEqual([true, null]);
  await settled(() => runs[0]?.resolve());
  expect(state()).toEqual([false, null]);
});

test("why it failed is said until it runs again", async () => {
  const { runs, state, run } = command();
  await run();
  await settled(() => runs[0]?.reject(new ProblemError("gone", 404, "There is no such capture.")));
  expect(state()).toEqual([false, "There is no such capture."]);
  await run();
  expect(state()).toEqual([true, null]);
});

test("one that the app itself ended has not failed", async () => {
  const { runs, state, run } = command();
  await run();
  await settled(() => runs[0]?.reject(new DOMException("Upload stopped", "AbortError")));
  expect(state()).toEqual([false, null]);
});
