import { expect, test } from "vitest";
import { failoverOf, replicaSummary } from "../../test/summary.ts";
import { filterNamesOf } from "../screens/capture-view/names.ts";
import { suggestedFilters } from "./filter-suggestions.ts";

test("log writes of a role are suggested as long as one of the servers that had it has a file", () => {
  const failover = failoverOf();
  const notes = (...files: boolean[]): string[] => {
    const replicas = ["SQL1", "SQL2"].map((name, i) => replicaSummary({ name, hasCapture: files[i] }));
    const summary = { ...failover, replicas };
    return suggestedFilters(summary, filterNamesOf(summary)).flatMap(({ note }) =>
      note.startsWith("slow log writes") ? [note.replaceAll("\u2009", " ")] : [],
    );
  };
  const both = ["slow log writes of primary, over 50 ms", "slow log writes of secondary, over 50 ms"];
  // Each server was the primary for a while, and the secondary.
  expect(notes(true, false)).toEqual(both);
  expect(notes(false, true)).toEqual(both);
  expect(notes(false, false)).toEqual([]);
});
