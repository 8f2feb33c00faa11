/** Work that takes minutes outlives a short absence of the bucket, such as its server's start. */
import { setTimeout as pause } from "node:timers/promises";
import { ProblemError } from "@aglens/engine/problems";

/** Pauses before further tries, ms: a minute in all. */
const WAITS_MS: readonly number[] = [500, 1_500, 4_000, 9_000, 15_000, 30_000];

/**
 * Does work again while the bucket does not answer, after ever longer waits, a bounded number of times.
 * @param signal ends the waiting
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
  waitsMs: readonly number[] = WAITS_MS,
): Promise<Result> {
  for (const waitMs of waitsMs) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    await pause(waitMs, undefined, { signal });
  }
  return work();
}

/** Whether an error means that the bucket does not answer. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.code === "bucket-unreachable";
