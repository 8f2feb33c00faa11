import { describe, expect, test } from "vitest";
import type { RawEvent } from "@aglens/contract";
import { barWidths, binsOfHeight, instantAt, rowAtInstant, yOf } from "./density.ts";
import type { EventList } from "./use-event-list.ts";

/** Bins of 10 µs: 4, none and 16 events on the primary, 1, none and 9 on the secondary. */
const DENSITY = {
  from: 100,
  to: 130,
  counts: [
    [4, 0, 16],
    [1, 0, 9],
  ],
};

const listOf = (more: Partial<EventList>): EventList => ({ rows: 30, read: null, ...more }) as EventList;

test("a bar's width is the square root of its count, of the largest of all", () => {
  expect(barWidths(DENSITY)).toEqual([
    [0.5, 0, 1],
    [0.25, 0, 0.75],
  ]);
  expect(barWidths({ ...DENSITY, counts: [[0]] })).toEqual([[0]]);
});

test("bins are 3 px high, at most 600 and at least 10", () => {
  expect([0, 300, 634, 10_000].map(binsOfHeight)).toEqual([10, 100, 210, 600]);
});

test("places and instants belong to each other, and end where the strip ends", () => {
  expect(yOf(DENSITY, 115, 300)).toBe(150);
  expect([-5, 150, 400].map((y) => instantAt(DENSITY, y, 300))).toEqual([100, 115, 130]);
});

describe("the row at an instant", () => {
  test("of all events is the first of its bin", () => {
    const rowAt = (at: number): number => rowAtInstant(DENSITY, at, listOf({}));
    expect([100, 109.9, 110, 120, 130].map(rowAt)).toEqual([0, 0, 5, 5, 29]);
  });

  test("of a search is the first found from there on, else the last", () => {
    const fires = [101, 112, 125];
    const found = listOf({
      rows: 3,
      read: 30,
      rowAt: (row) => ({ fire: fires[row] }) as RawEvent,
    });
    expect([100, 112, 112.1, 129].map((at) => rowAtInstant(DENSITY, at, found))).toEqual([0, 1, 2, 2]);
  });
});
