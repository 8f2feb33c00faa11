/**
 * Times with events of log blocks, written by hand. `fixtures/src/same-tables.test.ts` verifies that a file or server
 * of a capture has the same times as the list of its events.
 */
import { describe, expect, it } from "vitest";
import { createDice } from "../../../test/dice.ts";
import { SpanFinder } from "./span-finder.ts";

type Event = readonly [at: number, file?: number, row?: number];

/** Spans of two files, silences from 10 µs on. */
function found(...ranges: readonly (readonly Event[])[]): SpanFinder {
  const spans = new SpanFinder(2, 10);
  for (const events of ranges)
    spans.add({
      length: events.length,
      row: Int32Array.from(events, ([, , row = 0]) => row),
      fire: Float64Array.from(events, ([at]) => at),
      file: Float64Array.from(events, ([, file = 0]) => file),
      offset: new Float64Array(events.length),
    });
  return spans;
}

const NONE = { from: Infinity, to: -Infinity };

describe("a file's events", () => {
  it("begin with the earliest and end with the latest, whatever the order in which they were published", () => {
    const spans = found([[105], [101], [130, 1]], [[109], [120, 1]]);
    expect(spans.files(100)).toEqual([
      { from: 1, to: 9 },
      { from: 20, to: 30 },
    ]);
  });

  it("are those of log blocks of which it is known when they fired", () => {
    expect(found([[90, 0, -1], [101], [Number.NaN], [140, 1, -1]]).files(100)).toEqual([
      { from: 1, to: 1 },
      NONE,
    ]);
  });
});

it.each([1, 2, 3])(
  "thousands of events have the spans that a plain look at all of them finds (%s)",
  (seed) => {
    const roll = createDice(seed);
    let at = 1_000;
    const events = Array.from({ length: 3_000 }, (_, i): Event => {
      at += roll() < 0.003 ? 60 : roll() < 0.5 ? 0.1 : 0;
      const late = roll() < 0.01 ? 15 * roll() : 0;
      return [roll() < 0.01 ? Number.NaN : at - late, i < 1_500 ? 0 : 1, roll() < 0.1 ? -1 : 0];
    });
    const spans = found(events.slice(0, 1_000), events.slice(1_000));
    const known = events.filter(([fire, , row]) => row === 0 && !Number.isNaN(fire));
    const fires = known.map(([fire]) => fire).sort((a, b) => a - b);
    expect(spans.silences(0)).toEqual(
      fires.slice(1).flatMap((to, i) => (to - fires[i] >= 10 ? [{ from: fires[i], to }] : [])),
    );
    expect(spans.files(0)).toEqual(
      [0, 1].map((file) => {
        const own = known.filter(([, each]) => each === file).map(([fire]) => fire);
        return { from: Math.min(...own), to: Math.max(...own) };
      }),
    );
  },
);

describe("a silence", () => {
  it("lasts from one event to the next, and no less than it has to", () => {
    expect(found([[100], [109], [119], [128]]).silences(100)).toEqual([{ from: 9, to: 19 }]);
  });

  it("is broken by an event that comes late", () => {
    expect(found([[100], [112]], [[105]]).silences(100)).toEqual([]);
    expect(found([[100], [140]], [[105], [135]]).silences(100)).toEqual([{ from: 5, to: 35 }]);
  });

  it("is broken by an event that comes later than many others", () => {
    const heartbeats = Array.from({ length: 100 }, (_, i): Event => [100 + 15 * i]);
    expect(found([...heartbeats, [107]], [[1_592]]).silences(100)).toEqual(
      heartbeats.slice(1, -1).map(([at]) => ({ from: at - 100, to: at - 85 })),
    );
  });

  it("of many is found as quickly as the first", () => {
    // Most of a day with a commit a second; looking through all silences for each of them takes some ten seconds.
    const idle = Array.from({ length: 60_000 }, (_, i): Event => [15 * i]);
    const before = process.cpuUsage();
    expect(found(idle).silences(0)).toHaveLength(59_999);
    // µs of processor time, which other processes on the machine do not change.
    expect(process.cpuUsage(before).user).toBeLessThan(5e6);
  });

  it("is not broken by an event of no block", () => {
    expect(found([[100], [105, 0, -1], [112]]).silences(100)).toEqual([{ from: 0, to: 12 }]);
  });

  it("is none before the first event and behind the last one", () => {
    expect(found([[100]]).silences(0)).toEqual([]);
    expect(found().silences(0)).toEqual([]);
  });
});
