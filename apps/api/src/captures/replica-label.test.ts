import type { CaptureFile } from "@aglens/contract";
import { expect, test } from "vitest";
import { isGivenLabel, withReplicaLabel } from "./replica-label.ts";

const file = (replicaId: string | null, changes: Partial<CaptureFile> = {}): CaptureFile => ({
  id: "f",
  name: "a.xel",
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

test("only given words give way to the topology's names", () => {
  expect(["Primary", "Secondary", "Secondary 2", "secondary"].map(isGivenLabel)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["SQL2", "Secondary site"].map(isGivenLabel)).toEqual([false, false]);
});
