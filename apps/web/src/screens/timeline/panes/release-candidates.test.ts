import type { Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { replicaSummary, summaryOf } from "../../../../test/summary.ts";
import { releaseCandidates, releasesInView } from "./release-candidates.ts";

function capture(modes: readonly Summary["replicas"][number]["commitMode"][], gates: number[]): Summary {
  const replicas = modes.map((commitMode, i) =>
    replicaSummary({ name: `SQL${i + 1}`, role: i === 0 ? "primary" : "secondary", commitMode }),
  );
  return summaryOf({ replicas, commits: { ...summaryOf().commits, gates } });
}

test("candidates are the secondaries that commits wait for, most releases first, then the local log write", () => {
  const candidates = releaseCandidates(capture(["sync", "sync", "async", "undetermined"], [900, 20, 0, 70]));
  expect(candidates.map(({ name }) => name)).toEqual(["SQL4", "SQL2", "local log write"]);
  // In another view the order stays, and the figures are those of the view.
  expect(candidates.map((candidate) => releasesInView([3, 8, 0, 5], candidate))).toEqual([5, 8, 3]);
});

test("a single secondary that commits wait for needs no lane", () => {
  expect(releaseCandidates(capture(["sync", "sync", "async"], [1, 2, 0]))).toEqual([]);
  expect(releaseCandidates(capture(["sync", "sync", "sync"], [1, 2, 0]))).toHaveLength(3);
});
