import { expect, test } from "vitest";
import { EventKind } from "./catalog.ts";
import { emptyColumns } from "./columns.ts";
import { FileReadingOfParts } from "./reading-of-parts.ts";

const SECTOR_BYTES = 512;

/** Events of a primary's file, in order: [kind, database, block id or end, units]. */
function acknowledgments(
  events: readonly (readonly [
    kind: "capture" | "receiveHarden",
    database: string,
    id: number,
    units?: number,
  ])[],
) {
  const columns = emptyColumns(events.length);
  columns.texts.push("sales", "stock");
  events.forEach(([kind, database, id, units], row) => {
    columns.kind[row] = EventKind[kind];
    columns.database[row] = columns.texts.indexOf(database);
    columns.blockId[row] = BigInt(id);
    columns.size[row] = units === undefined ? Number.NaN : units * SECTOR_BYTES;
  });
  const reading = new FileReadingOfParts();
  reading.add(columns);
  return reading.reading({ shape: { events: [], maps: [], packages: [] } as never, unclaimed: [] })
    .acknowledgments;
}

test("an acknowledgment of a block from an earlier file is not compared, in each database by its own blocks", () => {
  const found = acknowledgments([
    ["capture", "sales", 100, 2],
    // Captured in the file before: this file has later blocks of sales, and none of stock yet.
    ["receiveHarden", "sales", 98],
    ["receiveHarden", "stock", 5_000],
    ["capture", "stock", 5_010, 4],
    ["receiveHarden", "stock", 5_006],
    ["receiveHarden", "stock", 5_014],
    ["receiveHarden", "sales", 102],
    // No end of a block.
    ["receiveHarden", "sales", 103],
  ]);
  expect(found).toEqual({ known: 3, atBlockEnds: 2 });
});
