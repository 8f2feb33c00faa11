import { expect, test } from "vitest";
import { replicaNamed } from "../../../../test/replicas.ts";
import { failoverOf } from "../../../../test/summary.ts";
import { captureLanes } from "../../../lanes/lanes.ts";
import { plateName } from "./lane-plate.ts";

const failover = failoverOf();
const lanes = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]).filter(({ tall }) => tall);
const platesOf = (phase: number): (string | null)[] => lanes.map((lane) => plateName(failover, phase, lane));

test("a lane keeps its role, and its plate names who has that role", () => {
  expect(lanes.map(({ figure }) => figure)).toEqual([
    "commit",
    "localFlush",
    "wireOut",
    "secondaryFlush",
    "wireBack",
  ]);
  expect(platesOf(0)).toEqual(["SQL1", "SQL1", "SQL1 to SQL2", "SQL2", "SQL2 to SQL1"]);
  expect(platesOf(1)).toEqual(["SQL2", "SQL2", "SQL2 to SQL1", "SQL1", "SQL1 to SQL2"]);
});

test("a lane that leads to nobody in a phase has no plate", () => {
  const phases = failover.phases.map((phase) => ({ ...phase, commitModes: [null] }));
  const network = lanes.find(({ place }) => place === "network");
  expect(network && plateName({ ...failover, phases }, 0, network)).toBeNull();
});
