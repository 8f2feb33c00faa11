import { describe, expect, test } from "vitest";
import { isClutter, shownName } from "./entry-name.ts";

describe("the name of an upload or entry", () => {
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
    expect(shownName(sent)).toEqual({ name, folder, path });
  });

  test.each(["", ".", "..", "/", "../..", "\u0000", " "])("%j is none", (sent) => {
    expect(shownName(sent)).toBeNull();
  });

  test("that is very long keeps its end, where extension and number are", () => {
    const end = `${"x".repeat(196)}.xel`;
    expect(shownName(end)?.name).toBe(end);
    expect(shownName(`y${end}`)?.name).toBe(`…${end}`);
    expect(shownName(`${"d".repeat(300)}/a.xel`)?.folder).toHaveLength(201);
  });
});

test("a path keeps the folders next to the file", () => {
  const deep = (count: number): string =>
    `${Array.from({ length: count }, (_, i) => `f${count - i}`).join("/")}/a.xel`;
  expect(shownName(deep(8))?.path).toBe("f8/f7/f6/f5/f4/f3/f2/f1");
  expect(shownName(deep(9))?.path).toBe("f8/f7/f6/f5/f4/f3/f2/f1");
  expect(shownName(`${"d/".repeat(30_000)}a.xel`)?.path).toHaveLength(15);
});

test("what archivers add is no file of the user's", () => {
  const names = [
    "__MACOSX/._a.xel",
    "SQL2/.DS_Store",
    "Thumbs.db",
    "a/desktop.ini",
    "a.xel",
    "DS_Store",
    "my.DS_Store",
  ];
  expect(names.filter(isClutter)).toEqual([
    "__MACOSX/._a.xel",
    "SQL2/.DS_Store",
    "Thumbs.db",
    "a/desktop.ini",
  ]);
});
