import { expect, test } from "vitest";
import { slowestFirst, verdictText } from "./verdict-text.ts";

test("the capture with the largest p95 is first, and one without commits is last", () => {
  const captures = [{ id: "quiet" }, { id: "fast" }, { id: "failed" }, { id: "slow" }];
  const p95s = new Map([
    ["quiet", null],
    ["fast", 6_570],
    ["slow", 176_000],
  ]);
  expect(slowestFirst(captures, p95s).map(({ id }) => id)).toEqual(["slow", "fast", "quiet", "failed"]);
});

test("a capture says its verdict without the p95, or why there is none", () => {
  const none = { verdict: null, problem: null };
  const verdict = "SQL2 releases 96 % of the commits. Commits finish in 4.70 ms (p95). No stage stands out.";
  expect(verdictText({ ...none, state: "ready", verdict })).toBe(
    "SQL2 releases 96 % of the commits. No stage stands out.",
  );
  expect(verdictText({ ...none, state: "receiving" })).toBe("Not analyzed yet.");
  const problem = { type: "t", title: "T", status: 422, detail: "No events.", code: "analysis-failed" };
  expect(verdictText({ ...none, state: "failed", problem })).toBe("No events.");
});
