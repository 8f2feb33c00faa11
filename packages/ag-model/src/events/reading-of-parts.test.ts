import { expect, test } from "vitest";
import { EventKind } from "./catalog.ts";
import { emptyColumns, eventsBetween } from "./columns.ts";
import type { EventColumns } from "./columns.ts";
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

const WRITES = 60_000;

/** Events of a primary's file with 60,000 log writes, each acknowledged. */
function manyWrites(): EventColumns {
  const kinds = [
    EventKind.flushStart,
    EventKind.capture,
    EventKind.flushComplete,
    EventKind.receiveHarden,
  ] as const;
  const columns = emptyColumns(kinds.length * WRITES);
  columns.texts.push("sales");
  for (let row = 0; row < columns.length; row++) {
    const write = Math.floor(row / kinds.length);
    const kind = kinds[row % kinds.length];
    columns.kind[row] = kind;
    columns.database[row] = 1;
    columns.databaseId[row] = 5;
    columns.size[row] = kind === EventKind.capture ? SECTOR_BYTES : Number.NaN;
    columns.blockId[row] = BigInt(write + (kind === EventKind.receiveHarden ? 1 : 0));
    columns.start[row] = row;
    columns.processing[row] = Number.NaN;
    columns.ticks[row] = BigInt(10 * row);
  }
  return columns;
}

test("20,000 log writes and as many acknowledgments are compared, in one part or in several", () => {
  const columns = manyWrites();
  const readingOf = (parts: number) => {
    const reading = new FileReadingOfParts();
    const length = columns.length / parts;
    for (let part = 0; part < parts; part++)
      reading.add(eventsBetween(columns, part * length, (part + 1) * length));
    return reading.reading({ shape: { events: [], maps: [], packages: [] } as never, unclaimed: [] });
  };
  const whole = readingOf(1);
  expect(whole.acknowledgments).toEqual({ known: 20_000, atBlockEnds: 20_000 });
  expect(whole.writes).toEqual({ pairs: 20_000, inOrder: 20_000, inMs: 20_000 });
  // After the first 20,001 events, the time of each eighth one is checked.
  expect(whole.times).toBe(20_001 + Math.floor((columns.length - 20_001) / 8));
  const inParts = readingOf(6);
  expect(inParts.acknowledgments).toEqual(whole.acknowledgments);
  expect(inParts.writes).toEqual(whole.writes);
});
