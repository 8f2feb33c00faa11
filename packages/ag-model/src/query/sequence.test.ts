/** One block from commit to commit: its instants, how they were obtained, and where it is among all blocks. */
import { describe, expect, it } from "vitest";
import { eventsAt, modelOf, withPauses } from "../../test/model.ts";
import {
  Gate,
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  Obtained,
  type CaptureModel,
} from "../replication/shapes/tables.ts";
import type { StageId } from "../replication/shapes/stages.ts";
import { eventPlacesOf, sequenceOfBlock } from "./index.ts";

/** Three blocks to one secondary: 3, 90 and 1 ms on its disk; the third one's local log write decides. */
const blocks = (): CaptureModel =>
  modelOf([
    { at: 0 },
    { at: 200_000, hops: [{ flush: 90_000 }], commits: 2 },
    { at: 400_000, hops: [{ flush: 1_000 }], localFlush: 7_000, vlfStart: true },
  ]);

const stagesOf = (model: CaptureModel, row: number, secondary = 0) =>
  new Map(sequenceOfBlock(model, row).hops[secondary].stages.map((stage) => [stage.id, stage]));

/** `[from, to, duration]` of a stage, µs. */
const timesOf = (model: CaptureModel, row: number, id: StageId) => {
  const { from, to, duration } = stagesOf(model, row).get(id)!;
  return [from, to, duration];
};

const setObtained = (bits: Uint32Array, row: number, anchor: number, how: Obtained): void => {
  bits[row] = (bits[row] & ~(3 << (2 * anchor))) | (how << (2 * anchor));
};

describe("a block that waited for a server that stood still", () => {
  // Sent at 250, received at 2,000,250, acknowledged at 2,003,850 and processed 400 later.
  const model = modelOf([{ at: 0, hops: [{ wireOut: 2_000_000 }] }]);
  const hopOf = (pauses: Parameters<typeof withPauses>[1]) =>
    sequenceOfBlock(withPauses(model, pauses), 0).hops[0];

  it("says which end, for how long of its remote harden, and which stage that was", () => {
    const hop = hopOf([[1, 100, 2_000_200]]);
    expect(hop.pause).toEqual({ end: "secondary", us: 2_000_100 });
    // The primary's own log write and send are in that time too, and had nothing to wait for.
    const pausedStages = ({ stages }: typeof hop) =>
      stages.filter(({ isPaused }) => isPaused).map(({ id }) => id);
    expect(pausedStages(hop)).toEqual(["wireOut"]);
    const primary = hopOf([[0, 100, 2_000_200]]);
    expect(primary.pause?.end).toBe("primary");
    expect(pausedStages(primary)).toEqual(expect.arrayContaining(["localFlush", "send", "wireOut"]));
    expect(pausedStages(hopOf([[1, 2_000_260, 2_003_900]]))).toEqual(
      expect.arrayContaining(["secondaryAppend", "secondaryFlush", "ackBuild"]),
    );
  });

  it("is of the way to the replica that stood still, and not of the other one's", () => {
    const two = modelOf([{ at: 0, hops: [{ wireOut: 2_000_000 }, { wireOut: 2_000_000 }] }], {
      secondaries: 2,
    });
    const { hops } = sequenceOfBlock(withPauses(two, [[2, 100, 2_000_200]]), 0);
    expect(hops.map(({ pause }) => pause?.end ?? null)).toEqual([null, "secondary"]);
  });

  it("is none where no server, or another one, stood still", () => {
    for (const hop of [hopOf([]), hopOf([[2, 100, 2_000_200]]), hopOf([[1, 10_000, 900_000]])]) {
      expect(hop.pause).toBeNull();
      expect(hop.stages.some(({ isPaused }) => isPaused)).toBe(false);
    }
  });
});

