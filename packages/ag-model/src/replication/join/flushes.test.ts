import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, DATABASE, hopEvents } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { obtainedIn, LOCAL_ANCHORS, Obtained } from "../shapes/tables.ts";

const BLOCK = blockId(0x22, 0x10);
const ids = { block: BLOCK, local: 6 } as const;
const start = (at: number): EventSpec => ({ ...ids, kind: "flushStart", at });
const complete = (at: number, ms: number): EventSpec => ({
  ...ids,
  kind: "flushComplete",
  at,
  took: 1_000 * ms,
});
const pool = (at: number): EventSpec => ({ ...ids, kind: "pushedToLogPool", at, took: 2 });

/** The log write of the block, µs after its capture began at 1,000. */
const writeOf = (...events: EventSpec[]) => writeOfBlock(BLOCK, events);

function writeOfBlock(block: bigint, events: readonly EventSpec[]) {
  const capture = hopEvents({ block, at: 940 }).filter(({ kind }) => kind === "capture");
  // A write of another block shows which database has this database_id.
  const other: EventSpec[] = [
    {
      kind: "capture",
      mode: 2,
      took: 0,
      block: blockId(0x22, 0x40),
      database: DATABASE,
      partner: "secondary-id",
      size: 512,
      at: 90_000,
    },
    { kind: "flushStart", local: 6, block: blockId(0x22, 0x40), at: 90_100 },
  ];
  const { blocks, hops } = buildModel([
    { role: "primary", columns: eventColumns([...capture, ...events, ...other]) },
  ]);
  const zero = hops[0].sendStart[0] - 1_000;
  const how = (name: (typeof LOCAL_ANCHORS)[number]) =>
    obtainedIn(blocks.obtained[0], LOCAL_ANCHORS.indexOf(name));
  return {
    from: blocks.localFlushStart[0] - zero,
    to: blocks.localFlushEnd[0] - zero,
    logPool: blocks.pushedToLogPool[0] - zero,
    obtained: [how("localFlushStart"), how("localFlushEnd")],
  };
}

describe("the log write of a block", () => {
  it("is from its start to its completion", () => {
    expect(writeOf(pool(1_040), start(1_050), complete(4_050, 3))).toEqual({
      from: 1_050,
      to: 4_050,
      logPool: 1_040,
      obtained: [Obtained.measured, Obtained.measured],
    });
  });

  it("is the last pair of the first block of a VLF: the first one writes the VLF's header", () => {
    expect(writeOf(start(1_050), complete(2_000, 1), start(2_100), complete(4_000, 2))).toMatchObject({
      from: 2_100,
      to: 4_000,
    });
  });

  it("is unfinished where only the header's completion is there", () => {
    expect(writeOf(start(1_050), complete(2_000, 1), start(2_100))).toMatchObject({
      from: 2_100,
      to: Number.NaN,
      obtained: [Obtained.measured, Obtained.missing],
    });
  });

  it("has lost its start where the start at hand is farther from the completion than this reports", () => {
    // 3 ms are 2.5 to 3.5 ms; up to 1 ms more counts for the rounding of both.
    expect(writeOf(start(1_000), complete(5_000, 3))).toMatchObject({ from: 1_000 });
    expect(writeOf(start(999), complete(5_000, 3))).toMatchObject({
      from: 2_000,
      obtained: [Obtained.fallback, Obtained.measured],
    });
  });

  it("takes a lost start from the log pool as far as the rounded duration allows, else from the duration", () => {
    // The flush starts 9 µs after the copy to the log pool. A rounded duration of 3 ms before 6,000 is a start of
    // 3,000, or between 2,500 and 3,500 without the rounding; no write starts before its block was copied to the log
    // pool.
    const fromPool = (at: number): number => writeOf(pool(at), complete(6_000, 3)).from;
    expect([2_900, 2_400, 3_600].map(fromPool)).toEqual([2_909, 2_500, 3_600]);
    expect(writeOf(complete(6_000, 3)).from).toBe(3_000);
    const block = blockId(0x22, 0x20);
    expect(writeOfBlock(block, [{ ...pool(1_100), block }])).toMatchObject({ from: 1_109, to: Number.NaN });
  });

  it("has no start where a VLF's first block shows the log pool alone: the header's write of unknown length is in between", () => {
    expect(writeOf(pool(1_100))).toMatchObject({
      from: Number.NaN,
      to: Number.NaN,
      obtained: [Obtained.missing, Obtained.missing],
    });
  });

  it("may end in the microsecond in which it began", () => {
    expect(writeOf(start(1_050), complete(1_050, 0))).toMatchObject({ from: 1_050, to: 1_050 });
  });

  it("takes the first of several copies to the log pool", () => {
    expect(writeOf(pool(1_040), pool(1_500), start(1_550)).logPool).toBe(1_040);
  });

  it("is not lost by an event without start_timestamp beside it", () => {
    const { at: _, ...untimed } = start(0);
    const { at: __, ...ended } = complete(0, 3);
    const write = writeOf(
      start(1_050),
      complete(4_050, 3),
      { ...untimed, published: 5_000 },
      { ...ended, published: 5_001 },
    );
    expect(write).toMatchObject({ from: 1_050, to: 4_050 });
  });
});
