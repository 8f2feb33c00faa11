import { expect, test } from "vitest";
import { cutMiddle } from "./cut-middle.ts";

/** Each letter is 6 px wide, an i 2 px, the ellipsis 8 px. */
const cutOf = (text: string, available: number, kept = 8): string =>
  cutMiddle(text, {
    widthOf: (from, to) => 2 * text.slice(from, to).replaceAll(/[^i]/gu, "iii").length,
    available,
    kept,
    dots: 8,
  });

test("keeps the end as long as one letter of the beginning is left, then the beginning", () => {
  // 100 - 8 = 92 px: 8 letters of the end are 48 px, and 44 px have 7 letters.
  expect(cutOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 100)).toBe("ABCDEFG…STUVWXYZ");
  // 42 px: one letter, and 6 of the end.
  expect(cutOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 50)).toBe("A…UVWXYZ");
  expect(cutOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 100, 3)).toBe("ABCDEFGHIJKL…XYZ");
});

test("uses the width of each letter, so that no gap of a letter is left", () => {
  // 44 px for the beginning: i takes 2 px.
  expect(cutOf("iiiiiiiiiiiiiiiiiiiiiiiiiiSTUVWXYZ", 100)).toBe(`${"i".repeat(22)}…STUVWXYZ`);
});

test("a text that is cut loses one letter at least, and keeps one of each side", () => {
  expect(cutOf("ABCDEFGH", 500)).toBe("ABC…EFGH");
  expect(cutOf("ABCDEFGH", 0)).toBe("A…H");
});
