import { describe, expect, test } from "vitest";
import { eventsAt, modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { eventDensity, eventPlacesFrom, unlistedEvents } from "./index.ts";

/**
 * Three blocks; the second has no event. Files 0 and 2 are of the primary, file 1 is the secondary's; each offset is the
 * event's place in the order of firing, of equal instants the one of the earlier block first.
 */
const EVENTS = [
  { block: 0, replica: 0, file: 0, offset: 0, fire: 10 },
  { block: 0, replica: 1, file: 1, offset: 2, fire: 40 },
  { block: 0, replica: 0, file: 0, offset: 3, fire: 50 },
  { block: 0, replica: 1, file: 1, offset: 9, fire: Number.NaN },
  { block: 2, replica: 0, file: 2, offset: 1, fire: 30 },
  { block: 2, replica: 1, file: 1, offset: 4, fire: 50 },
  { block: 2, replica: 0, file: 2, offset: 5, fire: 60 },
];

function capture(): CaptureModel {
  const model = modelOf([{ at: 0 }, { at: 10 }, { at: 20 }]);
  const file = (replica: number, events: number) => ({ ...model.files[0], replica, events });
  return {
    ...model,
    files: [file(0, 5), file(1, 10), file(0, 2)],
    events: eventsAt(EVENTS),
  };
}

const model = capture();
const ALL = { from: -Infinity, to: Infinity, replicas: null };
const from = (
  first: Parameters<typeof eventPlacesFrom>[2],
  range: Partial<Parameters<typeof eventPlacesFrom>[1]> = {},
  most = 100,
) => {
  const { total, position, places } = eventPlacesFrom(model, { ...ALL, ...range }, first, most);
  return { total, position, offsets: places.map(({ offset }) => offset) };
};

test("events of all blocks and files are in the order they fired, each with its block", () => {
  expect(from({ position: 0 })).toEqual({ total: 6, position: 0, offsets: [0, 1, 2, 3, 4, 5] });
  const { places } = eventPlacesFrom(model, ALL, { position: 0 }, 100);
  expect(places.map(({ block }) => block)).toEqual([0, 2, 0, 0, 2, 2]);
  expect(places[1]).toEqual({ file: 2, offset: 1, fire: 30, block: 2 });
});

test("a page begins at its position and has no more than asked for; behind the last there is none", () => {
  expect(from({ position: 2 }, {}, 3)).toEqual({ total: 6, position: 2, offsets: [2, 3, 4] });
  expect(from({ position: 5 }, {}, 3).offsets).toEqual([5]);
  expect(from({ position: 99 })).toEqual({ total: 6, position: 6, offsets: [] });
});

test("a range has what fired from its start up to before its end, a replica what is in its files", () => {
  expect(from({ position: 0 }, { from: 30, to: 50 })).toEqual({ total: 2, position: 0, offsets: [1, 2] });
  expect(from({ position: 0 }, { from: 50, to: 50.5 }).offsets).toEqual([3, 4]);
  expect(from({ position: 0 }, { replicas: [0] }).offsets).toEqual([0, 1, 3, 5]);
  expect(from({ position: 1 }, { replicas: [1], to: 50 })).toEqual({ total: 1, position: 1, offsets: [] });
  expect(from({ position: 0 }, { replicas: [] }).total).toBe(0);
});

describe("a list begins", () => {
  test("at an event, also at the second of two at one instant", () => {
    for (const position of [0, 1, 2, 3, 4, 5]) {
      const { file } = EVENTS.find(({ offset }) => offset === position)!;
      expect(from({ file, offset: position }, {}, 1)).toEqual({ total: 6, position, offsets: [position] });
    }
  });

  test("where an event would be that the range or the replicas leave out, and behind the last for none", () => {
    expect(from({ file: 1, offset: 2 }, { replicas: [0] })).toMatchObject({ position: 2, offsets: [3, 5] });
    expect(from({ file: 0, offset: 0 }, { from: 30 })).toMatchObject({ position: 0 });
    expect(from({ file: 0, offset: 2 })).toEqual({ total: 6, position: 6, offsets: [] });
    expect(from({ file: 1, offset: 9 })).toMatchObject({ position: 6 });
  });

  test("at a block's first event, behind the last for a block without one, and at no block that is not there", () => {
    expect(from({ block: 2 })).toMatchObject({ position: 1 });
    expect(from({ block: 1 })).toMatchObject({ position: 6 });
    expect(() => from({ block: 3 })).toThrow("there is no row 3");
  });
});

test("events in no list are counted: those of no block by replica, and those whose instant is not known", () => {
  expect(unlistedEvents(model)).toEqual({ ofNoBlock: [3, 7], withoutInstant: 1 });
});

describe("events per bin", () => {
  // They fired at 10, 30, 60 on the primary, and at 40, 50 and 50 in the files that EVENTS names.
  test("are counted by replica, the last instant of an open range in the last bin", () => {
    const { from, to, counts } = eventDensity(model, ALL, 5);
    expect([from, to]).toEqual([10, 60]);
    // Bins of 10 µs: files 0 and 2 are the primary's (10; 30; 50; 60), file 1 the secondary's (40; 50).
    expect(counts).toEqual([
      [1, 0, 1, 0, 2],
      [0, 0, 0, 1, 1],
    ]);
  });

  test("of a range are those that fired in it; its end is not", () => {
    expect(eventDensity(model, { ...ALL, from: 30, to: 50 }, 2)).toEqual({
      from: 30,
      to: 50,
      counts: [
        [1, 0],
        [0, 1],
      ],
    });
  });

  test("of one instant, and of none, are in the first bin or nowhere", () => {
    expect(eventDensity(model, { ...ALL, from: 60 }, 2).counts).toEqual([
      [1, 0],
      [0, 0],
    ]);
    expect(eventDensity(model, { ...ALL, replicas: [] }, 1)).toEqual({ from: 0, to: 0, counts: [[0], [0]] });
  });
});
