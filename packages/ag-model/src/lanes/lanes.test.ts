import { describe, expect, it } from "vitest";
import {
  isMainLane,
  laneAnchors,
  laneFigure,
  laneHeading,
  laneKey,
  laneLimits,
  secondaryLanes,
} from "./lanes.ts";

describe("limits of lanes", () => {
  it("are those of their stages, and their sum where a lane shows several", () => {
    const limits = secondaryLanes(true).map((figure) => [figure, laneLimits(figure).limitUs]);
    expect(limits).toEqual([
      ["send", 1_000],
      ["wireOut", 1_000],
      ["secondaryAppend", 500],
      ["secondaryFlush", 10_000],
      ["acknowledge", 1_000],
      ["wireBack", 1_000],
      ["ackWakeUp", 2_000],
    ]);
    expect(laneLimits("localFlush").limitUs).toBe(10_000);
    expect(laneLimits("ackReceive").limitUs).toBe(1_000);
    // Network out, log write, network back.
    expect(laneLimits("unseen").limitUs).toBe(12_000);
    expect(laneLimits("commit").limitUs).toBe(20_000);
  });

  it("are capped at 50 ms for a log write and 20 ms for a network leg, handling at its limit, commits never", () => {
    expect(["localFlush", "secondaryFlush", "unseen"].map((f) => laneLimits(f as "unseen").capUs)).toEqual([
      50_000, 50_000, 50_000,
    ]);
    expect([laneLimits("wireOut").capUs, laneLimits("wireBack").capUs]).toEqual([20_000, 20_000]);
    expect(laneLimits("send").capUs).toBe(1_000);
    expect(laneLimits("ackWakeUp").capUs).toBe(2_000);
    expect(laneLimits("commit").capUs).toBeNaN();
  });

  it("leave a network leg half of the round trip, where that is more than on a local network", () => {
    expect(laneLimits("wireOut", 2_000).limitUs).toBe(1_000);
    expect(laneLimits("wireOut", 2_002)).toEqual({ limitUs: 1_001, capUs: 20_000 });
    expect(laneLimits("wireBack", 60_000)).toEqual({ limitUs: 30_000, capUs: 30_000 });
    expect(laneLimits("wireOut", Number.NaN).limitUs).toBe(1_000);
    expect(laneLimits("secondaryFlush", 60_000).limitUs).toBe(10_000);
    expect(laneLimits("unseen", 60_000).limitUs).toBe(12_000);
  });
});

describe("keys of lanes", () => {
  it("name the secondary, the primary's own lanes none", () => {
    expect(laneKey("commit", -1)).toBe("commit");
    expect(laneKey("localFlush", -1)).toBe("localFlush");
    expect(laneKey("wireOut", 1)).toBe("hop1.wireOut");
  });

  it("are one for both lanes of an acknowledgment's arrival", () => {
    expect(laneKey("ackWakeUp", 0)).toBe("hop0.ackReceive");
    expect(laneKey("ackReceive", 0)).toBe("hop0.ackReceive");
  });

  it("give back what the lane measures", () => {
    expect(["localFlush", "hop12.secondaryFlush", "hop0.unseen"].map(laneFigure)).toEqual([
      "localFlush",
      "secondaryFlush",
      "unseen",
    ]);
    expect(["hop0.networkRoundTrip", "toString", ""].map(laneFigure)).toEqual([null, null, null]);
  });
});

it("a lane's anchors are those of its stage, or of its stretch; commits have none", () => {
  expect(laneAnchors("commit")).toBeNull();
  expect(laneAnchors("localFlush")).toEqual(["localFlushStart", "localFlushEnd"]);
  expect(laneAnchors("acknowledge")).toEqual(["secondaryFlushEnd", "ackSent"]);
  expect(laneAnchors("ackWakeUp")).toEqual(["ackReceived", "ackProcessed"]);
});

it("main lanes are those where commits wait", () => {
  expect(secondaryLanes(true).filter(isMainLane)).toEqual(["wireOut", "secondaryFlush", "wireBack"]);
  expect(secondaryLanes(false).filter(isMainLane)).toEqual(["unseen"]);
});

it("a replica whose name says its role is not named twice", () => {
  const names = { primary: "Primary", secondary: "SQL2", role: "secondary", unread: "no capture" };
  expect(laneHeading("commit", names)).toBe("Primary");
  expect(laneHeading("commit", { ...names, primary: "SQL1" })).toBe("SQL1, primary");
  expect(laneHeading("secondaryFlush", names)).toBe("SQL2, secondary");
  expect(laneHeading("secondaryFlush", { ...names, secondary: "Secondary 2" })).toBe("Secondary 2");
  expect(laneHeading("unseen", names)).toBe("SQL2, no capture");
});
