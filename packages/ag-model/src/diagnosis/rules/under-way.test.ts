/**
 * Blocks from before the primary's files that a lagging replica has received, and blocks that it has not received yet.
 */
import { describe, expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import { HOP_ANCHORS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { blocksNotArrived, blocksOfBefore } from "./under-way.ts";

/** Six blocks of two databases by turns, with ids 1 to 6 in the order of their log writes. */
function twoDatabases(): CaptureModel {
  const model = modelOf(Array.from({ length: 6 }, (_, i) => ({ at: i * 1_000_000 })));
  model.blocks.database.set([0, 1, 0, 1, 0, 1]);
  return { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2", name: "Other" }] };
}

/** Keeps only the secondary's data of a block. */
function onlyReceived({ blocks, hops: [hop] }: CaptureModel, row: number): void {
  blocks.pushedToLogPool[row] = Number.NaN;
  blocks.localFlushStart[row] = Number.NaN;
  hop.departed[row] = Number.NaN;
}

/** Is on its way to the secondary. */
function notReceived({ hops: [hop] }: CaptureModel, row: number): void {
  for (const anchor of HOP_ANCHORS.slice(HOP_ANCHORS.indexOf("received"))) hop[anchor][row] = Number.NaN;
}

describe("blocks of before the primary's files", () => {
  it("are compared with the first block of their own database", () => {
    const model = twoDatabases();
    onlyReceived(model, 0);
    onlyReceived(model, 1);
    // It is after the other database's first block, and before its own.
    onlyReceived(model, 3);
    expect([...(blocksOfBefore(model) ?? [])]).toEqual([1, 1, 0, 1, 0, 0]);
    // After the first block of its own database, wherever the other one's is.
    const late = twoDatabases();
    onlyReceived(late, 0);
    onlyReceived(late, 2);
    onlyReceived(late, 3);
    expect([...(blocksOfBefore(late) ?? [])]).toEqual([1, 0, 1, 0, 0, 0]);
  });

  it("are none where the primary's files have all of them", () => {
    expect(blocksOfBefore(twoDatabases())).toBeNull();
  });
});

describe("blocks that have not arrived", () => {
  it("are those behind the last one of their own database that did", () => {
    const model = twoDatabases();
    for (const row of [2, 4, 5]) notReceived(model, row);
    expect([...(blocksNotArrived(model, 0) ?? [])]).toEqual([0, 0, 1, 0, 1, 1]);
  });

  it("are none where a later one of the database arrived: an event was lost then", () => {
    const model = twoDatabases();
    notReceived(model, 2);
    expect(blocksNotArrived(model, 0)).toBeNull();
  });
});
