import type { LiveLane, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { laneEnds, laneGaps, secondaryOf } from "./lane-times.ts";

const lane = (key: string, place: LiveLane["place"], secondary: number, replica: number): LiveLane => ({
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
const replica = (index: number, role: LiveReplica["role"], over: Partial<LiveReplica> = {}) => ({
  index,
  role,
  state: "reading" as const,
  ownSession: true,
  buffersBehind: 1,
  ...over,
});
const replicas = [replica(0, "secondary"), replica(1, "primary")];

describe("what a lane rests on", () => {
  it("is known as far as the slowest replica it needs", () => {
    const ends = laneEnds(lanes, replicas, [7e6, 9.8e6], 10e6);
    expect([...ends.values()]).toEqual([9.8e6, 7e6, 7e6, 9.8e6]);
    expect(laneEnds(lanes, replicas, [null, 9e6], 10e6).get("hop0.secondaryFlush")).toBe(
      Number.NEGATIVE_INFINITY,
    );
  });

  it("is known to be idle when a session of ours has nothing more to hand over", () => {
    const quiet = [
      replica(0, "secondary", { buffersBehind: 0 }),
      replica(1, "primary", { buffersBehind: 0 }),
    ];
    expect(laneEnds(lanes, quiet, [1e6, 1e6], 60e6).get("commit")).toBe(57.5e6);
    const foreign = quiet.map((each) => ({ ...each, ownSession: false }));
    expect(laneEnds(lanes, foreign, [1e6, 1e6], 60e6).get("commit")).toBe(1e6);
    const lost = quiet.map((each) => ({ ...each, state: "waiting" as const }));
    expect(laneEnds(lanes, lost, [1e6, 1e6], 60e6).get("commit")).toBe(1e6);
  });

  it("has the holes of its own replicas only", () => {
    const gap = { replica: 0, from: 1, to: null, reason: "connection" as const, message: "" };
    const gaps = laneGaps(lanes, replicas, [gap]);
    expect([...gaps.values()].map((list) => list.length)).toEqual([0, 1, 1, 0]);
    expect(gaps.get("hop0.wireOut")).toEqual([[1, Number.POSITIVE_INFINITY]]);
  });

  it("names the secondary of a number", () => {
    expect(secondaryOf(lanes, replicas, 0)?.index).toBe(0);
    expect(secondaryOf(lanes, replicas, 1)).toBeUndefined();
  });
});
