import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { serverOf } from "../../../test/servers.ts";
import { blockId } from "../../../test/paths.ts";
import { collectBlocks, endOffset, rowsOfEvents, rowsOfOwnBlocks, type BlockRows } from "./blocks.ts";
import { learnDatabases } from "./databases.ts";
import { movedEvents, serverEvents, type MovedEvents } from "../event-index/moved-events.ts";

const B = blockId;
const GUIDS = { database: "sales", partner: "sql2", took: 0 } as const;

function collected(...servers: EventSpec[][]): { rows: BlockRows; rowOf: Int32Array[]; ids: bigint[] } {
  const prepared = servers.map((events) => serverOf(events, 131_000_000_000_000_000n));
  const { ids } = learnDatabases(prepared);
  const rows = collectBlocks(prepared, ids.length);
  const blockIds = Array.from({ length: rows.length }, (_, row) => B(rows.high[row], rows.low[row]));
  return {
    rows,
    rowOf: prepared.map((server) => {
      const own = rowsOfOwnBlocks(server, rows);
      return rowsOfAll(movedEvents(serverEvents(server, own, rowsOfEvents(server, rows, own), null)));
    }),
    ids: blockIds,
  };
}

const rowsOfAll = (events: MovedEvents): Int32Array =>
  Int32Array.from([...events.stretches()].flatMap(({ row }) => [...row]));

/** A capture that names the database; the blocks of all other events show their database. */
const known: EventSpec = { ...GUIDS, kind: "capture", mode: 2, at: 0, block: B(1, 16), size: 512 };

describe("a log block exists", () => {
  it.each([
    [{ ...GUIDS, kind: "capture", mode: 2 }, true],
    [{ ...GUIDS, kind: "capture", mode: 1 }, false],
    [{ ...GUIDS, kind: "capture", mode: 4 }, false],
    [{ ...GUIDS, kind: "transportReceive", mode: 1 }, true],
    [{ ...GUIDS, kind: "transportReceive", mode: 2 }, true],
    [{ kind: "flushStart", database: "sales" }, true],
    [{ kind: "pushedToLogPool", database: "sales" }, true],
    [{ kind: "flushComplete", database: "sales" }, false],
    [{ kind: "commit", database: "sales" }, false],
    [{ kind: "receiveHarden", database: "sales", mode: 2 }, false],
  ] as [EventSpec, boolean][])("where an event makes it: %j %s", (event, makes) => {
    const { ids } = collected([known, { ...event, at: 10, block: B(1, 20) }]);
    expect(ids.includes(B(1, 20))).toBe(makes);
  });

  it("once, whichever replicas saw it, and each replica's view of it is kept", () => {
    const { rows, ids } = collected(
      [known, { ...GUIDS, kind: "capture", mode: 2, at: 10, block: B(1, 20) }],
      [
        { ...GUIDS, kind: "transportReceive", mode: 2, at: 20, block: B(1, 20) },
        { ...GUIDS, kind: "transportReceive", mode: 2, at: 30, block: B(1, 24) },
      ],
    );
    expect(ids).toEqual([B(1, 16), B(1, 20), B(1, 24)]);
    expect(rows.seen.map((seen) => [...seen])).toEqual([
      [1, 1, 0],
      [0, 1, 1],
    ]);
  });

  it("per database", () => {
    const other: EventSpec = { ...known, database: "orders", at: 5 };
    const { rows } = collected([known, other]);
    expect([...rows.database]).toEqual([0, 1]);
    expect(rows.inOrder.map((order) => [...order])).toEqual([[0], [1]]);
  });
});

