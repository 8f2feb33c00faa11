import { expect, test } from "vitest";
import { decodeGlyph, encodeGlyph } from "./glyph.ts";

test("a glyph has the place and the level of each column: 0.1 ms is the lowest, 1 s the highest, no block none", () => {
  const text = encodeGlyph({
    slowest: Float64Array.of(Number.NaN, 1, 100, 10_000, 1_000_000, 60_000_000),
    place: ["none", "primary", "network", "secondary", "primary", "none"],
  });
  expect(text).toHaveLength(12);
  const glyph = decodeGlyph(text);
  expect(glyph?.place).toEqual(["none", "primary", "network", "secondary", "primary", "none"]);
  // 10 ms is halfway from 0.1 ms to 1 s.
  expect([...(glyph?.level ?? [])]).toEqual([0, 1, 1, 18, 35, 35]);
});

test.each(["p", "x1", "p!", "pA"])("text that is no glyph is none: %s", (text) => {
  expect(decodeGlyph(text)).toBeNull();
});
