/** Rows cut from a model, put together again, and kept for a minute. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { cutPiece, joinPieces, splitPiece, type Piece } from "./block-pieces.ts";
import { RecentBlocks } from "./recent-blocks.ts";
import { SettledBlocks } from "./settled-blocks.ts";

const SECOND = 1_000_000;

const allOf = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => i);

/** All rows of a model, with their own names, `shift` µs later. */
const pieceOf = (model: CaptureModel, shift = 0, firstNumber = 0): Piece =>
  cutPiece({
    model,
    shift,
    blocks: allOf(model.blocks.length),
    commits: allOf(model.commits.length),
    markers: allOf(model.markers.length),
    databaseOf: model.databases.map((_, d) => d),
    secondaryOf: model.hops.map((_, s) => s),
    secondaries: model.hops.length,
    numberOf: (row) => firstNumber + row,
  });

/** Blocks that begin at the seconds given. */
const at = (...seconds: number[]): CaptureModel =>
  modelOf(seconds.map((s): BlockSpec => ({ at: s * SECOND })));

const withMarkers = (
  model: CaptureModel,
  ...markers: (readonly [replica: number, time: number])[]
): CaptureModel => ({
  ...model,
  markers: {
    length: markers.length,
    kind: Uint8Array.from(markers, (_, i) => i),
    replica: Uint8Array.from(markers, ([replica]) => replica),
    time: Float64Array.from(markers, ([, time]) => time),
    duration: Float64Array.from(markers, () => 7),
  },
});