describe("the sequence of a block", () => {
  it("has each stage between its two instants", () => {
    const model = blocks();
    const times = Array.from(stagesOf(model, 0), ([id, { from, to, duration }]) => [id, from, to, duration]);
    expect(times).toEqual([
      ["commitQueue", 0, 50, 50],
      ["localFlush", 50, 2_050, 2_000],
      ["captureLag", 50, 50, 0],
      ["compression", null, null, 30],
      ["send", 50, 250, 200],
      ["wireOut", 250, 550, 300],
      ["secondaryAppend", 550, 650, 100],
      ["decompression", null, null, 10],
      ["secondaryFlush", 650, 3_650, 3_000],
      ["ackBuild", 3_650, 3_750, 100],
      ["ackSend", 3_750, 3_850, 100],
      ["secondaryTotal", 550, 3_850, 3_300],
      ["wireBack", 3_850, 4_150, 300],
      ["ackReceive", 4_150, 4_250, 100],
      ["commitWakeUp", 4_250, 4_290, 40],
      ["remoteHarden", 50, 4_250, 4_200],
      ["networkRoundTrip", null, null, 600],
    ]);
  });

  it("begins the wake-up where the block was released: at the acknowledgment, or at the local log write", () => {
    const model = blocks();
    expect(timesOf(model, 1, "commitWakeUp")).toEqual([291_250, 291_290, 40]);
    expect(timesOf(model, 2, "commitWakeUp")).toEqual([407_050, 407_090, 40]);
  });

  it("gives shares of remote harden to its parts only, and uncertainty to what lies between two clocks", () => {
    const stages = stagesOf(blocks(), 0);
    const withShare = [...stages.values()].filter(({ share }) => share !== null);
    expect(withShare.map(({ id }) => id)).toEqual([
      "send",
      "wireOut",
      "secondaryAppend",
      "secondaryFlush",
      "ackBuild",
      "ackSend",
      "wireBack",
      "ackReceive",
    ]);
    expect(withShare.reduce((sum, { share }) => sum + share!, 0)).toBeCloseTo(1, 9);
    const uncertain = [...stages.values()].filter(({ uncertaintyUs }) => uncertaintyUs !== null);
    expect(uncertain.map(({ id, uncertaintyUs }) => [id, uncertaintyUs])).toEqual([
      ["wireOut", 100],
      ["wireBack", 100],
    ]);
  });

  it("ranks among the blocks that have a value", () => {
    const model = blocks();
    const rankOf = (row: number) => stagesOf(model, row).get("secondaryFlush")!.rank;
    expect([rankOf(0), rankOf(1), rankOf(2)].map((rank) => Math.round(rank!))).toEqual([67, 100, 33]);
    const half = blocks();
    half.hops[0].secondaryFlushEnd[1] = Number.NaN;
    const [first, second] = [stagesOf(half, 0), stagesOf(half, 1)].map((stages) =>
      stages.get("secondaryFlush")!,
    );
    expect(first.rank).toBe(100);
    expect(second).toMatchObject({
      duration: null,
      rank: null,
      obtained: "missing",
      to: null,
      from: 200_650,
    });
  });

  it("is as good as the weakest instant of a stage", () => {
    const model = blocks();
    const { obtained } = model.hops[0];
    setObtained(obtained, 0, HOP_ANCHORS.indexOf("received"), Obtained.derived);
    setObtained(obtained, 0, HOP_ANCHORS.indexOf("ackSent"), Obtained.fallback);
    const word = (row: number, id: StageId) => stagesOf(model, row).get(id)!.obtained;
    const words = (row: number) =>
      (
        [
          "send",
          "wireOut",
          "secondaryAppend",
          "ackSend",
          "wireBack",
          "networkRoundTrip",
          "compression",
        ] as const
      ).map((id) => word(row, id));
    expect(words(0)).toEqual([
      "measured",
      "derived",
      "derived",
      "fallback",
      "fallback",
      "fallback",
      "measured",
    ]);
    expect(words(1)).toEqual(Array.from({ length: 7 }, () => "measured"));
    for (const anchor of ["sendEnd", "received", "ackSent", "ackReceived"] as const) {
      const one = blocks();
      setObtained(one.hops[0].obtained, 0, HOP_ANCHORS.indexOf(anchor), Obtained.fallback);
      expect(stagesOf(one, 0).get("networkRoundTrip")!.obtained, anchor).toBe("fallback");
    }
  });

  it("takes the acknowledgment that released the block for the wake-up, also another secondary's", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 50_000 }] }], { secondaries: 2 });
    expect(model.blocks.gate[0]).toBe(Gate.ofSecondary(1));
    const mark = (secondary: number): void =>
      setObtained(model.hops[secondary].obtained, 0, HOP_ANCHORS.indexOf("ackProcessed"), Obtained.fallback);
    mark(0);
    expect(stagesOf(model, 0).get("commitWakeUp")!.obtained).toBe("measured");
    mark(1);
    expect(stagesOf(model, 0).get("commitWakeUp")!.obtained).toBe("fallback");
  });

  it("takes the local log write for the wake-up only where it released the block", () => {
    const model = blocks();
    for (const row of [0, 2])
      setObtained(model.blocks.obtained, row, LOCAL_ANCHORS.indexOf("localFlushEnd"), Obtained.fallback);
    expect(stagesOf(model, 0).get("commitWakeUp")!.obtained).toBe("measured");
    expect(stagesOf(model, 2).get("commitWakeUp")!.obtained).toBe("fallback");
  });

  it("has a hop for each secondary with that one's instants", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 9_000 }] }], { secondaries: 2 });
    const { hops, gate } = sequenceOfBlock(model, 0);
    expect(gate).toBe(3);
    expect(hops.map(({ secondary, remoteHarden }) => [secondary, remoteHarden])).toEqual([
      [0, 4_200],
      [1, 10_200],
    ]);
    expect(hops[1].anchors).toMatchObject({ sendStart: 50, secondaryFlushEnd: 9_650, ackProcessed: 10_250 });
    expect(hops[1].typical).toMatchObject({
      secondaryFlush: 9_000,
      localFlush: 2_000,
      networkRoundTrip: 600,
    });
    // Released by the second secondary, whichever hop it is listed under.
    expect(stagesOf(model, 0, 0).get("commitWakeUp")).toMatchObject({ from: 10_250, to: 10_290 });
  });

  it("has its own instants, its place in time and its commits in order", () => {
    const model = blocks();
    // The first and the last commit belong to the second block, the second to the first, the third to none.
    model.commits.block.set([1, 0, -1, 1]);
    const second = sequenceOfBlock(model, 1);
    expect(second).toMatchObject({
      row: 1,
      database: 0,
      phase: 0,
      size: 512,
      time: 200_000,
      vlfStart: false,
      blockId: String((0x22n << 32n) | 2n),
      local: {
        commitStart: 200_000,
        pushedToLogPool: 200_050,
        localFlushStart: 200_050,
        localFlushEnd: 202_050,
        commitEnd: 291_290,
      },
      previousInTime: 0,
      nextInTime: 2,
    });
    expect(second.commits.map(({ start, end }) => [start, end])).toEqual([
      [0, 4_290],
      [400_000, 407_090],
    ]);
    // 4,290, 91,290, 91,290 and 7,090 µs.
    expect(second.commits.map(({ rank }) => rank)).toEqual([25, 50]);
    const third = sequenceOfBlock(model, 2);
    expect(third).toMatchObject({
      vlfStart: true,
      gate: 1,
      nextInTime: null,
      previousInTime: 1,
      commits: [],
    });
    const [first] = sequenceOfBlock(model, 0).commits;
    // Written from 50 µs on, released at 4,250 µs.
    expect(first).toMatchObject({ rank: 100, queued: 50 - 200_000, wokenAfter: 291_290 - 4_250, gate: 2 });
  });

  it("says null for what is not known", () => {
    const model = blocks();
    model.blocks.size[0] = model.blocks.commitStart[0] = Number.NaN;
    model.commits.gate[0] = 0;
    const { size, local, commits } = sequenceOfBlock(model, 0);
    expect([size, local.commitStart, commits[0].wokenAfter]).toEqual([null, null, null]);
  });

  it("is refused for what is no row", () => {
    for (const row of [-1, 0.5, 3, Number.NaN])
      expect(() => sequenceOfBlock(blocks(), row), String(row)).toThrow(RangeError);
  });
});

