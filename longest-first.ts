/** The order in which test files begin: what takes long first, so that no worker is left alone with it at the end. */
import { resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take long for their size, which is all that is known of a file that never ran here; longest first. Where a run
 * before has left its figures, they decide about the others.
 */
const LONGEST = [
  "apps/api/src/live/run/run.test.ts",
  "apps/api/src/live/run/keep.test.ts",
  "fixtures/src/live-model.test.ts",
  "fixtures/src/live-late.test.ts",
  "fixtures/judge/worlds.test.ts",
  "fixtures/fuzz/fuzz.test.ts",
  "fixtures/src/clock-truth.test.ts",
  "fixtures/judge/splitting.test.ts",
  "apps/web/src/screens/overview/overview-screen.test.tsx",
  "packages/xel-parser/src/format/big-file.test.ts",
  "fixtures/judge/grouping.test.ts",
].map((path) => resolve(import.meta.dirname, path));

/** Rank of a file among the longest; others have the last rank. */
function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.indexOf(resolve(moduleId));
  return rank < 0 ? LONGEST.length : rank;
}

/** Project by project, the tests in Node alone first: a worker that changes its project loads everything again. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => b.project.name.localeCompare(a.project.name) || rankOf(a) - rankOf(b));
  }
}
