import { expect, test } from "vitest";
import { filesOfText, filesText } from "./files-of-link.ts";

const file = (name: string, digit: string, size = 5) => ({ name, size, sha256: digit.repeat(64) });

test("files of a link are read back with the beginning of their SHA-256", () => {
  const files = [file("SQL1_0_1.2.xel", "a", 77_211_648), file("ü b*.xel", "0")];
  expect(filesOfText(filesText(files))).toEqual([
    { name: "SQL1_0_1.2.xel", size: 77_211_648, sha256: "aaaaaaaaaaaa" },
    { name: "ü b_.xel", size: 5, sha256: "000000000000" },
  ]);
});

test("of many files a link has no names", () => {
  const many = Array.from({ length: 61 }, (_, index) => file(`${index}.xel`, "b"));
  expect(filesOfText(filesText(many))?.every(({ name }) => name === "")).toBe(true);
  expect(filesOfText(filesText(many.slice(1)))?.every(({ name }) => name !== "")).toBe(true);
});

test.each([
  "",
  "x",
  "aaaa.5.a.xel",
  "aaaaaaaaaaaa.x.a",
  "aaaaaaaaaaaa.-1.a",
  "aaaaaaaaaaaa.5.a*",
  `aaaaaaaaaaaa.5.${"n".repeat(129)}`,
])("what no link says is nothing: %s", (text) => expect(filesOfText(text)).toBeNull());
