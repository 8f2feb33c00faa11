import fc from "fast-check";
import { expect, test } from "vitest";
import { TickClock } from "./tick-clock.ts";
import { filetimeOf } from "./time.ts";

// Start of the worked example (docs/reference/xel-format.md 10).
const START = 0x01d3475ef5f2af00n;

function written(start: bigint, frequency: bigint, ticks: bigint): bigint {
  const words = new Uint32Array(4);
  const low = Number(BigInt.asUintN(32, ticks));
  new TickClock({ start, frequency }).write(words, 1, low, Number(BigInt.asIntN(64, ticks) >> 32n));
  return new BigUint64Array(words.buffer)[1];
}

test.each([
  ["10 MHz is exact", 10_000_000n, 174_928_785_350n, START + 174_928_785_350n],
  ["frequency 0 counts FILETIME units", 0n, 12n, START + 12n],
  ["ticks are signed", 10_000_000n, -10n, START - 10n],
  ["3 MHz: 1 tick is 3.33 units, cut", 3_000_000n, 1n, START + 3n],
  ["cut toward zero before the start", 3_000_000n, -1n, START - 3n],
  ["a carry into the high word", 10_000_000n, 0x0a0d5100n, 0x01d3475f00000000n],
])("%s", (_, frequency, ticks, expected) => {
  expect(written(START, frequency, ticks)).toBe(expected);
});

test("the first and the last FILETIME, and the ones beyond", () => {
  const last = 2_650_467_743_999_999_999n;
  expect(written(last - 5n, 10_000_000n, 5n)).toBe(last);
  expect(written(5n, 10_000_000n, -5n)).toBe(0n);
  expect(() => written(last, 10_000_000n, 1n)).toThrow("9999");
  expect(() => written(0n, 0n, -1n)).toThrow("1601");
});

test("words give what the arithmetic of the reference reader gives, whatever clock and ticks", () => {
  const frequency = fc.oneof(fc.constantFrom(0n, 10_000_000n), fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }));
  const ticks = fc.oneof(
    fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
    fc.bigInt({ min: -(1n << 55n), max: 1n << 55n }),
  );
  const start = fc.bigInt({ min: 0n, max: 2_650_467_743_999_999_999n });
  fc.assert(
    fc.property(start, frequency, ticks, (from, hertz, count) => {
      let expected: bigint | undefined;
      try {
        expected = filetimeOf({ start: from, frequency: hertz }, count);
      } catch {
        expect(() => written(from, hertz, count)).toThrow();
        return;
      }
      expect(written(from, hertz, count)).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});
