import { describe, expect, it } from "vitest";
import { serverOf } from "../../test/servers.ts";
import { fireAt } from "./server.ts";
import { extentOf, movedEvents, type MovedEvents, type MovedStretch } from "./moved-events.ts";

const server = serverOf([
  { kind: "flushStart", at: 1_000, database: "sales", block: 16n },
  { kind: "commit", at: 1_010, took: 30, database: "sales", block: 16n },
  { kind: "stillWaiting", published: 1_500 },
  { kind: "flushStart", at: 2_000, database: "sales", block: 24n },
]);

describe("all events of a server", () => {
  it("have the rows of their blocks, single ones those that joins gave them, and are moved by these", () => {
    const byStart = Int32Array.from(server.blocks.id, (id) => 10 + server.ids.low[server.blocks.id[id]]);
    const ofSingle = Int32Array.of(7, -1);
    const [{ row, fire }] = movedEvents(server, { byStart, byEnd: byStart }, ofSingle, (fires, rows) => {
      for (let i = 0; i < fires.length; i++) fires[i] += 100_000 * rows[i];
    }).stretches();
    const of = (block: bigint): number =>
      byStart[server.blocks.id.findIndex((id) => server.ids.low[id] === Number(block))];
    expect([...row]).toEqual([of(16n), 7, -1, of(24n)]);
    // The event without a start_timestamp is where UTC places it.
    const counters = [1_000, 1_040, fireAt(server, 1), 2_000];
    expect([...fire]).toEqual(counters.map((at, i) => at + 100_000 * row[i]));
  });
});

const eventsAt = (...stretches: readonly (readonly number[])[]): MovedEvents => ({
  length: stretches.flat().length,
  stretches: () =>
    stretches.map((fires): MovedStretch => {
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
