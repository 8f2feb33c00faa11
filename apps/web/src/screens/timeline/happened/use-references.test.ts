import { expect, test } from "vitest";
import { evidenceMetric } from "../../../../test/evidence.ts";
import { failoverOf } from "../../../../test/summary.ts";
import { placesOf, referencesOf, testedVolumes } from "./use-references.ts";

const diskspd = (metric: string, of: string | null = "F:") =>
  evidenceMetric({ metric, of, server: "SQL2", form: "reference", file: "diskspd.xml", samples: 1 });
const metrics = [evidenceMetric(), diskspd("reference log write p50"), diskspd("reference log write p99")];
const rule = { rule: "diskspd", agrees: false, server: "SQL2", text: "", from: 0, to: 1 };
const sources = [{ file: "diskspd.xml", place: "p50" }];
const summary = failoverOf();

test("the result of a volume is in the lane that its server's log writes are in, in each role", () => {
  const agreement = [
    { ...rule, sources },
    { ...rule, sources },
  ];
  const tested = testedVolumes({ agreement, metrics });
  expect(tested).toEqual([{ server: "SQL2", volume: "F:", p50: 1, p99: 2 }]);
  const series = [
    { metric: 1, at: [0], values: [1.31], samplesPerValue: 1 },
    { metric: 2, at: [0], values: [2.7], samplesPerValue: 1 },
  ];
  const [reference] = referencesOf(tested, { series }, summary);
  expect(reference).toMatchObject({ volume: "F:", p50: 1_310, p99: 2_700 });
  expect(reference?.places.map(({ figure, secondary }) => [figure, secondary])).toEqual([
    ["secondaryFlush", 0],
    ["localFlush", -1],
  ]);
  // From the start of the capture to its end, without the time between both roles.
  expect([reference?.places[0]?.from, reference?.places[1]?.to]).toEqual([0, summary.durationUs]);
});

test("where the volume of the log is not known there is no line", () => {
  expect(testedVolumes({ agreement: [{ ...rule, agrees: null, sources }], metrics })).toEqual([]);
  expect(
    testedVolumes({ agreement: [{ ...rule, sources }], metrics: [diskspd("reference log write p50", null)] }),
  ).toEqual([]);
  expect(placesOf(summary, "SQL9")).toEqual([]);
});
