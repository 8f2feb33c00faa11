import type { LiveLane, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { laneEnds, laneGaps, secondaryOf } from "./lane-times.ts";

const lane = (key: string, place: LiveLane["place"], secondary: number, replica: number): LiveLane => ({
  commitMode: "undetermined",
  key,
  label: key,
  heading: "",
  place,
  secondary,
  replica,
});
// The primary was given second; a third replica is not attached.
const lanes = [
  lane("commit", "primary", -1, -1),
  lane("hop0.wireOut", "network", 0, 0),
  lane("hop0.secondaryFlush", "secondary", 0, 0),
  lane("hop1.unseen", "unknown", 1, -1),
];
const replica = (index: number, role: LiveReplica["role"]) => ({ index, role });
const replicas = [replica(0, "secondary"), replica(1, "primary")];

describe("what a lane rests on", () => {
  it("is known as far as the last heard of the replicas it needs, and no further", () => {
    const ends = laneEnds(lanes, replicas, [7e6, 9.8e6]);
    expect([...ends.values()]).toEqual([9.8e6, 7e6, 7e6, 9.8e6]);
    expect(laneEnds(lanes, replicas, [null, 9e6]).get("hop0.secondaryFlush")).toBe(Number.NEGATIVE_INFINITY);
  });

  it("has the holes of its own replicas only", () => {
    const gap = { replica: 0, from: 1, to: null, reason: "connection" as const, message: "" };
    const gaps = laneGaps({ lanes, phases: [] }, replicas, [gap]);
    expect([...gaps.values()].map((list) => list.length)).toEqual([0, 1, 1, 0]);
    expect(gaps.get("hop0.wireOut")).toEqual([
      { from: 1, to: Number.POSITIVE_INFINITY, reason: "connection" },
    ]);
  });

  it("has the holes of the replicas that it showed then: before a failover the primary was another", () => {
    // Until 50 replica 0 was the primary and replica 1 its secondary, number 2.
    const then = [lane("commit", "primary", -1, -1), lane("hop2.secondaryFlush", "secondary", 2, 1)];
    const phases = [{ from: 0, to: 50, primary: 0, lanes: then }];
    const gap = { replica: 0, from: 40, to: 60, reason: "connection" as const, message: "" };
    const gaps = laneGaps({ lanes, phases }, replicas, [gap]);
    expect(gaps.get("commit")).toEqual([{ from: 40, to: 50, reason: "connection" }]);
    expect(gaps.get("hop0.secondaryFlush")).toEqual([{ from: 50, to: 60, reason: "connection" }]);
    expect(gaps.get("hop1.unseen")).toEqual([]);
  });

  it("names the secondary of a number", () => {
    expect(secondaryOf(lanes, replicas, 0)?.index).toBe(0);
    expect(secondaryOf(lanes, replicas, 1)).toBeUndefined();
  });
});
