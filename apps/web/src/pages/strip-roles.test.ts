import { expect, test } from "vitest";
import { replicaSummary } from "../../test/summary.ts";
import { roleGroups } from "./strip-roles.tsx";

const secondary = (name: string, commitMode: "sync" | "async" | "undetermined", hasCapture = true) =>
  replicaSummary({ name, role: "secondary", commitMode, hasCapture });

test("replicas of one role share a chip: the primary, those that commits wait for, the others", () => {
  const groups = roleGroups({
    replicas: [
      replicaSummary({ name: "SQL1", role: "primary" }),
      secondary("SQL2", "async"),
      secondary("SQL3", "sync"),
      secondary("SQL4", "undetermined"),
      secondary("SQL5", "sync"),
      secondary("SQL6", "sync", false),
    ],
  });
  expect(groups.map(({ words, members }) => [words, members])).toEqual([
    ["Primary", [0]],
    ["Sync", [2, 4]],
    ["Sync, no file", [5]],
    ["Sync or undetermined", [3]],
    ["Async", [1]],
  ]);
  expect(groups.map(({ hasCapture }) => hasCapture)).toEqual([true, true, false, true, true]);
});
