import { expect, test } from "vitest";
import { ratePerSecond } from "./rate-per-second.ts";

test("a rate is per second, with a decimal below ten, and is none over less than a second", () => {
  expect(ratePerSecond(300, 3_000_000)).toBe("100");
  expect(ratePerSecond(9_999, 1_000_000)).toBe("9,999");
  expect(ratePerSecond(18, 3_000_000)).toBe("6.0");
  expect(ratePerSecond(99, 10_000_000)).toBe("9.9");
  expect(ratePerSecond(999, 100_000_000)).toBe("10");
  expect(ratePerSecond(0, 1_000_000)).toBe("0.0");
  expect(ratePerSecond(300, 999_999)).toBeNull();
});
