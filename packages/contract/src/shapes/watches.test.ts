import { expect, test } from "vitest";
import { WatchSeriesRequest } from "./watches.ts";

test("a series has times that are dates", () => {
  const isAccepted = (from: string, to: string): boolean =>
    WatchSeriesRequest.safeParse({ from, to, bins: "1" }).success;
  expect(isAccepted("1795000000000", "1795003600000")).toBe(true);
  expect(isAccepted("1795000000000", "1e300")).toBe(false);
  expect(isAccepted("-1e300", "1795003600000")).toBe(false);
});