describe("a piece of a model", () => {
  it("has the rows that are asked for, in time of the run and under the run's names", () => {
    const model = withMarkers(
      modelOf(
        [
          { at: 0 },
          { at: 100, vlfStart: true },
          { at: 200, localFlush: 9_000, hops: [{}, { flush: 9_000 }] },
        ],
        {
          secondaries: 2,
        },
      ),
      [0, 5],
      [2, 6],
    );
    const piece = cutPiece({
      model,
      shift: 10_000,
      blocks: Uint32Array.of(1, 2),
      commits: Uint32Array.of(0, 2),
      markers: Uint32Array.of(0, 1),
      databaseOf: [4],
      // The model's secondaries are the run's second and first; the run has a third.
      secondaryOf: [1, 0],
      secondaries: 3,
      numberOf: (row) => 50 + row,
    });
    expect(piece.blocks).toMatchObject({
      length: 2,
      database: Uint16Array.of(4, 4),
      phase: Uint16Array.of(0, 0),
      blockId: BigUint64Array.of((0x22n << 32n) | 2n, (0x22n << 32n) | 3n),
      time: Float64Array.of(10_100, 10_200),
      localFlushEnd: Float64Array.of(12_150, 19_250),
      size: Float64Array.of(512, 512),
      vlfStart: Uint8Array.of(1, 0),
      commits: Uint16Array.of(1, 1),
      // Released by the model's first secondary, and by its second one.
      gate: Uint8Array.of(3, 2),
      uncertainty: Float64Array.of(0, 0),
    });
    expect(piece.blocks.timeEnd[0]).toBe(model.blocks.timeEnd[1] + 10_000);
    expect([...piece.hops[0].secondaryFlushEnd]).toEqual(
      [...model.hops[1].secondaryFlushEnd.subarray(1)].map((us) => us + 10_000),
    );
    expect([...piece.hops[1].ackProcessed]).toEqual(
      [...model.hops[0].ackProcessed.subarray(1)].map((us) => us + 10_000),
    );
    expect([
      ...piece.hops[1].compression,
      ...piece.hops[1].decompression,
      ...piece.hops[1].uncertainty,
    ]).toEqual([30, 30, 10, 10, 100, 100]);
    expect([...piece.hops[2].sendStart, ...piece.hops[2].compression]).toEqual(
      Array.from({ length: 4 }, () => Number.NaN),
    );
    expect([...piece.hops[2].obtained]).toEqual([0, 0]);
    expect([...piece.hops[1].obtained]).toEqual([...model.hops[0].obtained.subarray(1)]);
    expect(piece.commits).toMatchObject({
      length: 2,
      block: Int32Array.of(50, 52),
      database: Uint16Array.of(4, 4),
      start: Float64Array.of(10_000, 10_200),
      gate: Uint8Array.of(3, 2),
    });
    expect([...piece.commits.end]).toEqual([model.commits.end[0] + 10_000, model.commits.end[2] + 10_000]);
    expect([...piece.commits.timeToCommit]).toEqual([
      model.commits.timeToCommit[0],
      model.commits.timeToCommit[2],
    ]);
    expect(piece.markers).toEqual({
      length: 2,
      kind: Uint8Array.of(0, 1),
      replica: Uint8Array.of(0, 1),
      time: Float64Array.of(10_005, 10_006),
      duration: Float64Array.of(7, 7),
    });
  });

  it("keeps what released a block where that is its log write or unknown", () => {
    const model = modelOf([{ at: 0, localFlush: 9_000 }, { at: 1 }]);
    model.blocks.gate[1] = 0;
    model.commits.block[1] = -1;
    const piece = pieceOf(model);
    expect([...piece.blocks.gate]).toEqual([1, 0]);
    expect([...piece.commits.block]).toEqual([0, -1]);
  });

  it("is the same after it was split and joined", () => {
    const model = withMarkers(at(0, 1, 2, 3), [0, 5], [1, 6]);
    const piece = pieceOf(model, 0, 100);
    const parts = splitPiece(piece, 3, 1, 1);
    expect(
      parts.map(({ blocks, commits, markers }) => [blocks.length, commits.length, markers.length]),
    ).toEqual([
      [3, 1, 1],
      [1, 3, 1],
    ]);
    const joined = joinPieces(parts, 100, 1);
    expect(joined.blocks).toEqual(model.blocks);
    expect(joined.hops).toEqual(model.hops);
    expect(joined.commits).toEqual(model.commits);
    expect(joined.markers).toEqual(model.markers);
    expect(joined.events.length).toBe(0);
  });

  it("leaves commits without their block where none of the pieces has it, and fills a secondary that came later", () => {
    const joined = joinPieces([pieceOf(at(0, 1), 0, 100), pieceOf(at(2), 0, 102)], 101, 2);
    // Blocks 100, 101 and 102 of the run in rows that begin with 101: the first commit's block is gone.
    expect([...joined.commits.block]).toEqual([-1, 0, 1]);
    expect(joined.hops).toHaveLength(2);
    expect([...joined.hops[1].received]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect([...joinPieces([pieceOf(at(0, 1), 0, 100)], 99, 1).commits.block]).toEqual([1, -1]);
  });
});

describe("the blocks of the last minute", () => {
  it("settle up to an instant, with their numbers; the rest is the tail", () => {
    const recent = new RecentBlocks();
    expect([recent.tail, recent.unsettled]).toEqual([null, 0]);
    recent.settle(pieceOf(at(0, 1, 2)), 2 * SECOND, 3 * SECOND);
    expect([recent.next, recent.settledTo, recent.unsettled]).toEqual([2, 2 * SECOND, 1]);
    expect([1n, 2n, 3n].map((id) => recent.numberOf(0, (0x22n << 32n) | id))).toEqual([0, 1, -1]);
    expect(recent.tail?.firstBlock).toBe(2);
    expect([...recent.tail!.pieces[0].blocks.time]).toEqual([2 * SECOND]);
    expect(recent.all.firstBlock).toBe(0);
    expect(recent.all.pieces.map(({ blocks }) => blocks.length)).toEqual([2, 1]);
    // The tail is passed again with the new blocks.
    recent.settle(pieceOf(at(2, 3)), 9 * SECOND, 9 * SECOND);
    expect(recent.all.pieces.map(({ blocks }) => blocks.length)).toEqual([2, 2, 0]);
    expect([recent.next, recent.unsettled]).toEqual([4, 0]);
  });

  it("keep commits and markers of a time without blocks", () => {
    const recent = new RecentBlocks();
    recent.settle(pieceOf(withMarkers(modelOf([]), [0, 5])), SECOND, SECOND);
    recent.settle(pieceOf(modelOf([])), 2 * SECOND, 2 * SECOND);
    expect(recent.all.pieces.map(({ markers }) => markers.length)).toEqual([1, 0]);
  });

  it("are forgotten after a minute, piece by piece, but never the newest one", () => {
    const recent = new RecentBlocks();
    recent.settle(pieceOf(at(0, 10)), 11 * SECOND, 11 * SECOND);
    recent.settle(pieceOf(at(20)), 21 * SECOND, 21 * SECOND);
    recent.settle(pieceOf(at(30)), 31 * SECOND, 70 * SECOND);
    expect([recent.all.firstBlock, recent.all.pieces.length]).toEqual([0, 4]);
    recent.settle(pieceOf(at(69)), 70 * SECOND, 70 * SECOND + 1);
    expect([recent.all.firstBlock, recent.all.pieces.length]).toEqual([2, 4]);
    recent.settle(pieceOf(modelOf([])), 300 * SECOND, 300 * SECOND);
    expect([recent.all.firstBlock, recent.all.pieces.length]).toEqual([4, 2]);
  });

  it("are forgotten sooner where they are more than fifty thousand", () => {
    const recent = new RecentBlocks();
    const many = (second: number): Piece => {
      const { blocks, hops, commits, markers } = pieceOf(at(second));
      const time = new Float64Array(25_000).fill(second * SECOND);
      const [database, blockId] = [new Uint16Array(25_000), new BigUint64Array(25_000)];
      return { blocks: { ...blocks, time, database, blockId, length: 25_000 }, hops, commits, markers };
    };
    for (const second of [1, 2]) recent.settle(many(second), (second + 0.5) * SECOND, 3 * SECOND);
    expect(recent.all.firstBlock).toBe(0);
    recent.settle(pieceOf(at(3)), 4 * SECOND, 4 * SECOND);
    expect(recent.all.firstBlock).toBe(25_000);
  });

  it("are forgotten sooner where they take more memory than they may, but never the newest ones", () => {
    const recent = new RecentBlocks();
    const settleAt = (second: number, mostBytes?: number) =>
      recent.settle(pieceOf(at(second)), (second + 0.5) * SECOND, 4 * SECOND, mostBytes);
    for (const second of [1, 2, 3]) settleAt(second);
    const three = recent.bytes;
    settleAt(4, three);
    // Their ids are kept longer, which uses the room of another one.
    expect(recent.all.firstBlock).toBe(2);
    expect(recent.bytes).toBeLessThanOrEqual(three);
    settleAt(5, -1);
    expect([recent.all.firstBlock, recent.all.pieces.length]).toEqual([4, 2]);
  });

  it("do not keep rows in memory that settle later", () => {
    const buffersOf = ({ blocks, hops, commits }: Piece): ArrayBufferLike[] =>
      [blocks.time, hops[0].received, commits.start].map(({ buffer }) => buffer);
    const recent = new RecentBlocks();
    recent.settle(pieceOf(at(0, 1, 2, 3)), SECOND, 4 * SECOND);
    const [settled] = recent.all.pieces;
    // One block of eight bytes per column, not four.
    expect(buffersOf(settled).map(({ byteLength }) => byteLength)).toEqual([8, 8, 8]);
  });

  it("are known by their ids for half a minute, or for as long as a hundred thousand come", () => {
    const settled = new SettledBlocks();
    const add = (from: number, to: number): void => {
      for (let number = from; number < to; number++) settled.add(0, BigInt(number), number, 1);
    };
    add(0, 200_000);
    const { bytes } = settled;
    expect(settled.numberOf(0, 0n)).toBe(0);
    add(200_000, 200_001);
    expect([0n, 99_999n, 100_000n, 200_000n].map((id) => settled.numberOf(0, id))).toEqual([
      -1, -1, 100_000, 200_000,
    ]);
    expect(settled.bytes).toBeLessThan(bytes);
  });

  it("give those of a stretch, or as many before its end as are asked for", () => {
    const recent = new RecentBlocks();
    for (const second of [1, 2, 3]) recent.settle(pieceOf(at(second)), (second + 0.5) * SECOND, 4 * SECOND);
    recent.settle(pieceOf(at(4)), 3.6 * SECOND, 4 * SECOND);
    /** Number of the first block, then the seconds at which the blocks begin. */
    const between = (from: number, to: number, fewest: number): number[] => {
      const { firstBlock, pieces } = recent.between(from, to, fewest);
      return [firstBlock, ...pieces.flatMap(({ blocks }) => [...blocks.time].map((us) => us / SECOND))];
    };
    expect(between(2 * SECOND, Infinity, 1)).toEqual([1, 2, 3, 4]);
    expect(between(2 * SECOND + 1, Infinity, 1)).toEqual([2, 3, 4]);
    expect(between(9 * SECOND, Infinity, 1)).toEqual([3, 4]);
    expect(between(9 * SECOND, Infinity, 3)).toEqual([1, 2, 3, 4]);
    expect(between(0, Infinity, 99)).toEqual([0, 1, 2, 3, 4]);
    // The end is not part of it.
    expect(between(2 * SECOND, 4 * SECOND, 0)).toEqual([1, 2, 3]);
    expect(between(3 * SECOND, 3 * SECOND, 2)).toEqual([0, 1, 2]);
    expect(between(2 * SECOND, 2 * SECOND, 0)[1]).toBeUndefined();
  });

  it("begin anew with the next number, no earlier than they ended", () => {
    const recent = new RecentBlocks();
    recent.settle(pieceOf(at(0, 1, 2)), 2 * SECOND, 3 * SECOND);
    recent.restart(SECOND);
    expect([recent.next, recent.settledTo, recent.unsettled, recent.tail]).toEqual([2, 2 * SECOND, 0, null]);
    expect(recent.all).toEqual({ pieces: [], firstBlock: 2 });
    expect(recent.numberOf(0, (0x22n << 32n) | 1n)).toBe(-1);
    recent.restart(5 * SECOND);
    expect(recent.settledTo).toBe(5 * SECOND);
  });
});
