import { describe, expect, test } from "vitest";
import { noteBox, stackNotes } from "./note-boxes.ts";
import type { PlacedNote } from "./placed-note.ts";

const RANGE = [1_000, 2_000] as const;
const WIDTH = 1_000;

/** A note with a short text: 112 px and 6.4 px for its letter. */
const onPeriod = (from: number, to: number, text = "x"): PlacedNote => ({
  id: `${from}-${to}`,
  from,
  to,
  lsn: null,
  text,
  written: "2026-11-21T14:32:00.000Z",
});
const onBlock = (from: number, to: number): PlacedNote => ({
  ...onPeriod(from, to),
  lsn: "00000022:000001f7",
});
const rowsOf = (...notes: PlacedNote[]) =>
  stackNotes(notes, RANGE, WIDTH).notes.map(({ note, row }) => [note.id, row]);

describe("the box of a note", () => {
  test("is as long as the stretch that it is on, cut where the view ends", () => {
    expect(noteBox(onPeriod(1_100, 1_600), RANGE, WIDTH)).toEqual({
      left: 100,
      width: 500,
      markLeft: 100,
      markWidth: 500,
      opensLeft: false,
      opensRight: false,
    });
    expect(noteBox(onPeriod(500, 2_500), RANGE, WIDTH)).toMatchObject({
      left: 0,
      width: 1_000,
      opensLeft: true,
      opensRight: true,
    });
  });

  test("has room for its text, which at the right edge begins before its place", () => {
    expect(noteBox(onPeriod(1_100, 1_101), RANGE, WIDTH)).toMatchObject({
      left: 100,
      width: 118.4,
      markLeft: 100,
      markWidth: 2,
    });
    expect(noteBox(onPeriod(1_990, 2_000), RANGE, WIDTH)).toMatchObject({
      left: 881.6,
      markLeft: 990,
      markWidth: 10,
    });
  });

  test("of a block is as long as its text, however long the block", () => {
    expect(noteBox(onBlock(1_100, 1_900), RANGE, WIDTH)).toMatchObject({ width: 118.4, markWidth: 800 });
  });
});

describe("notes in view", () => {
  test("that overlap are on two rows, those beside each other on one", () => {
    expect(rowsOf(onPeriod(1_000, 1_400), onPeriod(1_300, 1_600), onPeriod(1_500, 1_800))).toEqual([
      ["1000-1400", 0],
      ["1300-1600", 1],
      ["1500-1800", 0],
    ]);
  });

  test("that cover all of the view share one row", () => {
    const stack = stackNotes(
      [onPeriod(0, 3_000), onPeriod(500, 2_500), onPeriod(1_000.4, 1_999.6)],
      RANGE,
      WIDTH,
    );
    expect(stack).toMatchObject({ rows: 1, more: 0 });
    expect(stack.notes.map(({ left, width }) => [left, width].map(Math.round))).toEqual([
      [0, 329],
      [333, 329],
      [667, 329],
    ]);
    // A note with a separate place keeps it, on a row below.
    expect(rowsOf(onPeriod(0, 3_000), onPeriod(500, 2_500), onPeriod(1_400, 1_600))).toEqual([
      ["0-3000", 0],
      ["500-2500", 0],
      ["1400-1600", 1],
    ]);
  });

  test("need no row where none is in view", () => {
    expect(stackNotes([onPeriod(0, 999), onPeriod(2_000, 3_000)], RANGE, WIDTH)).toEqual({
      notes: [],
      rows: 0,
      more: 0,
    });
    expect(stackNotes([onPeriod(0, 1_000), onPeriod(1_999, 3_000)], RANGE, WIDTH).notes).toHaveLength(2);
  });

  test("beyond two rows are counted, and the count has room", () => {
    const three = [onPeriod(1_000, 1_900), onPeriod(1_001, 1_901), onPeriod(1_002, 1_902)];
    const stack = stackNotes(three, RANGE, WIDTH);
    expect([stack.rows, stack.more]).toEqual([2, 1]);
    const toTheEdge = three.map((note) => ({ ...note, to: 1_950 }));
    // The second row ends 78 px before the plot, where the count is: neither of the other two fits.
    expect(stackNotes(toTheEdge, RANGE, WIDTH).more).toBe(2);
    expect(stackNotes(toTheEdge.slice(0, 2), RANGE, WIDTH).more).toBe(0);
  });
});
