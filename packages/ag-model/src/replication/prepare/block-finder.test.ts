import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ascendingOrder, mergedIds, uniqueIds } from "./ascending-ids.ts";
import { IdFinder } from "./block-finder.ts";

type Id = readonly [high: number, low: number];

const id = fc.tuple(
  fc.constantFrom(0, 1, 0x22, 2 ** 21, 2 ** 32 - 1),
  fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(2 ** 31, 2 ** 32 - 1)),
);
const ids = fc.array(id, { maxLength: 120 });

const columns = (list: readonly Id[]) => ({
  high: Uint32Array.from(list, ([high]) => high),
  low: Uint32Array.from(list, ([, low]) => low),
});
const listed = ({ high, low }: { high: Uint32Array; low: ArrayLike<number> }): Id[] =>
  Array.from(high, (word, i) => [word, low[i]] as const);
const compare = ([a, b]: Id, [c, d]: Id): number => a - c || b - d;
const sortedOnce = (list: readonly Id[]): Id[] =>
  list.filter((own, i) => list.findIndex((each) => compare(each, own) === 0) === i).toSorted(compare);

describe("ids of blocks", () => {
  it("are each listed once, ascending, from one list and from two", () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        expect(listed(uniqueIds(columns(a)))).toEqual(sortedOnce(a));
        const merged = mergedIds(uniqueIds(columns(a)), uniqueIds(columns(b)));
        expect(listed(merged)).toEqual(sortedOnce([...a, ...b]));
      }),
    );
  });
  it("are in order where an end lies beyond 32 bits, as a damaged size may say", () => {
    const low = Float64Array.of(2 ** 33, 5, 4);
    expect([...ascendingOrder({ high: Uint32Array.of(1, 2, 1), low })]).toEqual([2, 0, 1]);
  });
});

describe("a finder of ids", () => {
  it("finds each from wherever the search before ended", () => {
    fc.assert(
      fc.property(ids, ids, (list, asked) => {
        const sorted = sortedOnce(list);
        const finder = new IdFinder(columns(sorted));
        for (const own of [...asked, ...list]) {
          const firstAtOrAfter = sorted.findIndex((each) => compare(each, own) >= 0);
          expect(finder.firstAtOrAfter(...own)).toBe(firstAtOrAfter < 0 ? sorted.length : firstAtOrAfter);
          expect(finder.indexOf(...own)).toBe(sorted.findIndex((each) => compare(each, own) === 0));
        }
      }),
    );
  });
  it("looks in its part of the list only", () => {
    const list = columns([
      [1, 1],
      [1, 5],
      [1, 3],
      [1, 7],
    ]);
    const finder = new IdFinder(list, 2, 4);
    expect([1, 3, 5, 7, 9].map((low) => finder.indexOf(1, low))).toEqual([-1, 2, -1, 3, -1]);
    expect([1, 9].map((low) => finder.firstAtOrAfter(1, low))).toEqual([2, 4]);
  });
});
