import { expect, test } from "vitest";
import { CaptureRange, CaptureTime } from "./capture-time.ts";

test.each(["1e308", "-1e308", "9007199254740992", "Infinity", "NaN", "noon"])("%s is no instant", (text) => {
  expect(CaptureTime.safeParse(text).success).toBe(false);
});

test("instants are up to 285 years from the origin, either way, and ranges between two of them", () => {
  expect(CaptureTime.parse("-9007199254740991")).toBe(-9_007_199_254_740_991);
  expect(CaptureRange.parse(["-0.5", "9007199254740991"])).toEqual([-0.5, 9_007_199_254_740_991]);
  expect(CaptureRange.safeParse(["5", "5"]).success).toBe(false);
  expect(CaptureRange.safeParse(["-1e308", "1e308"]).success).toBe(false);
});
