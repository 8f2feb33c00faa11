import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { placesOf, serverOf } from "../../../test/servers.ts";
import { fireAt, idOf, publishAt } from "./server.ts";
import { aheadAt, utcMap } from "../clocks/utc-map.ts";

const SECOND = 1_000_000;
const HALF = SECOND / 2;
const event = (at: number, ahead: number): EventSpec => ({ kind: "flushStart", at, published: at + ahead });

/** The map of intervals: when the first event of each fired, and how far UTC was ahead. */
const mapOf = (...ranges: readonly (readonly [fire: number, ahead: number])[]) =>
  utcMap({
    fire: Float64Array.from(ranges, ([fire]) => fire),
    ahead: Float64Array.from(ranges, ([, ahead]) => ahead),
    events: new Float64Array(ranges.length).fill(1),
  });

describe("UTC against a server's counter", () => {
  it("is the middle of a sample over two seconds each, and even between their middles", () => {
    const map = mapOf([0, 100], [HALF, 106], [2 * HALF, 101], [2 * SECOND, 240], [2 * SECOND + HALF, 200]);
    expect([...map.at]).toEqual([SECOND, 3 * SECOND]);
    // The middle one of the values 100, 106 and 101 counts, and the larger one of 240 and 200.
    expect([...map.ahead]).toEqual([101, 240]);
    expect(
      [0, SECOND, 2 * SECOND, 2.5 * SECOND, 3 * SECOND, 99 * SECOND].map((t) => aheadAt(map, t)),
    ).toEqual([101, 101, 170.5, 205.25, 240, 240]);
  });

  it("passes over seconds without events, also before time 0", () => {
    const map = mapOf([-5 * SECOND, 7], [1, 2]);
    expect([...map.at]).toEqual([-5 * SECOND, SECOND]);
    expect(aheadAt(map, -2 * SECOND)).toBe(4.5);
  });

  it("has nothing in between where UTC was set", () => {
    const map = mapOf([0, 100], [2 * SECOND, 7_200 * SECOND]);
    expect([1.9, 2.1].map((s) => aheadAt(map, s * SECOND))).toEqual([100, 7_200 * SECOND]);
  });

  it("is unknown without an event", () => {
    expect(aheadAt(mapOf(), 5)).toBeNaN();
  });
});

describe("a server's events", () => {
  it("fire when what they report ends, by their counter", () => {
    const server = serverOf([
      { kind: "commit", at: 1_000, took: 30 },
      { kind: "sendComplete", at: 2_000, took: 1_000 },
      { kind: "flushStart", at: 3_000 },
    ]);
    expect(placesOf(server.places).fire).toEqual([1_030, 2_000, 3_000]);
    // The start of a log write is collected by its block.
    expect([0, 1].map((event) => fireAt(server, event))).toEqual([1_030, 2_000]);
    expect([...server.start]).toEqual([1_000, 2_000]);
    expect([0, 1].map((event) => publishAt(server, event))).toEqual([0, 970]);
    expect(server.withoutCounter).toBe(false);
  });

  it("without a start_timestamp among others are placed by UTC as it was then", () => {
    const server = serverOf([
      event(0, 500),
      event(10, 500),
      { kind: "stillWaiting", published: 1_500 },
      event(4 * SECOND, 900),
      { kind: "stillWaiting", published: 4 * SECOND + 1_900 },
    ]);
    const [early, late] = [0, 1].map((event) => fireAt(server, event));
    expect(placesOf(server.places).isSingle).toEqual([0, 0, 1, 0, 1]);
    // The first event was published at 500, which is time 0 of `publish`.
    expect(early + 500).toBe(1_500);
    expect(late + 900).toBe(4 * SECOND + 1_900);
  });

  it.each([7_200, -7_200])(
    "without a start_timestamp are placed by UTC before and after it was set by %d s",
    (by) => {
      const set = by * SECOND;
      // UTC is set at 2.8 s, so that most of the two seconds from 2 s on show the time before, and at 2.2 s the time
      // after.
      for (const at of [2.8 * SECOND, 2.2 * SECOND]) {
        const ahead = (fire: number): number => 500 + (fire < at ? 0 : set);
        const counted = Array.from({ length: 60 }, (_, i) => i * 0.1 * SECOND + 50);
        const waiting = [at - 60_000, at + 60_000];
        const server = serverOf([
          ...counted.map((fire) => event(fire, ahead(fire))),
          ...waiting.map((fire): EventSpec => ({ kind: "stillWaiting", published: fire + ahead(fire) })),
        ]);
        const placed = [0, 1].map((single) => fireAt(server, single)).toSorted((a, b) => a - b);
        for (const [i, fire] of waiting.entries()) expect(Math.abs(placed[i] - fire)).toBeLessThan(1_000);
      }
    },
  );

  it("of an engine without a counter began their duration before they were published", () => {
    const server = serverOf([
      { kind: "capture", published: 5_000, took: 30 },
      { kind: "flushComplete", published: 9_000, took: 1_000 },
      { kind: "flushStart", published: 9_500 },
    ]);
    expect(server.withoutCounter).toBe(true);
    expect([...server.start]).toEqual([-30, 4_000, 4_500]);
    expect([0, 1, 2].map((event) => fireAt(server, event))).toEqual([0, 4_000, 4_500]);
  });

  it("have their log_block_id by the block that they name", () => {
    const server = serverOf([
      { kind: "commit", at: 1, block: 5n },
      { kind: "commit", at: 2, block: (0xdead_beefn << 32n) | 0x1234_5678n },
    ]);
    const id = idOf(server, 1);
    expect([server.ids.high[id], server.ids.low[id]]).toEqual([0xdead_beef, 0x1234_5678]);
  });
});
