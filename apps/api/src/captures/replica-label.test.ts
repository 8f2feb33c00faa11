import type { CaptureFile } from "@aglens/contract";
import { expect, test } from "vitest";
import { isGivenLabel, withReplicaLabel } from "./replica-label.ts";

const file = (replicaId: string | null, changes: Partial<CaptureFile> = {}): CaptureFile => ({
  id: "f",
  name: "a.xel",
  folder: null,
  size: 1,
  kind: "xel",
  message: null,
  gaps: [],
  events: 1,
  from: null,
  to: null,
  detectedRole: "secondary",
  evidence: "",
  replicaId,
  partnerIds: [],
  replicaNames: {},
  role: "secondary",
  replica: "Secondary",
  ...changes,
});

const labels = (files: readonly CaptureFile[]): string[] => {
  const labelled: CaptureFile[] = [];
  for (const one of files) labelled.push(withReplicaLabel(one, labelled));
  return labelled.map(({ replica }) => replica);
};

test("files of one replica share a word, another replica gets the next", () => {
  expect(labels([file("a"), file("b"), file("a"), file("c")])).toEqual([
    "Secondary",
    "Secondary 2",
    "Secondary",
    "Secondary 3",
  ]);
});

test("a correction by the user is followed", () => {
  expect(withReplicaLabel(file("a"), [file("a", { replica: "SQL2" })]).replica).toBe("SQL2");
});

test("a file that names no replica keeps the word of its folder", () => {
  expect(labels([file(null, { replica: "SQL3" }), file("a")])).toEqual(["SQL3", "Secondary"]);
});

test("a folder's files are one replica's where no other replica is named", () => {
  const quiet = file(null, { folder: "SQL2", replica: "SQL2" });
  const named = file("a", { folder: "SQL2" });
  expect(labels([quiet, named, quiet])).toEqual(["SQL2", "SQL2", "SQL2"]);
  // What a file is called must not rest on which one was sent first.
  expect(labels([named, quiet, named])).toEqual(["Secondary", "Secondary", "Secondary"]);
  // The same replica is one wherever its files lie.
  expect(labels([named, file("a", { folder: "elsewhere" })])).toEqual(["Secondary", "Secondary"]);
});

test("a folder with files of several replicas groups nothing", () => {
  const [a, b] = [file("a", { folder: "all" }), file("b", { folder: "all" })];
  const quiet = file(null, { folder: "all", replica: "all" });
  expect(labels([a, b, quiet])).toEqual(["Secondary", "Secondary 2", "all"]);
  expect(labels([quiet, a, b])).toEqual(["all", "all", "Secondary"]);
  expect(labels([a, file("b", { folder: "other" })])).toEqual(["Secondary", "Secondary 2"]);
});

test("the folder of a primary's file is no hint", () => {
  const primary = file(null, { role: "primary", folder: "x", replica: "Primary" });
  expect(labels([primary, file(null, { folder: "x", replica: "x" })])).toEqual(["Primary", "x"]);
});

test("only given words give way to the topology's names", () => {
  expect(["Primary", "Secondary", "Secondary 2", "secondary"].map(isGivenLabel)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["SQL2", "Secondary site"].map(isGivenLabel)).toEqual([false, false]);
});
