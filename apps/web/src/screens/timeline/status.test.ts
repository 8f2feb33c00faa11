import { expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import { clockWords } from "./status.tsx";

const words = (more: Parameters<typeof summaryOf>[0] = {}): string =>
  clockWords("aligned", new Map(), summaryOf(more));

test("times are on the primary's clock", () => {
  expect(words()).toBe("Times on the primary's clock");
});

test("a server whose clock cannot be aligned is not said to be on it", () => {
  const [clock] = summaryOf().clocks;
  expect(words({ clocks: [{ ...clock, status: "cannotAlign", strictUncertaintyUs: null }] })).toBe(
    "SQL2 not on the primary's clock: placed by UTC",
  );
});
