import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { PlausibleEvents } from "./plausible-events.ts";

const SECOND = 1_000_000;

/** An event of each second, published `ahead` µs after it fired by the counter. */
const events = (n: number, ahead = 0, from = 0): EventSpec[] =>
  Array.from({ length: n }, (_, i) => {
    const at = (from + i) * SECOND;
    return { kind: "capture", at, took: 30, published: at + 30 + ahead };
  });

const startsOf = (filter: PlausibleEvents, specs: readonly EventSpec[]): number[] => [
  ...filter.filter(eventColumns(specs)).start,
];

describe("events whose times can be true", () => {
  it("pass as they are", () => {
    const columns = eventColumns(events(25));
    expect(new PlausibleEvents().filter(columns)).toBe(columns);
  });

  it("are published within 5 s of the usual distance of UTC and counter, either way", () => {
    const kept = (apart: number): boolean => {
      const odd: EventSpec = {
        kind: "capture",
        at: 10.5 * SECOND,
        took: 30,
        published: 10.5 * SECOND + 30 + 400 + apart,
      };
      return startsOf(new PlausibleEvents(), [...events(25, 400), odd]).includes(10.5 * SECOND);
    };
    expect([kept(5 * SECOND), kept(5 * SECOND + 1), kept(-5 * SECOND), kept(-5 * SECOND - 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("are published within ten minutes of the others", () => {
    const kept = (apart: number): boolean => {
      // Half of the events are at one instant, so that it is the median of all.
      const many = Array.from({ length: 25 }, (): EventSpec => ({
        kind: "capture",
        at: 0,
        took: 0,
        published: 0,
      }));
      const odd: EventSpec = { kind: "capture", at: apart, took: 0, published: apart };
      return startsOf(new PlausibleEvents(), [...many, odd]).length === 26;
    };
    expect([
      kept(600 * SECOND - 1),
      kept(600 * SECOND),
      kept(-600 * SECOND + 1),
      kept(-600 * SECOND),
    ]).toEqual([true, false, true, false]);
  });

  it("take an hour at most", () => {
    const kept = (took: number): boolean => {
      const long: EventSpec = { kind: "flushComplete", at: 10.5 * SECOND, took, published: 10.5 * SECOND };
      return startsOf(new PlausibleEvents(), [...events(25), long]).includes(10.5 * SECOND);
    };
    expect([kept(3_600 * SECOND), kept(3_600 * SECOND + 1)]).toEqual([true, false]);
  });

  it("keep all their fields when others are left out", () => {
    const odd: EventSpec = { kind: "capture", at: 3.5 * SECOND, took: 30, published: 99 * SECOND };
    const kept = new PlausibleEvents().filter(eventColumns([...events(25), odd]));
    expect(kept.length).toBe(25);
    expect([...kept.start]).toEqual(Array.from({ length: 25 }, (_, i) => i * SECOND));
    expect([kept.ticks.length, kept.processing.length, kept.files.length]).toEqual([25, 25, 1]);
  });

  it("are compared with the distance before, while they are too few to show their own", () => {
    const filter = new PlausibleEvents();
    startsOf(filter, events(25));
    // UTC was set by a minute.
    expect(startsOf(filter, events(19, 60 * SECOND, 30))).toEqual([]);
    expect(startsOf(filter, events(20, 60 * SECOND, 50))).toHaveLength(20);
    expect(startsOf(filter, events(3, 60 * SECOND, 80))).toHaveLength(3);
  });

  it("pass where they have no counter", () => {
    const untimed: EventSpec[] = Array.from({ length: 25 }, (_, i) => ({
      kind: "stillWaiting",
      published: i * SECOND,
    }));
    expect(new PlausibleEvents().filter(eventColumns(untimed)).length).toBe(25);
  });
});
