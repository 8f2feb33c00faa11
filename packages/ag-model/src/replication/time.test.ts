import { describe, expect, it } from "vitest";
import { isoToTicks, microsecondsToTicks, ticksToIso, ticksToMicroseconds } from "./time.ts";

describe("FILETIME ticks", () => {
  it("prints the Unix epoch and its neighbours", () => {
    expect(ticksToIso(116_444_736_000_000_000n)).toBe("1970-01-01T00:00:00.0000000Z");
    expect(ticksToIso(116_444_735_999_999_999n)).toBe("1969-12-31T23:59:59.9999999Z");
    expect(ticksToIso(116_444_736_000_000_001n)).toBe("1970-01-01T00:00:00.0000001Z");
  });
  it("reads back what it prints", () => {
    expect(isoToTicks("2017-10-23T04:05:31.6476643Z")).toBe(isoToTicks("2017-10-23T04:05:31Z") + 6_476_643n);
    expect(ticksToIso(isoToTicks("2017-10-23T04:05:31.6476643Z"))).toBe("2017-10-23T04:05:31.6476643Z");
    expect(() => isoToTicks("yesterday")).toThrow(RangeError);
  });
  it("converts microseconds", () => {
    expect(microsecondsToTicks(1.26)).toBe(13n);
    expect(ticksToMicroseconds(25n)).toBe(2.5);
  });
});
