import { expect, test } from "vitest";
import { pathScale } from "./path-scale.ts";

test("short paths beside long ones are enlarged, from an eighth of the width on they are not", () => {
  const { to, ticks, lens } = pathScale([2_600, 3_270], [57_000]);
  expect(to).toBe(60_000);
  expect(ticks).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(lens).toEqual({ to: 4_000, ticks: [0, 1_000, 2_000, 3_000, 4_000], factor: 15 });
  expect(pathScale([7_499], [60_000]).lens).not.toBeNull();
  expect(pathScale([7_500], [60_000]).lens).toBeNull();
});

test("without asynchronous replicas, or without a path, nothing is enlarged", () => {
  expect(pathScale([2_600, 3_270], [])).toMatchObject({ to: 3_500, lens: null });
  expect(pathScale([], [])).toMatchObject({ to: 1, lens: null });
  expect(pathScale([], [57_000]).lens).toBeNull();
});
