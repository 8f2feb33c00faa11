import { expect, test } from "vitest";
import { withUniqueNames } from "./unique-names.ts";

test("files of the same name get different names, in their order", () => {
  const files = ["a.xel", "b.xel", "a.xel", "a.xel", "a.xel (2)"].map((name, id) => ({ name, id }));
  expect(withUniqueNames(files).map(({ file, uniqueName }) => [file.id, uniqueName])).toEqual([
    [0, "a.xel"],
    [1, "b.xel"],
    [2, "a.xel (2)"],
    [3, "a.xel (3)"],
    [4, "a.xel (2) (2)"],
  ]);
});
