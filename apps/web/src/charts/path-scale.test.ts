import { expect, test } from "vitest";
import { pathScale } from "./path-axis.tsx";

test("a scale of paths ends at a round number over the longest", () => {
  expect(pathScale([2_600, 57_000])).toEqual({
    to: 60_000,
    ticks: [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000],
  });
  expect(pathScale([2_600, 3_270]).to).toBe(3_500);
  expect(pathScale([]).to).toBe(1);
});
