import { encodeWindow, type Summary } from "@aglens/contract";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import { summarise, windowOf } from "@aglens/ag-model/query";
import { expect, test } from "vitest";
import { pictureOf, resultsOf } from "./recorded.ts";

/** Ten seconds from 2016-05-06 02:16:55 UTC: the network is slow from 3 s on. */
const model = modelOf([{ at: 0 }, { at: 3e6, hops: [{ wireOut: 80_000 }] }, { at: 9e6 }], { duration: 10e6 });
const VERDICT = {
  sentence: "The network to SQL2 takes 71 % of remote harden time.",
  severity: "slow",
  cause: "network",
  place: "network",
  stage: "networkRoundTrip",
  replica: 1,
  window: { from: 2e6, to: 4_500_000 },
  episodes: [],
  evidence: [],
  checkNext: ["Check the network."],
  findings: [
    { cause: "secondary_disk", window: { from: 2e6, to: 4e6 }, effect: { p95Inside: 1, p95Outside: 2 } },
    {
      cause: "network",
      window: { from: 2e6, to: 4_500_000 },
      effect: { p95Inside: 170_000, p95Outside: 4_100 },
    },
  ],
};
const summaryWith = (verdict: object): Summary =>
  summarise(model, "id", "Friday", { ...VERDICT, ...verdict } as never) as unknown as Summary;
const SUMMARY = summaryWith({});
const NAMES = SUMMARY.replicas.map(({ name }) => name);

test("results are those of the verdict's finding, with its time in UTC", () => {
  expect(resultsOf(SUMMARY)).toEqual({
    stage: `network round trip to ${NAMES[1]}`,
    window: { from: "2016-05-06T02:16:57.000Z", to: "2016-05-06T02:16:59.500Z" },
    p95InsideUs: 170_000,
    p95OutsideUs: 4_100,
    checkNext: ["Check the network."],
  });
});

test.each([
  [{ stage: "secondaryFlush" }, `${NAMES[1]} log write`],
  [{ stage: "localFlush", replica: 0 }, `${NAMES[0]} log write`],
  [{ stage: "networkRoundTrip", replica: null }, `network round trip to ${NAMES[1]}`],
  [{ stage: null }, null],
  [{ severity: "none" }, null],
])("%j: the stage is %j", (verdict, stage) => {
  expect(resultsOf(summaryWith(verdict)).stage).toBe(stage);
});

test("the picture is a PNG of 1200 x 630", async () => {
  const window = windowOf(model, { from: 0, to: 10e6, limit: 100, bins: 10 });
  const png = await pictureOf(
    { summary: async () => SUMMARY, preview: async () => encodeWindow(window) },
    "id",
  );
  expect(png?.subarray(1, 4).toString()).toBe("PNG");
  expect([png?.readUInt32BE(16), png?.readUInt32BE(20)]).toEqual([1_200, 630]);
});

test("a capture without a secondary has no picture", async () => {
  const summary = { ...SUMMARY, stages: [] };
  const captures = { summary: async () => summary, preview: async () => new Uint8Array() };
  expect(await pictureOf(captures, "id")).toBeNull();
});
