import type { StageCount } from "@aglens/ag-model/live";
import { TestClock } from "@aglens/fixtures/clock";
import { expect, test } from "vitest";
import { durationsText } from "../status/group-metrics.ts";
import { GroupHistograms, MOST_GROUPS, MOST_REPLICAS } from "./group-histograms.ts";

const counted = (bucket: number, stage: StageCount["stage"] = "commit", replica = "SQL1"): StageCount => ({
  stage,
  replica,
  counts: Array.from({ length: 15 }, (_, i) => (i === bucket ? 3 : 0)),
  sumUs: 6_000,
});
const groupsOf = (histograms: GroupHistograms): string[] => histograms.read().map(({ group }) => group);

test("adds the counts of a run, and has them for a minute after it", async () => {
  const clock = new TestClock();
  const histograms = new GroupHistograms(clock);
  const run = {};
  for (const bucket of [1, 1, 2]) histograms.add(run, "SALES-AG", [counted(bucket)]);
  expect(histograms.read()).toMatchObject([
    {
      group: "SALES-AG",
      replica: "SQL1",
      stage: null,
      counts: [0, 6, 3, ...Array(12).fill(0)],
      sumUs: 18_000,
    },
  ]);
  histograms.end(run);
  await clock.pass(59_999, 1_000);
  expect(groupsOf(histograms)).toEqual(["SALES-AG"]);
  await clock.pass(1, 1_000);
  expect(groupsOf(histograms)).toEqual([]);
});

test("counts one of several runs of a group, and never fewer than before", async () => {
  const clock = new TestClock();
  const histograms = new GroupHistograms(clock);
  const [first, second] = [{}, {}];
  const all = (): number => histograms.read()[0]?.counts[1] ?? 0;
  histograms.add(first, "SALES-AG", [counted(1)]);
  histograms.add(second, "SALES-AG", [counted(1)]);
  expect(all()).toBe(3);
  histograms.end(second);
  histograms.end(first);
  await clock.pass(30_000, 1_000);
  histograms.add(second, "SALES-AG", [counted(1)]);
  await clock.pass(90_000, 1_000);
  expect(all()).toBe(6);
});

test("groups of two clusters with one name both count, and two runs of one of them once", () => {
  const histograms = new GroupHistograms(new TestClock());
  histograms.add({ run: 1 }, "AG1", [counted(1)], ["a", "b"]);
  histograms.add({ run: 2 }, "AG1", [counted(1, "commit", "CRM1")], ["c", "d"]);
  histograms.add({ run: 3 }, "AG1", [counted(1, "commit", "CRM1")], ["d"]);
  histograms.add({ run: 4 }, "AG1", [counted(1)]);
  expect(histograms.read().map(({ replica, counts }) => [replica, counts[1]])).toEqual([
    ["SQL1", 3],
    ["CRM1", 3],
  ]);
});

test("groups and replicas above the limit count together", () => {
  const histograms = new GroupHistograms(new TestClock());
  for (let group = 1; group <= MOST_GROUPS + 2; group++)
    histograms.add({ group }, `AG${group}`, [counted(1, "localFlush")]);
  expect(new Set(groupsOf(histograms)).size).toBe(MOST_GROUPS + 1);
  expect(histograms.read().find(({ group }) => group === "other")).toMatchObject({
    replica: "other",
    stage: "log_write",
    counts: [0, 6, ...Array(13).fill(0)],
  });
  const wide = new GroupHistograms(new TestClock());
  for (let replica = 1; replica <= MOST_REPLICAS + 2; replica++)
    wide.add(histograms, "AG1", [counted(1, "wireOut", `SQL${replica}`)]);
  expect(wide.read()).toHaveLength(MOST_REPLICAS + 1);
  expect(wide.read().at(-1)).toMatchObject({ group: "AG1", replica: "other", stage: "network_out" });
});

test("are cumulative in seconds as text, with names as they may be", () => {
  const histograms = new GroupHistograms(new TestClock());
  histograms.add({}, 'A"B\\C\nD', [counted(0), counted(14)]);
  const lines = durationsText(histograms.read()).split("\n");
  const labels = String.raw`group="A\"B\\C\nD",replica="SQL1"`;
  expect(lines).toContain(`aglens_commit_seconds_bucket{${labels},le="0.0005"} 3`);
  expect(lines).toContain(`aglens_commit_seconds_bucket{${labels},le="10"} 3`);
  expect(lines).toContain(`aglens_commit_seconds_bucket{${labels},le="+Inf"} 6`);
  expect(lines).toContain(`aglens_commit_seconds_count{${labels}} 6`);
  expect(lines).toContain(`aglens_commit_seconds_sum{${labels}} 0.012`);
  expect(lines.filter((line) => line.startsWith("aglens_commit_seconds_bucket"))).toHaveLength(15);
});
