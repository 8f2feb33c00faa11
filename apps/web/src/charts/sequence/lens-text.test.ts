import { expect, test } from "vitest";
import { lensOffset, lensTitle } from "./lens-text.ts";

test("offsets keep their microseconds, far from the block's start too", () => {
  expect([0, 42, 999, 1_000, 658_546, -8].map(lensOffset)).toEqual([
    "+0\u2009µs",
    "+42\u2009µs",
    "+999\u2009µs",
    "+1.000\u2009ms",
    "+658.546\u2009ms",
    "−8\u2009µs",
  ]);
});

test("an acknowledgment that released nothing is taken, not the last that happened", () => {
  const names = { primary: "SQL1", secondary: "SQL2" };
  const lens = { events: [], from: 0, to: 0, length: 84, hidden: 0 } as const;
  expect(lensTitle({ ...lens, key: "ack" }, names)).toBe("SQL1 takes the ack of SQL2, 84\u2009µs");
  expect(lensTitle({ ...lens, key: "release" }, names)).toBe("Last 84\u2009µs on SQL1");
});
