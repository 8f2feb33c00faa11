/** Time per block with the wait for the blocks before it. All µs; sums of the durations in the fixture. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import {
  HOP_ANCHORS,
  MARKER_KINDS,
  Obtained,
  type CaptureModel,
  type MarkerKind,
} from "../replication/shapes/tables.ts";
import {
  acknowledgment,
  compressionTime,
  flowControlIntervals,
  grouping,
  heldByFlowControl,
  localWrite,
  roundTrip,
  secondaryWork,
  secondaryWrite,
  sendTime,
  waitForLocalWrite,
} from "./waiting.ts";

const PATH = { replica: 1, secondary: 0, isWaitedFor: true };

/** Two blocks; `apart` puts the second one into another database, which has log writers and threads of its own. */
function two(first: Partial<BlockSpec>, second: BlockSpec, apart = false): CaptureModel {
  const model = modelOf([{ at: 0, ...first }, second]);
  if (apart) model.blocks.database[1] = 1;
  return { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2" }] };
}

describe("the primary's log write", () => {
  // The first write runs from 50 to 2,050; the second block's commits begin at 1,000 and its own write at 2,500.
  const second = { at: 1_000, commitQueue: 1_500 };

  it("counts the write before it that ran, and grouping is the rest of the queue", () => {
    const model = two({}, second);
    expect([...waitForLocalWrite(model)]).toEqual([0, 1_050]);
    expect([...localWrite(model)]).toEqual([2_000, 3_050]);
    expect([...grouping(model)]).toEqual([50, 450]);
  });

  it("does not count the write of another database", () => {
    const model = two({}, second, true);
    expect([...waitForLocalWrite(model)]).toEqual([0, 0]);
    expect([...localWrite(model)]).toEqual([2_000, 2_000]);
    expect([...grouping(model)]).toEqual([50, 1_500]);
  });

  it("is known without a commit, and nothing waited where the first commit came later", () => {
    const model = two({}, second);
    model.blocks.commitStart[1] = Number.NaN;
    expect([waitForLocalWrite(model)[1], localWrite(model)[1], grouping(model)[1]]).toEqual([
      Number.NaN,
      2_000,
      Number.NaN,
    ]);
    const later = two({}, second);
    later.blocks.commitStart[1] = 2_501;
    expect([waitForLocalWrite(later)[1], localWrite(later)[1]]).toEqual([Number.NaN, 2_000]);
    const together = two({}, second);
    together.blocks.commitStart[1] = 2_500;
    expect([waitForLocalWrite(together)[1], grouping(together)[1]]).toEqual([0, 0]);
  });
});

describe("a secondary's log write and its other work", () => {
  // The first write runs from 650 to 3,650; the second block is received at 1,550 and its own write begins at 4,050.
  const second = { at: 1_000, hops: [{ append: 2_500 }] };

  it("count the write before it that ran", () => {
    const model = two({}, second);
    expect([...secondaryWrite(model, PATH)]).toEqual([3_000, 5_100]);
    // 2,500 - 2,100 - 10 of decompression, and twice 100 for the acknowledgment.
    expect([...secondaryWork(model, PATH)]).toEqual([290, 590]);
  });

  it("do not count another database's", () => {
    const model = two({}, second, true);
    expect([...secondaryWrite(model, PATH)]).toEqual([3_000, 3_000]);
    expect([...secondaryWork(model, PATH)]).toEqual([290, 2_690]);
  });

  it("take a block without decompression as it is, and never less than nothing", () => {
    const model = two({}, second);
    model.hops[0].decompression.fill(Number.NaN);
    expect([...secondaryWork(model, PATH)]).toEqual([300, 600]);
    model.hops[0].decompression.fill(9_000);
    const packed = two({}, second);
    packed.hops[0].decompression.fill(9_000);
    expect([...secondaryWork(packed, PATH)]).toEqual([200, 200]);
  });
});

describe("capture and send", () => {
  /** The first block is sent from 50 to 250; the second is in the log pool at 100 and captured from 260 on. */
  const captured = (compression: number, apart = false): CaptureModel => {
    const model = two({ hops: [{ compression }] }, { at: 50, hops: [{ compression: 40 }] }, apart);
    model.hops[0].sendStart[1] = 260;
    model.hops[0].sendEnd[1] = 460;
    return model;
  };

  it("split the wait for the block before into its compression and its sending", () => {
    const model = captured(130);
    // Compressed from 50 to 180: 80 of the 150 waited; the other 70 it was sent.
    expect([...compressionTime(model, PATH)]).toEqual([130, 120]);
    expect([...sendTime(model, PATH)]).toEqual([70, 230]);
  });

  it("take a block without compression as it is", () => {
    const model = captured(130);
    model.hops[0].compression.fill(Number.NaN);
    expect([...sendTime(model, PATH)]).toEqual([200, 350]);
  });

  it("do not wait for another database's", () => {
    const model = captured(130, true);
    expect([...compressionTime(model, PATH)]).toEqual([130, 40]);
    expect([...sendTime(model, PATH)]).toEqual([70, 160]);
  });

  it("are never less than nothing where compression takes longer than the whole", () => {
    const model = captured(900);
    expect(sendTime(model, PATH)[0]).toBe(0);
    expect(sendTime(model, PATH)[1]).toBe(160);
  });
});

describe("acknowledgements", () => {
  // The first is acted on from 4,150 to 5,150; the second leaves at 4,350 and is taken at 5,150.
  const blocks = (apart = false): CaptureModel =>
    two({ hops: [{ ackReceive: 1_000 }] }, { at: 500, hops: [{ wireBack: 800 }] }, apart);

  it("wait for the ones before them on the primary, not in the network", () => {
    expect([...roundTrip(blocks(), PATH)]).toEqual([600, 300]);
    // Wake-up 40, and for the second 100 to act on it and 800 after the first.
    expect([...acknowledgment(blocks(), [PATH])]).toEqual([1_040, 940]);
  });

  it("do not wait for another database's", () => {
    expect([...roundTrip(blocks(true), PATH)]).toEqual([600, 1_100]);
    expect([...acknowledgment(blocks(true), [PATH])]).toEqual([1_040, 140]);
  });

  it("do not wait where the clocks are not aligned: when they were on their way is not known", () => {
    const unaligned = blocks();
    unaligned.hops[0].uncertainty.fill(Number.NaN);
    expect([...roundTrip(unaligned, PATH)]).toEqual([600, 1_100]);
    expect([...acknowledgment(unaligned, [PATH])]).toEqual([1_040, 140]);
  });

  it("count the wake-up alone where something else released the commits", () => {
    const local = two(
      { hops: [{ ackReceive: 1_000 }] },
      { at: 500, hops: [{ wireBack: 800 }], localFlush: 90_000 },
    );
    expect(acknowledgment(local, [PATH])[1]).toBeCloseTo(40, 6);
    expect([...acknowledgment(blocks(), [])]).toEqual([40, 40]);
  });
});

describe("flow control", () => {
  const withMarkers = (
    model: CaptureModel,
    markers: readonly (readonly [kind: MarkerKind, time: number, duration: number])[],
  ): CaptureModel => ({
    ...model,
    markers: {
      length: markers.length,
      kind: Uint8Array.from(markers, ([kind]) => MARKER_KINDS.indexOf(kind)),
      replica: new Uint8Array(markers.length),
      time: Float64Array.from(markers, ([, time]) => time),
      duration: Float64Array.from(markers, ([, , duration]) => duration),
    },
  });

  it("merges events of one stop, in order of time", () => {
    const stops = flowControlIntervals(
      withMarkers(modelOf([]), [
        ["databaseFlowControl", 500, 10],
        ["transportFlowControl", 100, 200],
        ["databaseFlowControl", 150, 20],
        ["databaseFlowControl", 300, 50],
        ["databaseFlowControl", 351, 1],
        ["vlfSwitch", 0, 9_000],
        ["databaseFlowControl", 900, 0],
      ]),
    );
    expect(stops).toEqual([
      { from: 100, to: 350 },
      { from: 351, to: 352 },
      { from: 500, to: 510 },
    ]);
  });

  it("holds a block from the log pool to its capture, as far as sending had stopped", () => {
    const model = two({}, { at: 1_000 });
    // In the log pool at 50 and 1,050; the second is captured 900 later.
    model.hops[0].sendStart[1] = 1_950;
    const held = withMarkers(model, [
      ["databaseFlowControl", 900, 300],
      ["databaseFlowControl", 1_900, 500],
    ]);
    expect([...heldByFlowControl(held, PATH)]).toEqual([0, 150 + 50]);
  });
});

it("a round trip is not known of a block whose own acknowledgment was sent, and of which another's arrival is taken", () => {
  const model = two({}, { at: 100_000 });
  expect([...roundTrip(model, PATH)]).toEqual([600, 600]);
  const bit = 2 * HOP_ANCHORS.indexOf("ackReceived");
  model.hops[0].obtained[1] = (model.hops[0].obtained[1] & ~(3 << bit)) | (Obtained.derived << bit);
  expect([...roundTrip({ ...model }, PATH)]).toEqual([600, Number.NaN]);
});
