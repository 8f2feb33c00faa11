import { expect, test } from "vitest";
import { labelledTicks } from "./path-axis.tsx";

test("of many ticks every second one has a label, so that none runs into the next", () => {
  const ms = (...each: number[]): number[] => each.map((n) => n * 1_000);
  expect(labelledTicks(ms(200, 400, 600, 800, 1_000, 1_200, 1_400))).toEqual(ms(400, 800, 1_200));
  expect(labelledTicks(ms(20, 40, 60, 80, 100))).toEqual(ms(20, 40, 60, 80, 100));
});
