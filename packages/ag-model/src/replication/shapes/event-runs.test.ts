/** Runs of events written by hand: their order, and that every instant keeps all its bits. */
import { describe, expect, it } from "vitest";
import { eventsAt, type PlacedEvent } from "../../../test/model.ts";
import { eventsByBlock } from "./event-runs.ts";

const eventsOf = (events: readonly PlacedEvent[]) => {
  const [run] = eventsAt(events).runs;
  return Array.from({ length: run.length }, (_, row) => ({
    block: run.blockAt(row),
    offset: run.offsetAt(row),
    fire: run.fireAt(row),
  }));
};

describe("a run of events", () => {
  it("has them as they fired, of one instant by block, of one block as the file has them; the unknown come last", () => {
    const events = [
      { block: 2, offset: 10, fire: 5 },
      { block: 1, offset: 20, fire: Number.NaN },
      { block: 1, offset: 30, fire: 5 },
      { block: 0, offset: 40, fire: 7 },
      { block: 1, offset: 50, fire: 5 },
      { block: 0, offset: 60, fire: 1 },
    ];
    expect(eventsOf(events).map(({ offset }) => offset)).toEqual([60, 30, 50, 10, 40, 20]);
    const [run] = eventsAt(events).runs;
    expect(run.known).toBe(5);
    expect(run.rowsOfBlock(1)).toEqual([1, 2, 5]);
    expect([run.rowAt(0, 50), run.rowAt(0, 55), run.rowAt(1, 50)]).toEqual([2, -1, -1]);
  });

  it("leaves out events of no block", () => {
    expect(eventsOf([{ block: -1, fire: 1 }, { fire: 2 }])).toEqual([{ block: 0, offset: 0, fire: 2 }]);
  });

  it("keeps what a clock adds to whole µs once for each block, and every instant to the last bit", () => {
    const shifts = [0.123456789, 1 / 3, 0, 0.999999];
    const events = Array.from({ length: 1_000 }, (_, i) => {
      const block = i >> 8;
      return { block, fire: i * 40 + 12_345_678 + shifts[block] };
    });
    expect(eventsOf(events).map(({ fire }) => fire)).toEqual(events.map(({ fire }) => fire));
    const [{ parts }] = eventsAt(events).runs;
    // 256 events each 40 µs after the other are within two bytes.
    expect([...parts.instant.parts.width]).toEqual([2, 2, 2, 2]);
    expect(parts.fraction).toHaveLength(4);
  });

  it("keeps instants of one block that go with no common part as they are", () => {
    const events = [0.5, 1.25, 2.5, Number.NaN].map((fire) => ({ fire }));
    expect(eventsOf(events).map(({ fire }) => fire)).toEqual([0.5, 1.25, 2.5, Number.NaN]);
    expect([...eventsAt(events).runs[0].parts.instant.parts.width]).toEqual([8]);
  });

  it("takes no column for parts of a µs where there are none", () => {
    expect(eventsAt([{ fire: 5 }, { fire: 7 }]).runs[0].parts.fraction).toHaveLength(0);
  });
});

it("events of several replicas are listed by block, of one instant in the order of the replicas", () => {
  const index = eventsAt([
    { block: 1, replica: 1, offset: 1, fire: 3 },
    { block: 0, replica: 1, offset: 2, fire: 9 },
    { block: 1, replica: 0, offset: 3, fire: 3 },
    { block: 1, replica: 0, offset: 4, fire: 1 },
    { block: 0, replica: 0, offset: 5, fire: Number.NaN },
  ]);
  const { start, file, offset, fire } = eventsByBlock(index, 3);
  expect([...start]).toEqual([0, 2, 5, 5]);
  expect([...offset]).toEqual([2, 5, 4, 3, 1]);
  expect([...file]).toEqual([1, 0, 0, 0, 1]);
  expect([...fire]).toEqual([9, Number.NaN, 1, 3, 3]);
});
