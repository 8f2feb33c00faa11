/**
 * Events that are kept when no screen lists events. `fixtures/src/same-tables.test.ts` verifies that a verdict is the
 * same without the others.
 */
import { describe, expect, it } from "vitest";
import { EventEnds, type FiredPlaces } from "./event-ends.ts";

type Event = readonly [block: number, fire: number, file?: number, isSingle?: number];

const placesOf = (events: readonly Event[]): FiredPlaces => ({
  block: Int32Array.from(events, ([block]) => block),
  fire: Float64Array.from(events, ([, fire]) => fire),
  file: Uint16Array.from(events, ([, , file = 0]) => file),
  isSingle: Uint8Array.from(events, ([, , , isSingle = 0]) => isSingle),
});

const eventsOf = ({ block, fire, file, isSingle }: FiredPlaces): Event[] =>
  Array.from(block, (_, i) => [block[i], fire[i], file[i], isSingle[i]]);

/** Events that are kept of these steps of events, in the order of their instants. */
function kept(...steps: readonly (readonly Event[])[]): Event[] {
  const ends = new EventEnds();
  const found = steps.flatMap((events) => eventsOf(ends.of(placesOf(events))));
  return [...found, ...eventsOf(ends.finish())].sort(([, a], [, b]) => a - b);
}

describe("of a block's events", () => {
  it("the first and the last stay, also of several steps", () => {
    const events = [
      [
        [7, 12],
        [7, 10],
        [8, 15],
      ],
      [
        [7, 11],
        [7, 30],
      ],
    ] as const;
    expect(kept(...events)).toEqual([
      [7, 10, 0, 0],
      [8, 15, 0, 0],
      [7, 30, 0, 0],
    ]);
  });

  it("those around a silence stay, and those of another file", () => {
    const events: readonly Event[] = [
      [7, 0],
      [7, 100],
      [7, 200],
      [7, 500_200],
      [7, 500_300, 1],
    ];
    expect(kept(events).map(([, fire]) => fire)).toEqual([0, 200, 500_200, 500_300]);
  });

  it("single ones stay, in their order", () => {
    expect(
      kept([
        [7, 1, 0, 1],
        [7, 2, 0, 1],
        [7, 3],
        [7, 4, 0, 1],
      ]),
    ).toEqual([
      [7, 1, 0, 1],
      [7, 2, 0, 1],
      [7, 3, 0, 0],
      [7, 4, 0, 1],
    ]);
  });
});

it("events of no block stay", () => {
  expect(
    kept([
      [-1, 1],
      [-1, 2],
      [-1, 3],
    ]).map(([, fire]) => fire),
  ).toEqual([1, 2, 3]);
});

it("blocks that take each other's place lose no end", () => {
  const far = 7 + (1 << 12);
  const events = [1, 2, 3, 4].flatMap((at): Event[] => [
    [7, at],
    [far, at + 0.5],
  ]);
  expect(kept(events).map(([, fire]) => fire)).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]);
});
