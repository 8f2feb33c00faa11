import type { LiveGap, LiveLane, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { drawnLanes, gapsOf, remarksOf, unknownOfRun } from "./lane-remarks.ts";
import type { LiveState } from "./picture.ts";

const lane: LiveLane = {
  commitMode: "sync",
  key: "hop0.secondaryFlush",
  label: "Log write",
  heading: "SQL2, secondary",
  place: "secondary",
  secondary: 0,
  replica: 0,
};

const remarkFor = (replica: Partial<LiveReplica>): string | undefined => {
  const whole = {
    index: 0,
    name: "SQL2",
    role: "secondary",
    state: "reading",
    ownSession: true,
    unheardSince: null,
    lateSeconds: null,
    waitedSeconds: null,
    ...replica,
  };
  const state = { now: 100e6, lanes: [lane], replicas: [whole], clocks: [] } as unknown as LiveState;
  return remarksOf(drawnLanes(state), state).get(lane.key)?.replaceAll("\u2009", " ");
};

it.each([
  [{ behindSeconds: 0.4 }, undefined],
  [{ behindSeconds: 0.9 }, "SQL2 sends its buffer every 1 s"],
  [{ behindSeconds: 0.9, ownSession: false }, "SQL2: events arrive 0.9 s late"],
  [{ behindSeconds: 6.1 }, "SQL2: events arrive 6.1 s late"],
  [{ behindSeconds: 6.1, lateSeconds: 1.2 }, "SQL2: no event for 6.1 s"],
  [{ behindSeconds: 6.1, waitedSeconds: 8 }, "SQL2: events delayed by SQL Server for 6.1 s"],
  [{ behindSeconds: 72, unheardSince: 28e6 }, "SQL2: no events received for 72 s"],
  [{ behindSeconds: 9, state: "waiting" as const }, "SQL2: connection lost"],
  [{ behindSeconds: null }, undefined],
])("a lane of a replica as %j says %j", (replica, words) => {
  expect(remarkFor(replica)).toBe(words);
});

describe("the holes of lanes", () => {
  const wireOut: LiveLane = { ...lane, key: "hop0.wireOut", label: "Network out", place: "network" };
  const holes = (gap: Partial<LiveGap>) => {
    const replicas = [{ index: 0, name: "SQL2", role: "secondary" }];
    const gaps = [{ replica: 0, from: 10e6, to: 18.1e6, reason: "connection", message: "", ...gap }];
    const lanes = [wireOut, lane];
    const state = { now: 100e6, lanes, replicas, clocks: [], phases: [], gaps } as unknown as LiveState;
    return gapsOf(drawnLanes(state), state);
  };
  const said = (gap: Partial<LiveGap>): string | undefined =>
    holes(gap).get(lane.key)?.[0].lines.join(" ").replaceAll("\u2009", " ");

  it("are in each lane of the replica, and one of them says why", () => {
    expect(holes({}).get("hop0.wireOut")).toEqual([
      { from: 10e6, to: 18.1e6, state: "notRecorded", lines: [] },
    ]);
    expect(said({})).toBe("connection lost for 8.10 s");
    expect(holes({ reason: "droppedByUs" }).get("hop0.wireOut")).toMatchObject([{ state: "lost" }]);
  });

  it.each([
    [{ reason: "disconnectedByServer" as const }, "disconnected for 8.10 s"],
    [{ reason: "sessionStopped" as const, to: 135e6 }, "session stopped for 2 min 05 s"],
    [{ reason: "droppedByServer" as const }, "events dropped for 8.10 s"],
    [{ reason: "droppedByUs" as const }, "dropped by AG Lens for 8.10 s"],
    // While the gap lasts, the remark at the lane's end explains it.
    [{ to: null }, ""],
  ])("of %j: %j", (gap, words) => {
    expect(said(gap)).toBe(words);
  });
});

describe("the strip of a run", () => {
  const gap = { replica: 0, message: "" };
  const run = (more: Partial<LiveState>) =>
    unknownOfRun({
      now: 100e6,
      replicas: [{ index: 0, role: "primary" }],
      phases: [],
      decodedTo: [98e6],
      database: null,
      overview: null,
      gaps: [],
      ...more,
    } as unknown as LiveState);

  it("ends where the primary's events end, which are not lost but not here yet", () => {
    expect(run({})).toEqual([{ from: 98e6, to: 100e6, state: "notArrived" }]);
    expect(run({ decodedTo: [null] })).toEqual([]);
  });

  it("has lost events over time that is not recorded, and that over events that have not arrived", () => {
    const gaps: LiveGap[] = [
      { ...gap, from: 10e6, to: 12e6, reason: "droppedByServer" },
      { ...gap, from: 90e6, to: null, reason: "connection" },
    ];
    expect(run({ gaps, decodedTo: [90e6] })).toEqual([
      { from: 90e6, to: 100e6, state: "notArrived" },
      { from: 90e6, to: 100e6, state: "notRecorded" },
      { from: 10e6, to: 12e6, state: "lost" },
    ]);
  });

  it("has nothing of one database before that was chosen", () => {
    const overview = { firstBin: 30, width: 1e6 } as LiveState["overview"];
    expect(run({ overview, database: "Sales", decodedTo: [100e6] })).toEqual([
      { from: 0, to: 30e6, state: "notRecorded" },
    ]);
    expect(run({ overview, decodedTo: [100e6] })).toEqual([]);
  });
});
