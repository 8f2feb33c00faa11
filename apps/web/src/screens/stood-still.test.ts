import { recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import { STRETCH_IDS } from "@aglens/ag-model/columns";
import { expect, test } from "vitest";
import { rangeStatistics, statisticsOfValue, summaryOf } from "../../test/summary.ts";
import { standstillOf, standstillWords } from "./stood-still.ts";

const summary = summaryOf();
/** Eight stages of 1 ms: a mean remote harden of 8 ms. */
const stages = [
  {
    ...recordOf([...STAGE_IDS, ...STRETCH_IDS], () => statisticsOfValue(1_000)),
    remoteHarden: statisticsOfValue(8_000),
  },
];

test("what a server stood still for is a part of the mean, whichever stages it fell in", () => {
  const paused = [{ replica: 1, stages: { wireOut: 900, secondaryFlush: 1_100 } }];
  const found = standstillOf(rangeStatistics({ stages, paused }), 0, summary);
  expect(found).toEqual({ server: "SQL2", us: 2_000, share: 0.25 });
  expect(found && standstillWords(found)).toBe("SQL2 stood still for 25\u2009% of it");
});

test("nothing is said where no server stood still, of another secondary, and before there are figures", () => {
  const paused = [{ replica: 1, stages: { wireOut: 900 } }];
  expect(standstillOf(rangeStatistics({ stages }), 0, summary)).toBeNull();
  expect(standstillOf(rangeStatistics({ stages, paused }), 1, summary)).toBeNull();
  expect(standstillOf(null, 0, summary)).toBeNull();
});
