import { expect, test } from "vitest";
import { SPAN_IDS } from "@aglens/ag-model/columns";
import { recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import { rangeStatistics, statisticsOfValue, summaryOf } from "../../../test/summary.ts";
import {
  isHidden,
  isTotalKnown,
  namesOfMeans,
  pathMean,
  pathMeanName,
  rowMean,
  rowsWithoutFile,
  standstillOf,
  standstillText,
} from "./stage-means.ts";

const names = { primary: "SQL1", secondary: "SQL2" };

test("the means of all stages add up to the mean of the path", () => {
  const means = { send: 200, wireOut: 300, secondaryFlush: 4_000, wireBack: 500, remoteHarden: 5_000 };
  expect([isHidden(means), isTotalKnown(means), pathMean(means)]).toEqual([false, true, 5_000]);
});

test("without the secondary's file the whole stands, and what the primary's stages leave of it is one line", () => {
  const means = { send: 183, ackReceive: 60, wireOut: null, remoteHarden: 169_243 };
  expect([isHidden(means), isTotalKnown(means), pathMean(means)]).toEqual([true, true, 169_243]);
  expect(rowsWithoutFile(names).map((row) => [row.label, rowMean(row, means)])).toEqual([
    ["SQL1 capture and send", 183],
    ["SQL1 ack receive", 60],
    ["Network and SQL2", 169_000],
  ]);
});

test("without the primary's file the secondary's own part is no whole", () => {
  const means = { secondaryAppend: 287, secondaryFlush: 11_100, ackBuild: 169, remoteHarden: null };
  expect([isTotalKnown(means), pathMean(means)]).toEqual([false, 11_556]);
  expect(pathMeanName(means, names)).toBe("Mean of SQL2's part");
});

test("where no acknowledgment arrives, what was sent is no part of the secondary's", () => {
  const means = { send: 176, wireOut: 264, secondaryAppend: 86, secondaryFlush: 2_914, remoteHarden: null };
  expect([pathMean(means), pathMeanName(means, names)]).toEqual([3_440, "Mean of the known stages"]);
  expect(pathMeanName({ send: 176 }, names)).toBe("Mean of the known stages");
});

test("nothing known keeps the name of what is asked for", () => {
  expect([pathMean({}), pathMeanName({}, names)]).toEqual([null, "Mean remote harden"]);
});

test("means side by side have one name, and each that is of less says so", () => {
  const whole = { name: "Sales1", means: { send: 200, remoteHarden: 5_000 }, secondary: "SQL2" };
  const own = { name: "Sales2", means: { secondaryFlush: 4_000 }, secondary: "SQL2" };
  const sent = { name: "Sales3", means: { send: 176 }, secondary: "SQL2" };
  const nothing = { name: "Sales4", means: {}, secondary: "SQL2" };
  const elsewhere = { ...own, name: "Sales5", secondary: "SQL1" };
  expect(namesOfMeans([whole, nothing])).toEqual({ title: "Mean remote harden", less: null });
  expect(namesOfMeans([own, own, nothing])).toEqual({ title: "Mean of SQL2's part", less: null });
  expect(namesOfMeans([whole, own, sent])).toEqual({
    title: "Mean remote harden",
    less: "Sales2: mean of SQL2's part. Sales3: mean of the known stages.",
  });
  expect(namesOfMeans([own, elsewhere])).toEqual({
    title: "Mean of the known stages",
    less: "Sales2: mean of SQL2's part. Sales5: mean of SQL1's part.",
  });
  expect(namesOfMeans([nothing])).toEqual({ title: "Mean remote harden", less: null });
});

const summary = summaryOf();
/** Eight stages of 1 ms: a mean remote harden of 8 ms. */
const stages = [
  {
    ...recordOf([...STAGE_IDS, ...SPAN_IDS], () => statisticsOfValue(1_000)),
    remoteHarden: statisticsOfValue(8_000),
  },
];

test("what a server was unresponsive for is a part of the mean, whichever stages it fell in", () => {
  const paused = [{ replica: 1, stages: { wireOut: 900, secondaryFlush: 1_100 } }];
  const found = standstillOf(rangeStatistics({ stages, paused }), 0, summary);
  expect(found).toEqual({ server: "SQL2", us: 2_000, share: 0.25 });
  expect(found && standstillText(found)).toBe("SQL2 was unresponsive for 25\u2009% of it");
});

test("nothing is said where no server was unresponsive, of another secondary, and before there are figures", () => {
  const paused = [{ replica: 1, stages: { wireOut: 900 } }];
  expect(standstillOf(rangeStatistics({ stages }), 0, summary)).toBeNull();
  expect(standstillOf(rangeStatistics({ stages, paused }), 1, summary)).toBeNull();
  expect(standstillOf(null, 0, summary)).toBeNull();
});