it("the places of a block's events are all of them, in fire order, and no other block's", () => {
  const model: CaptureModel = {
    ...blocks(),
    events: eventsAt([
      { block: 0, replica: 0, offset: 100, fire: 1 },
      { block: 1, replica: 0, offset: 300, fire: 3 },
      { block: 2, replica: 0, offset: 500, fire: 5 },
      { block: 1, replica: 1, offset: 200, fire: 2 },
      { block: 1, replica: 1, offset: 400, fire: 4 },
    ]),
  };
  expect(eventPlacesOf(model, 0)).toEqual([{ file: 0, offset: 100, fire: 1 }]);
  expect(eventPlacesOf(model, 1)).toEqual([
    { file: 1, offset: 200, fire: 2 },
    { file: 0, offset: 300, fire: 3 },
    { file: 1, offset: 400, fire: 4 },
  ]);
});

it("events whose time is not known come after all others, in the order of their files", () => {
  const model: CaptureModel = {
    ...blocks(),
    events: eventsAt([
      { block: 0, replica: 0, offset: 100, fire: Number.NaN },
      { block: 0, replica: 1, offset: 200, fire: 2 },
      { block: 0, replica: 2, offset: 300, fire: 1 },
    ]),
  };
  expect(eventPlacesOf(model, 0).map(({ offset }) => offset)).toEqual([300, 200, 100]);
});
