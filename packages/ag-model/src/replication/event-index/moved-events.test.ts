import { describe, expect, it } from "vitest";
import { serverOf } from "../../../test/servers.ts";
import { fireAt } from "../prepare/server.ts";
import { extentOf, movedEvents, serverEvents, type MovedEvents, type MovedRun } from "./moved-events.ts";

const server = serverOf([
  { kind: "flushStart", at: 1_000, database: "sales", block: 16n },
  { kind: "commit", at: 1_010, took: 30, database: "sales", block: 16n },
  { kind: "stillWaiting", published: 1_500 },
  { kind: "flushStart", at: 2_000, database: "sales", block: 24n },
]);

describe("all events of a server", () => {
  const byStart = Int32Array.from(server.blocks.id, (id) => 10 + server.ids.low[server.blocks.id[id]]);
  const ofSingle = Int32Array.of(7, -1);
  const of = (block: bigint): number =>
    byStart[server.blocks.id.findIndex((id) => server.ids.low[id] === Number(block))];
  // The event without a start_timestamp is where UTC places it.
  const counters = [1_000, 1_040, fireAt(server, 1), 2_000];
  const shifts = Float64Array.from({ length: 40 }, (_, row) => 100_000 * row);

  it("have the rows of their blocks, single ones those that joins gave them, and are moved by these", () => {
    const move = { shifts: [shifts], primaryOf: null, otherwise: (at: number) => at + 7 };
    const own = serverEvents(server, { byStart, byEnd: byStart }, ofSingle, move);
    const [{ row, fire }] = movedEvents(own).stretches();
    expect([...row]).toEqual([of(16n), 7, -1, of(24n)]);
    expect([...fire]).toEqual(counters.map((at, i) => (row[i] < 0 ? at + 7 : at + 100_000 * row[i])));
  });

  it("are moved as the blocks of their primary were, those that were not otherwise", () => {
    const primaryOf = new Uint8Array(40);
    primaryOf[7] = 1;
    const none = shifts.slice().fill(Number.NaN);
    const move = { shifts: [none, shifts], primaryOf, otherwise: (at: number) => at + 7 };
    const own = serverEvents(server, { byStart, byEnd: byStart }, ofSingle, move);
    const [{ fire }] = movedEvents(own).stretches();
    expect([...fire]).toEqual(counters.map((at, i) => (i === 1 ? at + 700_000 : at + 7)));
  });
});

const eventsAt = (...ranges: readonly (readonly number[])[]): MovedEvents => ({
  length: ranges.flat().length,
  stretches: () =>
    ranges.map((fires): MovedRun => {
      const none = new Float64Array(fires.length);
      return {
        length: fires.length,
        row: new Int32Array(fires.length),
        fire: Float64Array.from(fires),
        file: none,
        offset: none,
      };
    }),
});

describe("what is known of all events before they are put in order", () => {
  it("is from when to when they fired, and what is the earliest still to come", () => {
    const { first, last, earliestFrom, areWhole } = extentOf(
      eventsAt([5, Number.NaN], [3, 9], [Number.NaN], [7]),
    );
    expect([first, last, areWhole]).toEqual([3, 9, true]);
    expect([...earliestFrom]).toEqual([3, 3, 7, 7]);
  });

  it("is whether all are whole µs", () => {
    expect(extentOf(eventsAt([5], [6.5])).areWhole).toBe(false);
  });

  it("is nothing where it is not known of any when it fired", () => {
    expect(extentOf(eventsAt([Number.NaN]))).toEqual({
      first: Number.NaN,
      last: Number.NaN,
      earliestFrom: Float64Array.of(Infinity),
      areWhole: true,
    });
    expect(extentOf(eventsAt()).first).toBeNaN();
  });
});
