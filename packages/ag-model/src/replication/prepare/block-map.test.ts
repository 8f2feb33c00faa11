import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockMap } from "./block-map.ts";

const word = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));

describe("a map by log_block_id", () => {
  it("has what was set last for each id, and nothing for any other, however it grows", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word, fc.nat()), { maxLength: 400 }),
        fc.array(fc.tuple(word, word)),
        fc.nat({ max: 1_000 }),
        (sets, asked, foreseen) => {
          const map = new BlockMap(10);
          const expected = new Map<string, number>();
          for (const [at, [high, low, value]] of sets.entries()) {
            if (at === 30) map.reserve(foreseen);
            map.set(high, low, value);
            expected.set(`${high}:${low}`, value);
          }
          for (const [high, low] of [...sets, ...asked])
            expect(map.get(high, low)).toBe(expected.get(`${high}:${low}`) ?? -1);
        },
      ),
    );
  });
  it("has the id of zeros only once it was set", () => {
    const map = new BlockMap();
    expect(map.get(0, 0)).toBe(-1);
    map.set(0, 0, 0);
    expect(map.get(0, 0)).toBe(0);
  });
});
