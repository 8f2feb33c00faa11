import { expect, it } from "vitest";
import { clockWindow } from "../../../test/clock-window.ts";
import { alongWay } from "./counter-way.ts";

/** Set 500 µs ahead, and 900 from 1,000 µs on. */
const windows = [clockWindow(0, 500, 1_000), clockWindow(1_000, 900, 1_000)];

it.each([
  ["nothing where the counters are one", [], 1_200, 1_200],
  ["a constant", [{ by: -30 }], 1_200, 1_170],
  ["the window that saw the other counter's instant", [{ toFirst: windows }], 1_950, 1_050],
  ["the window of the first counter's instant", [{ toOther: windows }], 1_200, 2_100],
  ["each step after the one before", [{ toOther: windows }, { by: -30 }, { toFirst: windows }], 1_200, 1_170],
])("is by %s", (_, way, at, expected) => {
  expect(alongWay(way)(at)).toBe(expected);
});

it("is there for another thread too", () => {
  expect(alongWay(structuredClone([{ toFirst: windows }]))(1_950)).toBe(1_050);
});
