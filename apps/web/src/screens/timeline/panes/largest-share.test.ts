import { expect, test } from "vitest";
import { summaryOf } from "../../../../test/summary.ts";
import { largestShare } from "./largest-share.ts";

const NAMES = { primary: "SQL1", secondary: "SQL2" };
const of = (
  means: Parameters<typeof largestShare>[0],
  paused: Parameters<typeof largestShare>[1] = null,
): ReturnType<typeof largestShare> => largestShare(means, paused, NAMES, summaryOf());

test("the largest part is a log write, both ways over the network together, or a server's handling", () => {
  expect(of({ wireOut: 30, wireBack: 30, secondaryFlush: 40 })).toMatchObject({
    name: "the network",
    share: 0.6,
  });
  expect(of({ wireOut: 30, wireBack: 10, secondaryFlush: 60 })).toMatchObject({
    name: "SQL2's log write",
    share: 0.6,
  });
  expect(of({ send: 30, ackReceive: 25, secondaryFlush: 45 })).toMatchObject({
    name: "SQL1's handling",
    share: 0.55,
  });
  expect(of({ secondaryAppend: 30, ackBuild: 40, wireOut: 30 })?.name).toBe("SQL2's handling");
  expect(of({})).toBeNull();
});

test("what a server was unresponsive for counts as its own, in whichever stages it fell", () => {
  const means = { wireOut: 60, secondaryAppend: 20, secondaryFlush: 20 };
  expect(of(means, { replica: 1, stages: { wireOut: 30, secondaryAppend: 15 } })).toEqual({
    name: "SQL2",
    stoodStill: true,
    share: 0.45,
  });
  expect(of(means, { replica: 1, stages: { wireOut: 20 } })).toEqual({
    name: "the network",
    stoodStill: false,
    share: 0.4,
  });
});

test("without the secondary's file its part and the network's are one: of the whole, not of what the primary saw", () => {
  expect(of({ remoteHarden: 100, send: 2, ackReceive: 1, wireOut: null })).toEqual({
    name: "the network with SQL2",
    stoodStill: false,
    share: 0.97,
  });
});
