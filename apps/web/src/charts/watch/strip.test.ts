import { describe, expect, test } from "vitest";
import { dayText, dayTicks } from "./days.ts";
import {
  markAt,
  placeMarks,
  pollsAt,
  stripColumns,
  type StripMark,
  type StripPolls,
  stripTime,
  stripX,
  stripY,
  summaryOf,
  unpolled,
} from "./strip.ts";

/** 100 s on 100 px, with 84 px for two decades of delay. */
const SCALE = { from: 0, to: 100_000, width: 100, height: 100 };

/** Ten columns of 10 s. The fourth and fifth were not polled; in the eighth no session committed. */
const POLLS: StripPolls = {
  from: 0,
  width: 10_000,
  delay: [1, 10, 2, null, null, 3, 20, null, 2, 2],
  longest: [2, 100, 4, null, null, 3, 200, null, 2, 2],
  usualLow: [1, 1, 1, 1, 1, 1, 1, 1, 1, null],
  usualHigh: [10, 10, 10, 10, 10, 10, 10, 10, 10, null],
  polled: [1, 1, 1, 0, 0, 0.5, 1, 1, 1, 1],
};

const mark = (id: string, at: number, kind: StripMark["kind"] = "recorded"): StripMark => ({
  id,
  at,
  kind,
  place: "secondary",
});

describe("places", () => {
  test("times are linear, delays logarithmic from 1 to 100 ms, and beyond that at the end", () => {
    expect(stripX(SCALE, 25_000)).toBe(25);
    expect(stripTime(SCALE, 25)).toBe(25_000);
    expect([1, 10, 100, 0.2, 4_000].map((ms) => Math.round(stripY(SCALE, ms)))).toEqual([
      100, 58, 16, 100, 16,
    ]);
  });

  test("a column has its mean, its longest poll and the usual; over the limit is the longest poll", () => {
    const columns = stripColumns(POLLS, SCALE, 15);
    expect(columns).toHaveLength(10);
    expect(columns[1]).toEqual({
      left: 10,
      right: 20,
      delay: 58,
      longest: 16,
      usual: [58, 100],
      isOver: true,
    });
    expect(columns.map(({ isOver }) => isOver).indexOf(true)).toBe(1);
    expect(columns[3]).toMatchObject({ delay: null, longest: null, isOver: false });
    expect(columns[9]?.usual).toBeNull();
    expect(stripColumns(POLLS, SCALE, null).some(({ isOver }) => isOver)).toBe(false);
  });

  test("columns narrower than a pixel are put together, and the longest poll is kept", () => {
    const narrow = stripColumns(POLLS, { ...SCALE, width: 5 }, 15);
    expect(narrow).toHaveLength(5);
    // Columns 5 and 6: means of 3 and 20 ms, longest 200 ms, at the top of the scale.
    expect(narrow[0]?.longest).toBe(16);
    expect(narrow[3]?.delay).toBeCloseTo(stripY(SCALE, 20), 9);
    expect(narrow[3]?.longest).toBe(16);
    expect(narrow.map(({ isOver }) => isOver)).toEqual([true, false, false, true, false]);
  });

  test("time without polls is one hole; time without commits and the future are not holes", () => {
    expect(unpolled(POLLS, SCALE, 100_000)).toEqual([[30, 50]]);
    expect(unpolled(POLLS, SCALE, 42_000)).toEqual([[30, 42]]);
    expect(unpolled(POLLS, SCALE, 30_000)).toEqual([]);
    const before = { ...POLLS, from: -40_000, polled: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] };
    expect(unpolled(before, SCALE, 100_000)).toEqual([[0, 10]]);
  });
});

describe("marks", () => {
  const placed = (...marks: readonly StripMark[]) =>
    placeMarks(marks, SCALE).map(({ id, x, stem }) => [id, x, stem]);

  test("of two that are closer than 9 px the earlier one moves left, and its stem stays", () => {
    expect(placed(mark("b", 50_000), mark("a", 47_000))).toEqual([
      ["a", 41, 47],
      ["b", 50, 50],
    ]);
    expect(placed(mark("a", 41_000), mark("b", 50_000))).toEqual([
      ["a", 41, 41],
      ["b", 50, 50],
    ]);
  });

  test("a third moves on, and all stay inside of the strip", () => {
    expect(placed(mark("a", 96_000), mark("b", 98_000), mark("c", 100_000))).toEqual([
      ["a", 78, 96],
      ["b", 87, 98],
      ["c", 96, 100],
    ]);
    expect(placed(mark("a", 1_000), mark("b", 2_000))).toEqual([
      ["a", 4, 1],
      ["b", 4, 2],
    ]);
    expect(placed(mark("old", -1), mark("later", 100_001))).toEqual([]);
  });

  test("a press on the top edge finds the nearest mark, one below it finds none", () => {
    const marks = placeMarks([mark("a", 47_000), mark("b", 50_000)], SCALE);
    expect(markAt(marks, 44, 5)?.id).toBe("a");
    expect(markAt(marks, 47, 5)?.id).toBe("b");
    expect(markAt(marks, 57, 5)).toBeNull();
    expect(markAt(marks, 50, 40)).toBeNull();
    expect(markAt([], 50, 5)).toBeNull();
  });
});

describe("values", () => {
  test("the column at a time, and nothing outside of the polls", () => {
    expect(pollsAt(POLLS, 65_000)).toEqual({ at: 60_000, delay: 20, longest: 200, isPolled: true });
    expect(pollsAt(POLLS, 30_000)).toEqual({ at: 30_000, delay: null, longest: null, isPolled: false });
    expect(pollsAt(POLLS, 100_000)).toBeNull();
    expect(pollsAt(POLLS, -1)).toBeNull();
  });

  test("the summary has both ends of the mean, the longest poll and the time without polls", () => {
    expect(summaryOf(POLLS, 100_000)).toEqual({ least: 1, most: 20, longest: 200, unpolledMs: 20_000 });
    expect(summaryOf(POLLS, 45_000).unpolledMs).toBe(15_000);
    const none = { ...POLLS, delay: [null], longest: [null], polled: [0] };
    expect(summaryOf(none, 100_000)).toEqual({ least: null, most: null, longest: null, unpolledMs: 10_000 });
  });
});

describe("days", () => {
  const at = (iso: string): number => Date.parse(iso);
  const BERLIN = { kind: "browser", timeZone: "Europe/Berlin" } as const;

  test("a tick for each midnight in UTC", () => {
    const ticks = dayTicks({ kind: "utc" }, at("2026-11-22T07:40:00Z"), at("2026-11-24T07:40:00Z"));
    expect(ticks).toEqual([
      { at: at("2026-11-23T00:00:00Z"), label: "Mon 23 Nov" },
      { at: at("2026-11-24T00:00:00Z"), label: "Tue 24 Nov" },
    ]);
  });

  test("in another zone midnight and the day are that zone's, also where its clock is set back", () => {
    // On 25 October 2026 summer time ends in Berlin: that day has 25 hours.
    const ticks = dayTicks(BERLIN, at("2026-10-24T12:00:00Z"), at("2026-10-26T12:00:00Z"));
    expect(ticks).toEqual([
      { at: at("2026-10-24T22:00:00Z"), label: "Sun 25 Oct" },
      { at: at("2026-10-25T23:00:00Z"), label: "Mon 26 Oct" },
    ]);
    expect(dayText(BERLIN, at("2026-11-23T23:30:00Z"))).toBe("Tue 24 Nov");
    expect(dayText({ kind: "utc" }, at("2026-11-23T23:30:00Z"))).toBe("Mon 23 Nov");
  });
});
