import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allRows, sortRows } from "./ascending-rows.ts";

/** By the definition: a stable sort of all that have a key, then the others in their order. */
const sortedSlowly = (rows: readonly number[], keys: Float64Array): number[] => [
  ...rows.filter((row) => !Number.isNaN(keys[row])).toSorted((a, b) => keys[a] - keys[b]),
  ...rows.filter((row) => Number.isNaN(keys[row])),
];

const key = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: false }));

describe("sortRows", () => {
  it("is a stable sort by the keys, rows without a key last", () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), (values) => {
        const keys = Float64Array.from(values);
        expect([...sortRows(allRows(keys.length), keys)]).toEqual(
          sortedSlowly([...allRows(keys.length)], keys),
        );
      }),
    );
  });
  it.each([
    ["two ascending halves", (i: number) => i % 5_000],
    ["descending", (i: number) => -i],
    ["scattered", (i: number) => (i * 7_919) % 10_007],
    ["ascending but for neighbors", (i: number) => i + (i % 2 === 0 ? 2 : 0)],
  ])("keeps equal keys in the order given: 10,000 rows, %s", (_, keyOf) => {
    const keys = Float64Array.from({ length: 10_000 }, (_value, i) => keyOf(i));
    const given = allRows(10_000).toReversed();
    expect([...sortRows(given.slice(), keys)]).toEqual(sortedSlowly([...given], keys));
  });
  it("sorts only the rows given", () => {
    expect([...sortRows(Uint32Array.of(4, 0, 2), Float64Array.of(3, 9, 1, 9, 2))]).toEqual([2, 4, 0]);
  });
});
