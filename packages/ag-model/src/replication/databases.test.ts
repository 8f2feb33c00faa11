import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { buildModel } from "./model.ts";

const blockId = (vlf: number, offset: number): bigint => (BigInt(vlf) << 32n) | BigInt(offset);

describe("log_block_ids of any VLF", () => {
  /** Blocks of two databases beside each other, each captured and then written under its own database_id. */
  function neighbours(vlf: number): EventSpec[] {
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
    "keep neighbouring blocks apart in VLF %d",
    (vlf) => {
      const model = buildModel([{ role: "primary", columns: eventColumns(neighbours(vlf)) }]);
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
