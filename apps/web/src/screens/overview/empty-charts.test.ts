import { expect, test } from "vitest";
import { recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import { replicaSummary, statisticsOfValue, summaryOf } from "../../../test/summary.ts";
import { emptyChartsNote } from "./empty-charts.ts";

test("charts of a capture with all files and instants need no note", () => {
  expect(emptyChartsNote(summaryOf(), 0)).toBeNull();
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
  // Where something was measured all the same, it is drawn.
  expect(emptyChartsNote(summaryOf({ replicas }), 0)).toBeNull();
});
