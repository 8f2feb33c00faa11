import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { placesOf, serverOf } from "../../../test/servers.ts";
import { blockId } from "../../../test/paths.ts";
import { learnDatabases } from "./databases.ts";
import { buildModel } from "../model.ts";
import { FOREIGN_DATABASE } from "../prepare/own-databases.ts";
import type { Server } from "../prepare/server.ts";

describe("log_block_ids of any VLF", () => {
  /** Interleaved blocks of two databases, each captured and then written under its own database_id. */
  function neighbors(vlf: number): EventSpec[] {
    return Array.from({ length: 20 }, (_, i): EventSpec[] => {
      const [sales, orders] = [blockId(vlf, 16 + 4 * i), blockId(vlf, 17 + 4 * i)];
      const at = 10_000 * (i + 1);
      const captured = { kind: "capture", mode: 2, took: 0, size: 512, partner: "sql2" } as const;
      return [
        { ...captured, at, block: sales, database: "sales" },
        { ...captured, at: at + 1, block: orders, database: "orders" },
        { kind: "flushStart", at: at + 10, block: sales, local: 5 },
        { kind: "flushStart", at: at + 20, block: orders, local: 6 },
      ];
    }).flat();
  }

  it.each([0x22, 2 ** 21, 2 ** 22 + 1, 2 ** 31 + 5, 2 ** 32 - 1])(
    "keep neighboring blocks apart in VLF %d",
    (vlf) => {
      const model = buildModel([{ role: "primary", columns: eventColumns(neighbors(vlf)) }]);
      expect(model.databases.map(({ id, localIds }) => [id, localIds[0]])).toEqual([
        ["sales", 5],
        ["orders", 6],
      ]);
      expect(model.blocks.length).toBe(40);
      expect([...model.blocks.blockId.subarray(0, 3)]).toEqual(
        [16, 17, 20].map((unit) => blockId(vlf, unit)),
      );
      // The log write begins 10 µs after the capture of its database's block began, 19 µs for the other's.
      const queued = model.blocks.localFlushStart.map((start, row) => start - model.hops[0].departed[row]);
      expect(new Set(queued.filter((_, row) => model.blocks.database[row] === 0))).toEqual(new Set([10]));
      expect(new Set(queued.filter((_, row) => model.blocks.database[row] === 1))).toEqual(new Set([19]));
    },
  );
});

/** Index of each event's database. */
const databasesOfEvents = ({ places, databaseOfBlock }: Server): number[] =>
  Array.from(placesOf(places).block, (block) => (block < 0 ? FOREIGN_DATABASE : databaseOfBlock[block]));

/** Databases of the events of one server, as learned from them. */
function learned(events: readonly EventSpec[]) {
  const server = serverOf(events);
  const { ids, localIds } = learnDatabases([server]);
  return { ids, localIds: localIds.map(([local]) => local), of: databasesOfEvents(server) };
}

/** An event with the GUID of a database and a block, of the kind that secondaries have. */
const received = (database: string, block: bigint, at: number): EventSpec => ({
  kind: "transportReceive",
  mode: 2,
  took: 0,
  database,
  block,
  at,
});

const block = (offset: number): bigint => blockId(0x22, offset);

describe("a database_id", () => {
  it.each(["flushStart", "flushComplete", "pushedToLogPool", "commit"] as const)(
    "is learned from %s and the block that it shares with an event with the GUID",
    (kind) => {
      const own: EventSpec = { kind, at: 20, took: 0, local: 5, block: block(16) };
      const { ids, localIds, of } = learned([received("sales", block(16), 10), own]);
      expect([ids, localIds, of]).toEqual([["sales"], [5], [0, 0]]);
    },
  );

  it("is learned from the first kind of event that the session has, no other", () => {
    // The commits of another database by chance name the block; the log writes decide.
    const { localIds } = learned([
      received("sales", block(16), 10),
      { kind: "commit", at: 11, took: 0, local: 9, block: block(16) },
      { kind: "commit", at: 12, took: 0, local: 9, block: block(16) },
      { kind: "flushStart", at: 20, local: 5, block: block(16) },
    ]);
    expect(localIds).toEqual([5]);
  });

  it("is the one with most blocks in common, whichever comes first", () => {
    const { localIds } = learned([
      received("sales", block(16), 10),
      { kind: "flushStart", at: 11, local: 9, block: block(16) },
      ...Array.from({ length: 3 }, (_, i): EventSpec => ({
        kind: "flushStart",
        at: 20 + i,
        local: 5,
        block: block(16),
      })),
    ]);
    expect(localIds).toEqual([5]);
  });

  it("is unknown where no block is shared, and its events are of another database", () => {
    const { localIds, of } = learned([
      received("sales", block(16), 10),
      { kind: "flushStart", at: 20, local: 5, block: block(99) },
    ]);
    expect([localIds, of]).toEqual([[-1], [0, FOREIGN_DATABASE]]);
  });

  it("is not learned from fewer than a fifth of its blocks: those are chance", () => {
    const flushes = (shared: number): EventSpec[] => [
      ...Array.from({ length: shared }, (_, i): EventSpec => ({
        kind: "flushStart",
        at: 100 + i,
        local: 5,
        block: block(16),
      })),
      ...Array.from({ length: 20 - shared }, (_, i): EventSpec => ({
        kind: "flushStart",
        at: 200 + i,
        local: 5,
        block: block(100 + i),
      })),
    ];
    expect(learned([received("sales", block(16), 10), ...flushes(4)]).localIds).toEqual([5]);
    expect(learned([received("sales", block(16), 10), ...flushes(3)]).localIds).toEqual([-1]);
  });

  it("is the one with most blocks in common, and each database has one", () => {
    const flush = (local: number, offset: number, at: number): EventSpec => ({
      kind: "flushStart",
      local,
      block: block(offset),
      at,
    });
    const { localIds } = learned([
      ...[16, 20, 24].map((offset, i) => received("sales", block(offset), 10 + i)),
      received("orders", block(40), 20),
      flush(5, 16, 100),
      flush(5, 20, 101),
      flush(5, 24, 102),
      // Database 6 shares one block with each: sales is already assigned to 5.
      flush(6, 16, 103),
      flush(6, 40, 104),
    ]);
    expect(localIds).toEqual([5, 6]);
  });

  it("goes by the database whose block was named last before it where two have the same block ids", () => {
    const flush = (local: number, at: number): EventSpec => ({
      kind: "flushStart",
      local,
      block: block(16),
      at,
    });
    const { localIds } = learned([
      received("sales", block(16), 10),
      flush(5, 20),
      received("orders", block(16), 30),
      flush(6, 40),
    ]);
    expect(localIds).toEqual([5, 6]);
  });

  it("is learned from a block that is named later where none was before", () => {
    expect(
      learned([{ kind: "flushStart", at: 10, local: 5, block: block(16) }, received("sales", block(16), 20)])
        .localIds,
    ).toEqual([5]);
  });

  it("is certain where an event has it beside the GUID, whatever the blocks say", () => {
    const { localIds } = learned([
      received("sales", block(16), 10),
      received("orders", block(20), 11),
      { kind: "flushStart", at: 20, local: 5, block: block(16) },
      { kind: "commitManagerHarden", published: 30, took: 1, local: 5, database: "orders", block: block(20) },
    ]);
    expect(localIds).toEqual([-1, 5]);
  });
});
