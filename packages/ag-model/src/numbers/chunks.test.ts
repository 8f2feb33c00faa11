import { expect, it } from "vitest";
import { inChunks } from "./chunks.ts";

it.each([
  [0, []],
  [1, [[0, 1]]],
  [4_096, [[0, 4_096]]],
  [
    9_000,
    [
      [0, 4_096],
      [4_096, 8_192],
      [8_192, 9_000],
    ],
  ],
])("takes all of %i rows once, in their order", (length, wanted) => {
  const taken: number[][] = [];
  inChunks(length, ({ first, end }) => taken.push([first, end]));
  expect(taken).toEqual(wanted);
});
