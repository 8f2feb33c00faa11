import { expect, test } from "vitest";
import { parseBlockFilter } from "@aglens/contract";
import { LANES } from "../../../../test/scene.ts";
import { thresholdOf } from "./threshold.ts";

const of = (where: string) => thresholdOf(parseBlockFilter(where), LANES);

test("the line of a condition is in the lanes of its stage", () => {
  expect(of("secondaryFlush@2>50000")).toEqual({ us: 50_000, lanes: ["hop1.secondaryFlush"] });
  expect(of("secondaryFlush>50000")?.lanes).toEqual(["hop0.secondaryFlush", "hop1.secondaryFlush"]);
  expect(of("logWrite>50000")?.lanes).toEqual(["localFlush", "hop0.secondaryFlush", "hop1.secondaryFlush"]);
  expect(of("commit=5000..8000")).toEqual({ us: 5_000, lanes: ["commit"] });
});

test("the first condition with a lane has it; sums of lanes and other conditions have none", () => {
  expect(of("gate@1,networkRoundTrip>5,localFlush>7")?.lanes).toEqual(["localFlush"]);
  expect([of("gate@1"), of("remoteHarden>5"), thresholdOf(null, LANES)]).toEqual([null, null, null]);
});
