import type { RangeStatistics, Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { rangeStatistics, replicaSummary, summaryOf } from "../../../../test/summary.ts";
import { foldedGroups, releasingGroups, releasingInView } from "./open-groups.ts";

const modes = ["sync", "sync", "sync", "async", "sync"] as const;
const replicas = modes.map((commitMode, i) =>
  replicaSummary({ name: `SQL${i + 1}`, role: i === 0 ? "primary" : "secondary", commitMode }),
);
const stage = (p95: number): Summary["stages"][number] =>
  ({ remoteHarden: { n: 100, p50: 1, p95, p99: p95, max: p95, mean: 1 } }) as never;
const stages = [stage(3_000), stage(4_000), stage(90_000), stage(4_500)];
const summary = (gates: number[], count = 5): Summary =>
  summaryOf({
    replicas: replicas.slice(0, count),
    stages: stages.slice(0, count - 1),
    commits: { ...summaryOf().commits, gates },
  });

test("of three secondaries and more only the one that released most commits is open", () => {
  expect(foldedGroups(summary([5, 20, 70, 0, 5]), null)).toEqual([1, 3, 4]);
  expect(foldedGroups(summary([5, 20, 70], 3), null)).toEqual([]);
  expect(foldedGroups(summary([5, 20, 70, 0], 4), null)).toEqual([1, 3]);
});

test("of two that released as many the slower one is open; none where no acknowledgment released a commit", () => {
  expect(foldedGroups(summary([0, 40, 40, 0, 40]), null)).toEqual([1, 2, 3]);
  expect(foldedGroups(summary([9, 0, 0, 0, 0]), null)).toEqual([]);
  // No commit waits for an asynchronous replica, whatever its count.
  expect(releasingGroups({ replicas }, [0, 1, 0, 99, 0], [])).toEqual([0, 1]);
});

test("the view's choice wins, and the key goes by what is in view", () => {
  expect(foldedGroups(summary([5, 20, 70, 0, 5]), [0, 3])).toEqual([1, 2, 4]);
  expect(foldedGroups(summary([5, 20, 70, 0, 5]), [])).toEqual([0, 1, 2, 3, 4]);
  const view: RangeStatistics = { ...rangeStatistics(), gates: [0, 3, 2, 0, 0], stages: [] };
  expect(releasingInView(summary([5, 20, 70, 0, 5]), view)).toEqual([0, 1]);
});
