import { expect, test } from "vitest";
import { guidIn, isTrue, numberOrNull, textOrNull } from "./poll-values.ts";

test("numbers come as numbers or as the text of a bigint; 0 is one, NULL is none", () => {
  expect([7, "7", "0", 0].map(numberOrNull)).toEqual([7, 7, 0, 0]);
  expect([null, undefined].map(numberOrNull)).toEqual([null, null]);
});

test("an empty text is none, and so is what is no text", () => {
  expect(["CONNECTED", "", null, 5].map(textOrNull)).toEqual(["CONNECTED", null, null, null]);
});

test("a bit is true as a boolean and as 1, and nothing else is", () => {
  expect([true, 1].map(isTrue)).toEqual([true, true]);
  expect([false, 0, 2, null, "1", "true"].map(isTrue)).toEqual(Array(6).fill(false));
});

test("a GUID is the same key in capitals and in small letters; what is no text has none", () => {
  expect(["A7F6CB00-0BB9", "a7f6cb00-0bb9"].map(guidIn)).toEqual(["a7f6cb00-0bb9", "a7f6cb00-0bb9"]);
  expect([null, 7].map(guidIn)).toEqual(["", ""]);
});
