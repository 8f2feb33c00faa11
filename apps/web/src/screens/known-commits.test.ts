import { expect, test } from "vitest";
import { summaryOf } from "../../test/summary.ts";
import { commitsWords, knownCommits } from "./known-commits.ts";

const { commits } = summaryOf();
const withCommits = { commits: { ...commits, count: 1_100 } };
const without = { commits: { ...commits, count: 0 } };

test("a stretch without commits has 0 of them, in a capture that knows of some", () => {
  expect([0, 1, 1_018].map((n) => commitsWords(withCommits, n))).toEqual([
    "0 commits",
    "1 commit",
    "1,018 commits",
  ]);
  expect(knownCommits(withCommits, 0)).toBe(0);
});

test("in a capture that knows of none their number is not 0", () => {
  expect(commitsWords(without, 0)).toBe("no commit known");
  expect(knownCommits(without, 0)).toBeNull();
});
