import { describe, expect, it } from "vitest";
import { drawnLanes } from "../../charts/live/live-lanes.ts";
import { laneEnds, laneGaps, laneReplicas } from "./lane-times.ts";

const lane = (key: string, place: "primary" | "network" | "secondary", secondary: number) => ({
  key,
  label: key,
  heading: "",
  place,
  secondary,
});
const lanes = drawnLanes(
  [
    lane("commit", "primary", -1),
    lane("hop0.wireOut", "network", 0),
    lane("hop0.secondaryFlush", "secondary", 0),
  ],
  () => false,
);
// The primary was given second.
const replicas = [
  { index: 0, role: "secondary" as const },
  { index: 1, role: "primary" as const },
];

describe("what a lane rests on", () => {
  it("counts secondaries in the order they were given", () => {
    expect(laneReplicas(replicas)).toEqual([1, 0]);
  });

  it("is known as far as the slowest replica it needs, and as it is drawn", () => {
    const bins = { width: 1e6, firstBin: 0, length: 9 };
    const ends = laneEnds(lanes, replicas, [7e6, 9.8e6], bins);
    expect([...ends.values()]).toEqual([9e6, 7e6, 7e6]);
    expect([...laneEnds(lanes, replicas, [null, 9e6], bins).values()][2]).toBe(Number.NEGATIVE_INFINITY);
  });

  it("has the holes of its own replicas only", () => {
    const gap = { replica: 0, from: 1, to: 2, reason: "connection" as const, message: "" };
    const gaps = laneGaps(lanes, replicas, [gap]);
    expect([...gaps.values()].map((list) => list.length)).toEqual([0, 1, 1]);
  });
});
