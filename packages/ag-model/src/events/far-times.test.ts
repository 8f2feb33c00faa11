import { describe, expect, it, test } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { gatherEvents, type EventColumns } from "./columns.ts";
import { FarTimes } from "./far-times.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** Events of one server, published at these seconds in this order in the file; without a counter. */
const publishedAt = (...seconds: number[]): EventColumns => inFileOrder(seconds.map((s) => event(s)));

/** @param counter when it fired by the counter, s; none by default */
const event = (seconds: number, counter?: number): EventSpec => ({
  kind: "flushComplete",
  published: seconds * SECOND,
  ...(counter === undefined ? {} : { at: counter * SECOND, took: 0 }),
});

/** Columns that are in the order of the list, as those of a file before they are put in the order of time. */
function inFileOrder(events: readonly EventSpec[]): EventColumns {
  const byTime = events.toSorted((a, b) => a.published! - b.published!);
  const columns = eventColumns(events);
  const inFile = gatherEvents(
    columns,
    Uint32Array.from(events, (each) => byTime.indexOf(each)),
  );
  return { ...inFile, offset: Float64Array.from(events, (_, i) => 1_000 + 100 * i) };
}

const SECONDS = Array.from({ length: 20 }, (_, i) => i);
const DAYS = DAY / SECOND;
const YEAR = 365 * DAYS;

/** Places in their file of the events that are kept. */
function places(...pieces: EventColumns[]): number[][] {
  const times = new FarTimes();
  return pieces.map((piece) => [...times.without(piece).offset].map((offset) => (offset - 1_000) / 100));
}

const all = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** @param at place in the file */
const withOne = (seconds: number, at: number): number[] => [
  ...SECONDS.slice(0, at),
  seconds,
  ...SECONDS.slice(at),
];

describe("an event that is farther than a day from all others", () => {
  test.each([
    ["later, in the middle", 1_800 * YEAR, 7],
    ["later, at the beginning", 2 * DAYS, 0],
    ["later, at the end", 2 * DAYS, 20],
    ["earlier, in the middle", -YEAR, 7],
    ["earlier, at the beginning", -2 * DAYS, 0],
  ])("is left out: %s", (_, seconds, at) => {
    expect(places(publishedAt(...withOne(seconds, at)))).toEqual([all(21).filter((place) => place !== at)]);
  });

  it("stays where it is a day away and no more", () => {
    expect(places(publishedAt(...withOne(DAYS + 5, 7)))).toEqual([all(21)]);
  });

  it("is counted with its place", () => {
    const times = new FarTimes();
    times.without(publishedAt(...withOne(YEAR, 7)));
    expect(times.gaps()).toEqual([
      {
        code: "far-time",
        offset: 1_700,
        bytes: 0,
        message: "1 event is skipped: its time is damaged, because it is more than a day from all others.",
        eventsLost: 1,
      },
    ]);
    times.without(publishedAt(...withOne(-YEAR, 3)));
    expect(times.gaps()).toMatchObject([{ offset: 1_700, eventsLost: 2 }]);
    expect(new FarTimes().gaps()).toEqual([]);
  });

  it("is none where the counter went on as long", () => {
    const quiet = [...SECONDS, 3 * DAYS].map((s) => event(s, s + 500));
    expect(places(inFileOrder(quiet))).toEqual([all(21)]);
    const damaged = [...SECONDS.map((s) => event(s, s + 500)), event(3 * DAYS, 20 + 500)];
    expect(places(inFileOrder(damaged))).toEqual([all(20)]);
  });

  it("is none where time just goes on: a session that had a few events on a quiet day", () => {
    const later = SECONDS.map((s) => s + 4 * DAYS);
    expect(places(publishedAt(...SECONDS, 2 * DAYS, ...later))).toEqual([all(41)]);
  });
});

test("nine events that are near each other are a session's, eight are not", () => {
  const apart = (count: number): number[] => SECONDS.slice(0, count).map((s) => s - YEAR);
  expect(places(publishedAt(...SECONDS, ...apart(8)))).toEqual([all(20)]);
  expect(places(publishedAt(...SECONDS, ...apart(9)))).toEqual([all(29)]);
});

test("where all events are apart none can be told from the others", () => {
  expect(places(publishedAt(0, 5 * DAYS, 2 * DAYS))).toEqual([all(3)]);
});

test("a file in pieces is judged by the pieces before", () => {
  const next = SECONDS.map((s) => s + 20);
  expect(places(publishedAt(...SECONDS), publishedAt(YEAR, 41), publishedAt(...next))).toEqual([
    all(20),
    [1],
    all(20),
  ]);
  // The first event of a piece may be days after the last one of the piece before, and be followed by others.
  expect(places(publishedAt(...SECONDS), publishedAt(...next.map((s) => s + 3 * DAYS)))).toEqual([
    all(20),
    all(20),
  ]);
});
