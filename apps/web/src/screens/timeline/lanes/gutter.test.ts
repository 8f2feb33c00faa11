import type { RangeStatistics } from "@aglens/contract";
import { expect, test } from "vitest";
import { replicaNamed } from "../../../../test/replicas.ts";
import { captureLanes } from "../../../lanes/lanes.ts";
import { stackLanes } from "../../../charts/timeline/heights.ts";
import { groupHeads, quietText } from "./gutter.tsx";

const thin = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]).filter(({ tall }) => !tall);

/** Send stays under its limit of 1 ms at p95; receive and append has one of 0.5 ms. */
const statistics = (receiveP95: number): RangeStatistics =>
  ({
    stages: [{ send: { p95: 500, max: 4_600 }, secondaryAppend: { p95: receiveP95, max: 65_300 } }],
  }) as unknown as RangeStatistics;

test("thin lanes that hide behind one row keep their maximum, and say when they are not quiet", () => {
  expect(quietText(thin, statistics(240)).replaceAll("\u2009", " ")).toBe("4 quiet lanes, up to 65.3 ms");
  expect(quietText(thin, statistics(900))).toBe("4 thin lanes, 1 over the limit at p95");
  expect(quietText(thin.slice(0, 1), null)).toBe("1 quiet lane");
});

test("each group's fold button is at a heading: where a group begins with a thin lane, at the first lane that has one", () => {
  const lanes = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2"), replicaNamed("SQL3")]);
  const keys = (chosen: Readonly<Record<string, boolean>>): string[] =>
    groupHeads(stackLanes(lanes, chosen, 1, 640).boxes).map(({ lane }) => lane.key);
  expect(keys({})).toEqual(["commit", "hop0.wireOut", "hop1.wireOut"]);
  // Without a tall lane it is at the group's first lane.
  const thinned = Object.fromEntries(lanes.map(({ key }) => [key, false]));
  expect(keys(thinned)).toEqual(["commit", "hop0.wireOut", "hop1.send"]);
});
