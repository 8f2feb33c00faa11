import { REMOTE_PATH } from "@aglens/ag-model/replication";
import { stageSumsOf } from "../../../test/overview.ts";
import { expect, test } from "vitest";
import { isCovered, SHARE_ORDER, shareColumns, sharesOf, stagesOf } from "./shares.ts";

test("every stage of the remote path has its place in the stack, once", () => {
  const stacked = SHARE_ORDER.flatMap(stagesOf);
  expect(stacked.toSorted()).toEqual(REMOTE_PATH.map(({ id }) => id).toSorted());
  expect(SHARE_ORDER.map(stagesOf)).toEqual([
    ["secondaryFlush"],
    ["secondaryAppend", "ackBuild", "ackSend"],
    ["wireOut"],
    ["wireBack"],
    ["send", "ackReceive"],
  ]);
});

const sums = stageSumsOf({
  secondaryFlush: [6_000, 0, 500],
  secondaryAppend: [500, 0, 0],
  ackSend: [500, 0, 0],
  wireOut: [2_000, 0, 500],
  wireBack: [1_000, 0, -300],
});

test("colors stand on each other, from the secondary's disk up, and fill the column", () => {
  // 10,000 µs: 60 % disk, 10 % handling, 20 % out, 10 % back, nothing on the primary.
  const [column] = shareColumns(sums, 3);
  const rounded = column!.map((part) => part.map((edge) => Number(edge.toFixed(9))));
  expect(rounded).toEqual([
    [0, 0.6],
    [0.6, 0.7],
    [0.7, 0.9],
    [0.9, 1],
    [1, 1],
  ]);
});

test("a bin without blocks has no column, and a negative sum takes no share", () => {
  const shares = sharesOf(sums, 3);
  expect(shares[1]).toBeNull();
  expect(shares[2]).toEqual([0.5, 0, 0.5, 0, 0]);
});

test("a bin is covered when no file lacks any of it", () => {
  const overview = { from: 1_000_000, binUs: 1_000_000, uncovered: [[2_500_000, 4_000_000, 1]] } as const;
  const covered = [0, 1, 2, 3].map((bin) =>
    isCovered({ ...overview, uncovered: [[2_500_000, 4_000_000, 1]] }, bin),
  );
  expect(covered).toEqual([true, false, false, true]);
});
