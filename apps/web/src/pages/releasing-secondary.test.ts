import { expect, test } from "vitest";
import { replicaSummary, summaryOf } from "../../test/summary.ts";
import { DEFAULT_VIEW } from "../state/view.ts";
import { viewOfLink } from "./use-scoped-capture.ts";

const secondaryOf = (gates: number[], chosen: number | null = null): number => {
  const names = ["SQL1", "SQL2", "SQL3", "SQL4"];
  const summary = summaryOf({
    replicas: names.map((name) => replicaSummary({ name })),
    commits: { ...summaryOf().commits, gates },
  });
  return viewOfLink({ ...DEFAULT_VIEW, secondary: chosen }, summary, null).secondary;
};

test("a link that names no secondary is about the one that released most commits", () => {
  expect(secondaryOf([5, 10, 85, 0])).toBe(1);
  expect(secondaryOf([90, 4, 4, 6])).toBe(2);
  expect(secondaryOf([100, 0, 0, 0])).toBe(0);
  expect(secondaryOf([])).toBe(0);
});

test("a chosen secondary stays, also the first", () => {
  expect(secondaryOf([5, 10, 85, 0], 0)).toBe(0);
  expect(secondaryOf([5, 10, 85, 0], 2)).toBe(2);
});
