import { expect, test } from "vitest";
import { remainingText } from "./remaining.ts";

test("what is left is shown in whole seconds, then in whole minutes", () => {
  expect([0.2, 1.4, 4.4, 89, 90, 150, 151].map(remainingText)).toEqual([
    "about 1\u2009s",
    "about 1\u2009s",
    "about 4\u2009s",
    "about 89\u2009s",
    "about 2\u2009min",
    "about 3\u2009min",
    "about 3\u2009min",
  ]);
});
