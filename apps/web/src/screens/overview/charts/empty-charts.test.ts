import { describe, expect, test } from "vitest";
import { recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import { failoverOf, replicaSummary, statisticsOfValue, summaryOf } from "../../../../test/summary.ts";
import { emptyChartsNote } from "./empty-charts.ts";

test("charts of a capture with all files and instants need no note", () => {
  expect(emptyChartsNote(summaryOf(), 0)).toBeNull();
});

describe("without a file", () => {
  const replicasWithout = (without: number) =>
    ["SQL1", "SQL2"].map((name, index) => replicaSummary({ name, hasCapture: index !== without }));
  const none = statisticsOfValue(null);
  const nothing = {
    commits: { ...summaryOf().commits, latency: none },
    stages: [recordOf(STAGE_IDS, () => none)],
  };

  test("of the only primary there is neither a commit nor remote harden", () => {
    expect(emptyChartsNote(summaryOf({ ...nothing, replicas: replicasWithout(0) }), 0)).toEqual({
      latency: "Without a file of the primary there are no commits and no remote harden.",
      share: "Without a file of the primary only SQL2's own part is known.",
    });
  });

  test("of one of two primaries, commits of the other are drawn and not denied", () => {
    const note = emptyChartsNote({ ...failoverOf(), replicas: replicasWithout(0) }, 0);
    expect(note).toEqual({
      latency: "",
      share: "Without a file of SQL1 its part cannot be separated from the network's.",
    });
  });

  test("of a secondary, it is the one whose part is not known, also after a change of roles", () => {
    for (const summary of [summaryOf(), failoverOf()])
      expect(emptyChartsNote({ ...summary, replicas: replicasWithout(1) }, 0)).toEqual({
        latency: "",
        share: "Without a file of SQL2 its part cannot be separated from the network's.",
      });
  });
});

test("after a change of roles it is the servers of the path whose files count, whichever slots they are in", () => {
  // SQL2 takes over from SQL1; SQL3 is a secondary throughout.
  const { phases, ...failover } = failoverOf();
  const three = (without: number) => ({
    ...failover,
    phases: phases.map((phase) => ({ ...phase, commitModes: ["sync" as const, "sync" as const] })),
    replicas: ["SQL1", "SQL2", "SQL3"].map((name, i) => replicaSummary({ name, hasCapture: i !== without })),
  });
  expect(emptyChartsNote(three(1), 1)?.share).toMatch(/^Without a file of SQL2 /u);
  expect(emptyChartsNote(three(2), 1)?.share).toMatch(/^Without a file of SQL3 /u);
  expect(emptyChartsNote(three(2), 0)).toBeNull();
});

test("of events without start_timestamp it is said why nothing is drawn", () => {
  const replicas = ["SQL1", "SQL2"].map((name) => replicaSummary({ name, hasCounter: false }));
  const none = statisticsOfValue(null);
  const empty = {
    replicas,
    commits: { ...summaryOf().commits, latency: none },
    stages: [recordOf(STAGE_IDS, () => none)],
  };
  expect(emptyChartsNote(summaryOf(empty), 0)).toEqual({
    latency: "Without start_timestamp neither commits nor remote harden can be followed.",
    share: "Without start_timestamp the way to SQL2 and back is not known.",
  });
  // A chart with measured values is drawn anyway.
  expect(emptyChartsNote(summaryOf({ replicas }), 0)).toBeNull();
});
