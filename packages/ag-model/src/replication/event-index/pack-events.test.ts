import { expect, it } from "vitest";
import { createDice } from "../../../test/dice.ts";
import { extentOf, type MovedEvents } from "./moved-events.ts";
import { packEvents, pickEvents } from "./pack-events.ts";

interface Event {
  readonly fire: number;
  readonly row: number;
}

/** Events in batches of `length`; an event's offset is its number. */
const inRanges = (events: readonly Event[], length: number): MovedEvents => ({
  length: events.length,
  *stretches() {
    for (let from = 0; from < events.length; from += length) {
      const own = events.slice(from, from + length);
      yield {
        length: own.length,
        row: Int32Array.from(own, ({ row }) => row),
        fire: Float64Array.from(own, ({ fire }) => fire),
        file: new Float64Array(own.length).fill(2),
        offset: Float64Array.from(own, (_, i) => from + i),
      };
    }
  },
});

/** Order by instant, for equal instants by block, for equal blocks by arrival; unknown instants last. */
const inOrder = (events: readonly Event[]): number[] =>
  [...events.keys()]
    .filter((i) => events[i].row >= 0)
    .sort((a, b) => {
      const [one, other] = [events[a], events[b]];
      const [isKnown, isOtherKnown] = [!Number.isNaN(one.fire), !Number.isNaN(other.fire)];
      if (!isKnown || !isOtherKnown) return Number(isOtherKnown) - Number(isKnown) || a - b;
      return one.fire - other.fire || one.row - other.row || a - b;
    });

const BLOCKS = 50;

it.each([
  ["that come in order", 0, 0],
  ["some of which come a little late", 40, 0],
  ["some of which come later than others that fired long after them", 4_000, 0],
  ["of which some are not known", 40, 0.1],
])("events %s are all in their order", (_, spread, unknown) => {
  const roll = createDice(7);
  const events = Array.from({ length: 3_000 }, (_event, i): Event => {
    const fire = roll() < unknown ? Number.NaN : 1_000 + Math.floor(i / 2 - spread * roll() ** 8);
    return { fire, row: Math.floor(roll() * (BLOCKS + 1)) - 1 };
  });
  const moved = inRanges(events, 100);
  const run = packEvents({
    replica: 0,
    fileBase: 3,
    events: moved,
    extent: extentOf(moved),
    rowOfBlock: Int32Array.from({ length: BLOCKS }, (_block, row) => row),
    start: 1_000,
  });
  const expected = inOrder(events);
  const rows = [...Array(run.length).keys()];
  expect(rows.map((row) => run.offsetAt(row))).toEqual(expected);
  expect(rows.map((row) => run.fireAt(row))).toEqual(expected.map((i) => events[i].fire - 1_000));
  expect(rows.map((row) => run.blockAt(row))).toEqual(expected.map((i) => events[i].row));
  expect(new Set(rows.map((row) => run.fileAt(row)))).toEqual(new Set([5]));
});

it.each([
  ["whole µs", 0],
  ["parts of a µs, by block", 0.25],
])("events of some blocks are a run of their own, by the numbers that these have there: %s", (_, part) => {
  const events = Array.from({ length: 30 }, (_event, i): Event => {
    const row = i % 10;
    return { row: row - 1, fire: 1_000 + 10 * i + part * (row % 3) };
  });
  const moved = inRanges(events, 7);
  const run = packEvents({
    replica: 0,
    fileBase: 3,
    events: moved,
    extent: extentOf(moved),
    rowOfBlock: Int32Array.from({ length: 9 }, (_block, row) => row),
    start: 1_000,
  });
  const picked = pickEvents(run, Uint32Array.of(2, 3, 7), 9, 1);
  const rows = [...Array(picked.length).keys()];
  // Block 2 has every tenth event from the third on, counted from 0 as all of these.
  const expected = [3, 4, 8, 13, 14, 18, 23, 24, 28];
  expect(rows.map((row) => picked.offsetAt(row))).toEqual(expected);
  expect(rows.map((row) => picked.blockAt(row))).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  expect(rows.map((row) => picked.fireAt(row))).toEqual(expected.map((i) => events[i].fire - 1_000));
  expect(rows.map((row) => picked.fileAt(row))).toEqual(expected.map(() => 5));
  expect([run.replica, picked.replica]).toEqual([0, 1]);
});
