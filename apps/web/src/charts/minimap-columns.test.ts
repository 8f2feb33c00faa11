import type { Place } from "../lanes/palette.ts";
import { describe, expect, it } from "vitest";
import { binWindow, blockWindow, type BlockInput } from "../../test/window.ts";
import { NO_PAUSES, type ServerStates } from "@aglens/ag-model/columns";
import { decidingPlace, minimapColumns } from "@aglens/ag-model/minimap";

const none = Number.NaN;

describe("the place that decided how long a block took", () => {
  it("is the largest part of its remote path", () => {
    const parts = { handling: 1_000, network: 150_000, secondary: 7_000 };
    expect(decidingPlace(6_000, 158_000, parts)).toBe("network");
    expect(decidingPlace(6_000, 158_000, { ...parts, network: 500, secondary: 156_500 })).toBe("secondary");
    expect(decidingPlace(6_000, 158_000, { handling: 150_000, network: 1_000, secondary: 7_000 })).toBe(
      "primary",
    );
  });

  it("is the primary when its own log write outlasted that path", () => {
    const parts = { handling: 300, network: 700, secondary: 7_000 };
    expect(decidingPlace(7_900, 8_000, parts)).toBe("secondary");
    expect(decidingPlace(8_000, 8_000, parts)).toBe("primary");
    expect(decidingPlace(6_000, 0, { handling: 0, network: 0, secondary: 0 })).toBe("primary");
  });

  it("is none when the larger part is unknown", () => {
    // The secondary's file ended: only the send is known.
    expect(decidingPlace(3_000, 28_000, { handling: 200, network: 0, secondary: 0 })).toBe("none");
    // Its acknowledgment is missing, but the known part is larger than the rest can be.
    expect(decidingPlace(3_000, 28_000, { handling: 200, network: 20_000, secondary: 0 })).toBe("network");
    expect(decidingPlace(3_000, 20_000, { handling: 0, network: 10_000, secondary: 0 })).toBe("network");
    expect(decidingPlace(0, 0, { handling: 0, network: 0, secondary: 0 })).toBe("none");
  });
});

type Columns = ReturnType<typeof minimapColumns>;
const listed = ({ slowest, place }: Columns): (readonly [number, Place])[] =>
  Array.from(slowest, (us, i) => [us, place[i]] as const);

describe("columns of blocks", () => {
  /** A block with its complete path: 100 µs of handling at either end, the network and the secondary between them. */
  const block = (at: number, network: number, secondary: number, flush = 500): BlockInput => ({
    localFlushStart: at,
    localFlushEnd: at + flush,
    hops: [
      {
        sendStart: at,
        sendEnd: at + 100,
        received: at + 100 + network / 2,
        ackSent: at + 100 + network / 2 + secondary,
        ackReceived: at + 100 + network + secondary,
        ackProcessed: at + 200 + network + secondary,
      },
    ],
  });
  const columnsOf = (blocks: readonly BlockInput[], count = 10): Columns =>
    minimapColumns(blockWindow(blocks), 0, count, NO_PAUSES);

  it("are filled by a block from where it begins to where it ends", () => {
    // 1,000 µs per column: from 1,900 to 4,100 µs.
    expect(listed(columnsOf([block(1_900, 2_000, 0)])).slice(0, 6)).toEqual([
      [none, "none"],
      [2_200, "network"],
      [2_200, "network"],
      [2_200, "network"],
      [2_200, "network"],
      [none, "none"],
    ]);
  });

  it("have the slowest of several, whichever came first", () => {
    const slow = block(2_100, 0, 600);
    const fast = block(2_200, 300, 100);
    for (const blocks of [
      [slow, fast],
      [fast, slow],
    ])
      expect(listed(columnsOf(blocks))[2]).toEqual([800, "secondary"]);
  });

  it("have the primary's log write where that lasted longer", () => {
    expect(listed(columnsOf([block(2_100, 100, 100, 900)]))[2]).toEqual([900, "primary"]);
  });

  it("count the handling at both ends as the primary's", () => {
    // 100 µs before the network and 100 µs after it: more than either of the others.
    expect(listed(columnsOf([block(2_100, 150, 150, 100)]))[2]).toEqual([500, "primary"]);
  });

  it("end with the capture, and leave out what took no time", () => {
    expect(listed(columnsOf([block(9_500, 9_000, 0)])).at(-1)).toEqual([9_200, "network"]);
    expect(listed(columnsOf([{ localFlushStart: 100, localFlushEnd: 100 }]))[0]).toEqual([none, "none"]);
    expect(listed(columnsOf([block(-500, 900, 0)]))[0]).toEqual([1_100, "network"]);
  });

  it("without a secondary have the primary's log write", () => {
    const alone = minimapColumns(
      blockWindow([{ localFlushStart: 2_100, localFlushEnd: 2_600 }], { secondaries: 0 }),
      0,
      10,
      NO_PAUSES,
    );
    expect(listed(alone)[2]).toEqual([500, "primary"]);
  });

  it("without the primary's file are as long as the time on the secondary", () => {
    const there: BlockInput = { hops: [{ received: 2_100, ackSent: 2_900 }] };
    expect(listed(columnsOf([there]))[2]).toEqual([800, "secondary"]);
  });

  it("begin where the window does", () => {
    const later = minimapColumns(
      blockWindow([block(5_100, 300, 0, 400)], { from: 5_000, to: 10_000 }),
      0,
      5,
      NO_PAUSES,
    );
    expect([later.from, later.to, listed(later)[0]]).toEqual([5_000, 10_000, [500, "network"]]);
  });
});

