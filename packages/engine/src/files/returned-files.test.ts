import { expect, test } from "vitest";
import type { CaptureFile } from "@aglens/contract";
import { ProblemError } from "../problems/problems.ts";
import { lacksFiles, returnedFiles } from "./returned-files.ts";

const fileOf = (name: string, sha256: string): CaptureFile => ({ name, sha256 }) as CaptureFile;
const missing = [fileOf("a.xel", "aa"), fileOf("b.xel", "bb"), fileOf("live.xel", "")];

const detailOf = (given: { name: string; sha256: string }): string => {
  try {
    returnedFiles(missing, [given]);
  } catch (error) {
    if (error instanceof ProblemError) return `${error.problem.code}: ${error.problem.detail}`;
  }
  return "taken";
};

test("a capture lacks files until each of them is here", () => {
  const [here, gone] = [
    { ...fileOf("a.xel", "aa"), isMissing: false },
    { ...fileOf("b.xel", "bb"), isMissing: true },
  ];
  expect(lacksFiles({ files: [here, gone] })).toBe(true);
  expect(lacksFiles({ files: [here, fileOf("c.xel", "cc")] })).toBe(false);
  expect(lacksFiles({ files: [] })).toBe(false);
});

test("files are known by their content, whatever they are called and whatever comes with them", () => {
  const given = [
    { name: "other.xel", sha256: "cc" },
    { name: "renamed.xel", sha256: "bb" },
  ];
  expect(returnedFiles(missing, given)).toEqual([{ file: missing[1], given: given[1] }]);
});

test("a refusal says whether the name was right; a file without a known content is none that can be given", () => {
  expect(detailOf({ name: "a.xel", sha256: "cc" })).toMatch(/^other-file: a\.xel doesn't match/u);
  expect(detailOf({ name: "c.xel", sha256: "cc" })).toMatch(
    /^other-file: c\.xel isn't one of the missing files/u,
  );
  expect(detailOf({ name: "live.xel", sha256: "" })).toMatch(/^other-file/u);
});
