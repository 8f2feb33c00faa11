import { AnalysisError } from "@aglens/engine/analysis";
import { expect, test, vi } from "vitest";
import { outcomeOf } from "./outcome.ts";

const NO_MEMORY = new AnalysisError("out-of-memory", "The analysis needs more memory than there is.");

/** An analysis and its files, which end on request of the test. */
function underWay(isComing = true) {
  const done = Promise.withResolvers<string>();
  const came = Promise.withResolvers<void>();
  const cancel = vi.fn(async () => done.reject(new Error("Cancelled.")));
  return {
    done,
    came,
    cancel,
    outcome: outcomeOf({ done: done.promise, cancel }, came.promise, () => isComing),
  };
}

test("an analysis that fails by itself says so at once, whatever is still coming", async () => {
  const { done, outcome } = underWay();
  done.reject(NO_MEMORY);
  await expect(outcome).rejects.toBe(NO_MEMORY);
});

test("what is wrong with a file is said of one that the analysis could not read", async () => {
  const { done, came, cancel, outcome } = underWay();
  done.reject(new Error("The file did not come."));
  came.reject(new Error("The bucket is away."));
  await expect(outcome).rejects.toThrow("The bucket is away.");
  expect(cancel).toHaveBeenCalledOnce();
});

test("where every byte is there it is waited for whether they are sound", async () => {
  const { done, came, outcome } = underWay(false);
  done.reject(new AnalysisError("model.noBlocks", "The files hold no log blocks."));
  came.reject(new Error("a.xel is damaged in the bucket."));
  await expect(outcome).rejects.toThrow("is damaged in the bucket");
});

test("a result counts when all files have come, and are sound", async () => {
  const { done, came, outcome } = underWay();
  const ended = vi.fn();
  void outcome.then(ended);
  done.resolve("result");
  await Promise.resolve();
  expect(ended).not.toHaveBeenCalled();
  came.resolve();
  expect(await outcome).toBe("result");
});