/** SQL1 is the primary in the entire window; SQL2 or another server was unresponsive from 3,000 to 7,000 µs. */
const standing = (replica = 1): ServerStates => ({
  phases: [{ databases: [0], primary: 0, from: 0, to: 10_000, commitModes: ["sync", "sync"] }],
  pauses: [{ replica, from: 3_000, to: 7_000 }],
});

describe("a server that was unresponsive", () => {
  const block = (at: number, out: number): BlockInput => ({
    localFlushStart: at,
    localFlushEnd: at + 500,
    hops: [
      {
        sendStart: at,
        sendEnd: at,
        received: at + out,
        ackSent: at + out,
        ackReceived: at + out,
        ackProcessed: at + out,
      },
    ],
  });
  const placeOf = (blocks: readonly BlockInput[], column: number, still: ServerStates): Place =>
    minimapColumns(blockWindow(blocks), 0, 10, still).place[column];

  it("is no place, and not the network, where most of the path was spent so", () => {
    // 4,000 of 5,000 µs.
    expect(placeOf([block(2_500, 5_000)], 4, standing())).toBe("none");
    expect(placeOf([block(2_500, 5_000)], 4, standing(0))).toBe("none");
    expect(placeOf([block(2_500, 5_000)], 4, standing(2))).toBe("network");
    expect(placeOf([block(6_500, 2_000)], 7, standing())).toBe("network");
  });

  it("is said too of the primary's own log write", () => {
    const write: BlockInput = { localFlushStart: 2_900, localFlushEnd: 7_100 };
    expect(placeOf([write], 4, standing(0))).toBe("none");
    expect(placeOf([write], 4, standing(1))).toBe("primary");
  });

  it("is known of bins by when they begin and how long their slowest block took", () => {
    const figure = (...max: readonly number[]) => ({ max, p50: max });
    const window = binWindow({
      "hop0.remoteHarden": figure(500, 500, 500, 4_000, 500),
      "hop0.wireOut": figure(400, 400, 400, 4_000, 400),
    });
    const five = (still: ServerStates): readonly Place[] => minimapColumns(window, 0, 5, still).place;
    // From 7,000 µs on no server was unresponsive.
    expect(five(standing())).toEqual(["network", "none", "none", "network", "network"]);
    expect(five(standing(2))).toEqual(["network", "network", "network", "network", "network"]);
  });
});