describe("the size of a block", () => {
  const flush = (offset: number, vlf = 1): EventSpec => ({
    kind: "flushStart",
    database: "sales",
    at: 50 + offset,
    block: B(vlf, offset),
  });
  const sizesOf = (...events: EventSpec[]): number[] => {
    const { rows, ids } = collected([known, ...events]);
    return ids.map((_, row) => rows.size[row]);
  };

  it("is the capture's, else the distance to the next block of the VLF", () => {
    const captured: EventSpec = { ...known, at: 10, block: B(1, 20), size: 1_536 };
    expect(sizesOf(captured, flush(23), flush(31))).toEqual([512, 1_536, 8 * 512, Number.NaN]);
  });

  it("is no distance to the next VLF", () => {
    expect(sizesOf(flush(40), flush(16, 2))).toEqual([512, Number.NaN, Number.NaN]);
  });

  it("is no distance over 60 KB, which no block has: others lie in between", () => {
    expect(sizesOf(flush(40), flush(160))).toEqual([512, 61_440, Number.NaN]);
    expect(sizesOf(flush(40), flush(161))).toEqual([512, Number.NaN, Number.NaN]);
  });

  it("is the uncompressed size where nothing else has it", () => {
    const compressed = (offset: number): EventSpec => ({
      kind: "decompression",
      database: "sales",
      at: 60 + offset,
      took: 3,
      block: B(1, offset),
      size: 2_048,
    });
    expect(sizesOf(flush(40), compressed(40))).toEqual([512, 2_048]);
    expect(sizesOf(flush(40), compressed(40), flush(42))).toEqual([512, 1_024, Number.NaN]);
  });

  it("that reaches beyond the next ones puts its end behind theirs, in the order of the ends", () => {
    const captured = (offset: number, units: number): EventSpec => ({
      ...known,
      at: offset,
      block: B(1, offset),
      size: units * 512,
    });
    const { ends } = collected([captured(16, 100), captured(20, 2), captured(24, 2)]).rows;
    expect([...ends.low]).toEqual([22, 26, 116]);
    expect([...ends.row]).toEqual([1, 2, 0]);
    expect([...ends.place]).toEqual([2, 0, 1]);
  });

  it("makes the end: its units rounded up, and one where it is unknown", () => {
    expect([512, 513, 1_024, Number.NaN].map((size) => endOffset(100, size))).toEqual([101, 102, 102, 101]);
  });
});

describe("the row of an event", () => {
  const receive = (offset: number, units: number, vlf = 1): EventSpec[] => [
    { ...GUIDS, kind: "transportReceive", mode: 2, at: 100 * vlf + offset, block: B(vlf, offset) },
    {
      kind: "decompression",
      database: "sales",
      at: 100 * vlf + offset + 1,
      took: 0,
      block: B(vlf, offset),
      size: units * 512,
    },
  ];
  const blocks = [...receive(16, 4), ...receive(20, 4), ...receive(24, 2), ...receive(16, 8, 2)];
  const rowsOf = (...events: EventSpec[]): number[] => {
    const { rowOf } = collected([...blocks, ...events.map((event, i) => ({ ...event, at: 1_000 + i }))]);
    return [...rowOf[0].subarray(blocks.length)];
  };
  const ack = (block: bigint): EventSpec => ({
    kind: "sendHarden",
    mode: 3,
    took: 0,
    database: "sales",
    block,
  });

  it("is by the block's beginning, and for acknowledgments by its end", () => {
    expect(
      rowsOf({ kind: "apply", took: 0, database: "sales", block: B(1, 20) }, ack(B(1, 20)), ack(B(1, 24))),
    ).toEqual([1, 0, 1]);
  });

  it("is the last block below an acknowledgment that ends at none, inside the capture only", () => {
    expect(rowsOf(ack(B(1, 22)), ack(B(1, 26)), ack(B(1, 30)), ack(B(2, 17)))).toEqual([1, 2, 2, -1]);
    // Before the first block, and at or after the last one.
    expect(rowsOf(ack(B(1, 10)), ack(B(1, 16)), ack(B(2, 16)), ack(B(2, 24)), ack(B(3, 16)))).toEqual([
      -1, -1, 2, 3, -1,
    ]);
  });

  it("is none for an event without a block, of another database, or of a block that is not there", () => {
    const own = (offset: number): EventSpec => ({ kind: "flushStart", local: 5, block: B(1, offset) });
    // master's log has one id in common by chance, and five of its own.
    const master = (block: bigint): EventSpec => ({ kind: "flushStart", local: 1, block });
    const foreign = [16, 17, 18, 19, 20].map((offset) => master(B(9, offset)));
    expect(rowsOf(own(16), own(20), ...foreign, master(B(1, 16)))).toEqual([0, 1, -1, -1, -1, -1, -1, -1]);
    expect(
      rowsOf(
        { kind: "databaseFlowControl", took: 0, database: "sales" },
        { kind: "apply", took: 0, database: "sales", block: B(1, 99) },
      ),
    ).toEqual([-1, -1]);
  });

  it("is that of the first database that has the block where the event names none", () => {
    const orders = receive(20, 4).map((event) => ({ ...event, database: "orders", at: event.at! + 500 }));
    const { rowOf } = collected([
      ...blocks,
      ...orders,
      { kind: "sendComplete", at: 2_000, took: 0, block: B(1, 20) },
    ]);
    expect(rowOf[0].at(-1)).toBe(1);
  });
});
