import { expect, it } from "vitest";
import {
  microsecondsSince1970,
  microsecondsOfTicks,
  microsecondsToTicks,
  ticksToMicroseconds,
} from "./time.ts";

it("turns microseconds into whole ticks of 100 ns, to the nearest", () => {
  expect(microsecondsToTicks(1)).toBe(10n);
  expect(microsecondsToTicks(1.26)).toBe(13n);
  expect(microsecondsToTicks(1.24)).toBe(12n);
  expect(microsecondsToTicks(-2.5)).toBe(-25n);
  expect(() => microsecondsToTicks(Number.NaN)).toThrow(RangeError);
});

it("turns a difference of ticks into microseconds, exactly over the years that a double holds", () => {
  expect(ticksToMicroseconds(25n)).toBe(2.5);
  expect(ticksToMicroseconds(-25n)).toBe(-2.5);
  // Ten years and one tick.
  expect(ticksToMicroseconds(3_155_760_000_000_001n)).toBe(315_576_000_000_000.1);
});

it("turns a difference that a double holds into microseconds as it does a bigint", () => {
  const after = [0n, 1n, 9n, 10n, -1n, -25n, 2n ** 32n, 2n ** 32n - 8n, 864_000_000_001n, -(2n ** 33n) - 3n];
  expect(after.map((ticks) => microsecondsOfTicks(Number(ticks)))).toEqual(after.map(ticksToMicroseconds));
});

it("turns instants of a capture into whole microseconds since 1970", () => {
  // 1970-01-02T00:00:00.0000017Z: 86,400 s and 17 ticks after 1970.
  const origin = 116_444_736_000_000_017n + 864_000_000_000n;
  const instants = Float64Array.of(0, 0.8, 2_000_000, Number.NaN);
  expect([...microsecondsSince1970(origin, instants, -1n)]).toEqual([
    86_400_000_002n,
    86_400_000_003n,
    86_402_000_002n,
    -1n,
  ]);
});
