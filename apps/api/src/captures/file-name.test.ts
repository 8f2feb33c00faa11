import { describe, expect, test } from "vitest";
import { uploadedName, withUniqueNames } from "./file-name.ts";

describe("the name of an upload", () => {
  test.each([
    ["a.xel", "a.xel", null, ""],
    ["SQL2/a.xel", "a.xel", "SQL2", "SQL2"],
    ["night/SQL2/a.xel", "a.xel", "SQL2", "night/SQL2"],
    ["C:\\captures\\SQL2\\a.xel", "a.xel", "SQL2", "C:/captures/SQL2"],
    ["./a.xel", "a.xel", null, ""],
    ["SQL2/../a.xel", "a.xel", "SQL2", "SQL2"],
    ["/a.xel", "a.xel", null, ""],
    [" SQL2 / a b.xel ", "a b.xel", "SQL2", "SQL2"],
    ["a\u0000\u0007\u202e.xel", "a.xel", null, ""],
    // One letter, written in two ways.
    ["u\u0308.xel", "\u00fc.xel", null, ""],
  ])("%j is %j in %j, whole path %j", (sent, name, folder, path) => {
    expect(uploadedName(sent)).toEqual({ name, folder, path });
  });

  test.each(["", ".", "..", "/", "../..", "\u0000", " "])("%j is none", (sent) => {
    expect(uploadedName(sent)).toBeNull();
  });

  test("that is very long keeps its end, where extension and number are", () => {
    const end = `${"x".repeat(196)}.xel`;
    expect(uploadedName(end)?.name).toBe(end);
    expect(uploadedName(`y${end}`)?.name).toBe(`…${end}`);
    expect(uploadedName(`${"d".repeat(300)}/a.xel`)?.folder).toHaveLength(201);
  });
});

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
