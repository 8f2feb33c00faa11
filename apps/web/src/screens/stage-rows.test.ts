import { expect, test } from "vitest";
import { isHidden, isWholeKnown, pathMean, pathMeanName, rowMean, rowsWithoutFile } from "./stage-rows.ts";

const names = { primary: "SQL1", secondary: "SQL2" };

test("the means of all stages add up to the mean of the path", () => {
  const means = { send: 200, wireOut: 300, secondaryFlush: 4_000, wireBack: 500, remoteHarden: 5_000 };
  expect([isHidden(means), isWholeKnown(means), pathMean(means)]).toEqual([false, true, 5_000]);
});

test("without the secondary's file the whole stands, and what the primary's stages leave of it is one line", () => {
  const means = { send: 183, ackReceive: 60, wireOut: null, remoteHarden: 169_243 };
  expect([isHidden(means), isWholeKnown(means), pathMean(means)]).toEqual([true, true, 169_243]);
  expect(rowsWithoutFile(names).map((row) => [row.label, rowMean(row, means)])).toEqual([
    ["SQL1 capture, send", 183],
    ["SQL1 ack receive", 60],
    ["Network and SQL2", 169_000],
  ]);
});

test("without the primary's file the secondary's own part is no whole", () => {
  const means = { secondaryAppend: 287, secondaryFlush: 11_100, ackBuild: 169, remoteHarden: null };
  expect([isWholeKnown(means), pathMean(means)]).toEqual([false, 11_556]);
  expect(pathMeanName(means, names)).toBe("Mean of SQL2's part");
});
