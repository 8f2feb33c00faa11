import { expect, test } from "vitest";
import { MOST_RULERS, parseRulers, type Ruler, rulersText } from "./ruler.ts";

const ON_EDGES: Ruler = [
  { at: 68_177_504.5, edge: { side: "end", row: 17, lane: "hop0.wireBack" } },
  { at: 68_853_000, edge: { side: "start", row: 21, lane: "commit" } },
];
const FREE: Ruler = [
  { at: 5_000, edge: null },
  { at: 2_000, edge: null },
];

test("rulers come back from their text, free ones and those on edges", () => {
  expect(rulersText([ON_EDGES, FREE])).toBe("68177504.5e17-hop0.wireBack_68853000s21-commit*5000_2000");
  expect(parseRulers(rulersText([ON_EDGES, FREE]))).toEqual([ON_EDGES, FREE]);
  expect(parseRulers("")).toEqual([]);
});

test("what makes no sense is left out", () => {
  expect(parseRulers("5_x*1_2_3*7*1_2")).toEqual([
    [
      { at: 1, edge: null },
      { at: 2, edge: null },
    ],
  ]);
  expect(parseRulers("1s2-<b>_2")).toEqual([]);
  expect(
    parseRulers(
      Array(MOST_RULERS + 3)
        .fill("1_2")
        .join("*"),
    ),
  ).toHaveLength(MOST_RULERS);
});