describe("columns of bins", () => {
  const figure = (...max: readonly number[]) => ({ max, p50: max });

  it("have the longest path of their bin, in the place whose stages reach furthest", () => {
    const window = binWindow({
      localFlush: figure(500, 500),
      "hop0.remoteHarden": figure(9_000, 9_000),
      "hop0.wireOut": figure(3_000, 100),
      "hop0.wireBack": figure(3_000, 100),
      "hop0.secondaryAppend": figure(500, 1_000),
      "hop0.secondaryFlush": figure(1_000, 6_000),
      "hop0.ackBuild": figure(100, 200),
      "hop0.ackSend": figure(100, 200),
      "hop0.send": figure(600, 600),
      "hop0.ackReceive": figure(700, 700),
    });
    expect(listed(minimapColumns(window, 0, 2, NO_PAUSES))).toEqual([
      [9_000, "network"],
      [9_000, "secondary"],
    ]);
  });

  it("count the send and the acknowledgment's arrival to the primary", () => {
    const window = binWindow({
      "hop0.remoteHarden": figure(9_000),
      "hop0.send": figure(4_000),
      "hop0.ackReceive": figure(4_000),
      "hop0.wireOut": figure(500),
    });
    expect(listed(minimapColumns(window, 0, 1, NO_PAUSES))).toEqual([[9_000, "primary"]]);
  });

  it("without the primary's file are as long as the time on the secondary", () => {
    const window = binWindow({
      "hop0.remoteHarden": figure(none, none),
      "hop0.secondaryFlush": figure(6_000, 40_000),
      "hop0.ackBuild": figure(500, none),
    });
    expect(listed(minimapColumns(window, 0, 2, NO_PAUSES))).toEqual([
      [6_500, "secondary"],
      [40_000, "secondary"],
    ]);
  });

  it("are those of the chosen secondary", () => {
    const window = binWindow({
      "hop0.remoteHarden": figure(1_000),
      "hop1.remoteHarden": figure(8_000),
      "hop1.wireOut": figure(7_000),
    });
    expect(listed(minimapColumns(window, 1, 1, NO_PAUSES))).toEqual([[8_000, "network"]]);
  });

  it("fill the columns of their bin, at least one, and leave out bins without blocks", () => {
    const window = binWindow({ localFlush: figure(1_000, 2_000, 3_000) }, { count: [1, 0, 1] });
    expect(listed(minimapColumns(window, 0, 6, NO_PAUSES)).map(([us]) => us)).toEqual([
      1_000,
      1_000,
      none,
      none,
      3_000,
      3_000,
    ]);
    expect(listed(minimapColumns(window, 0, 2, NO_PAUSES)).map(([us]) => us)).toEqual([1_000, 3_000]);
  });
});

describe("where commits waited beside the path", () => {
  /** Written in 2 ms, waits `held` µs until it is sent, acknowledged 3 ms later. 100 ms are a column. */
  const block = (held: number, more: BlockInput = {}): BlockInput => ({
    commitStart: 100_000,
    localFlushStart: 100_000,
    pushedToLogPool: 100_000,
    localFlushEnd: 102_000,
    hops: [
      {
        sendStart: 100_000 + held,
        sendEnd: 100_100 + held,
        received: 100_500 + held,
        ackSent: 102_500 + held,
        ackReceived: 102_900 + held,
        ackProcessed: 103_000 + held,
      },
    ],
    commitEnd: 103_000 + held,
    ...more,
  });
  const columnsOf = (given: BlockInput, still: ServerStates = NO_PAUSES) =>
    listed(minimapColumns(blockWindow([given], { to: 1_000_000 }), 0, 10, still)).slice(1, 4);

  it("a column is what they waited for, on the primary: flow control holds blocks before they are sent", () => {
    expect(columnsOf(block(200_000))).toEqual([
      [200_000, "primary"],
      [200_000, "primary"],
      [200_000, "primary"],
    ]);
  });

  it("it is not while commits are within their limit of 20 ms", () => {
    expect(columnsOf(block(16_000))[0]).toEqual([3_000, "secondary"]);
    expect(columnsOf(block(18_000))[0]).toEqual([18_000, "primary"]);
  });

  it("it is not where no commit is known to have waited, nor where they did not wait for this secondary", () => {
    expect(columnsOf(block(200_000, { commitStart: none }))[0]).toEqual([3_000, "secondary"]);
    expect(columnsOf(block(200_000, { commitEnd: 130_000 }))[0]).toEqual([3_000, "secondary"]);
  });

  it("it is no place where the primary was unresponsive for most of it", () => {
    const still: ServerStates = { ...standing(0), pauses: [{ replica: 0, from: 100_000, to: 290_000 }] };
    expect(columnsOf(block(200_000), still)[0]).toEqual([200_000, "none"]);
  });

  it("bins say it too", () => {
    const figure = (us: number) => ({ max: [us], p50: [us] });
    const window = binWindow({
      commit: figure(205_000),
      localFlush: figure(2_000),
      "hop0.captureLag": figure(200_000),
      "hop0.remoteHarden": figure(3_000),
      "hop0.secondaryFlush": figure(2_000),
    });
    expect(listed(minimapColumns(window, 0, 1, NO_PAUSES))).toEqual([[200_000, "primary"]]);
  });
});
