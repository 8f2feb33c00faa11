import { expect, test } from "vitest";
import { countedWords } from "./counted-words.ts";

test("one of a noun has no s", () => {
  expect([0, 1, 1_079].map((n) => countedWords(n, "block"))).toEqual(["0 blocks", "1 block", "1,079 blocks"]);
});
