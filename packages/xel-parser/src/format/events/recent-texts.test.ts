import { describe, expect, test } from "vitest";
import { BaseType } from "../constants.ts";
import { RecentTexts } from "./recent-texts.ts";

/** Bytes at an odd place of a view, with others around them. */
function placed(bytes: Uint8Array): { view: DataView; at: number } {
  const all = new Uint8Array(bytes.length + 8).fill(0x7a);
  all.set(bytes, 3);
  return { view: new DataView(all.buffer), at: 3 };
}

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf16le"));
const ansi = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

function textOf(texts: RecentTexts, bytes: Uint8Array, type: number): string {
  const { view, at } = placed(bytes);
  return texts.textOf(view, at, bytes.length, type);
}

describe("texts of bytes, the first time and again", () => {
  // The same first, middle and last characters, so that all share one slot.
  const alike = Array.from({ length: 40 }, (_, count) => `login${count + 10}middle${count + 10}login`);
  const longest = "x".repeat(512);

  test.each([
    ["empty", [""]],
    ["shorter than a word", ["a", "b", "a"]],
    ["of lengths beside each other", ["ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"]],
    ["alike", alike],
    ["up to the longest that is kept, and longer", [longest, `${longest}y`, `${longest.slice(1)}z`]],
    ["with characters of two units", ["\u{1f600}".repeat(5), `\ufeff${"\u{1f600}".repeat(5)}`]],
  ])("%s", (_, all) => {
    const texts = new RecentTexts();
    for (const text of [...all, ...all, ...all.toReversed()]) {
      expect(textOf(texts, utf16(text), BaseType.unicodeString)).toBe(text);
      const plain = text.replaceAll(/[^\0-\u007f]/gu, "x");
      expect(textOf(texts, ansi(plain), BaseType.ansiString)).toBe(plain);
    }
  });

  test("the same bytes are another text as another type", () => {
    const texts = new RecentTexts();
    const bytes = ansi("abcdefgh");
    for (let turn = 0; turn < 2; turn++) {
      expect(textOf(texts, bytes, BaseType.ansiString)).toBe("abcdefgh");
      expect(textOf(texts, bytes, BaseType.unicodeString)).toBe("\u6261\u6463\u6665\u6867");
      expect(textOf(texts, bytes, BaseType.xml)).toBe("\u6261\u6463\u6665\u6867");
    }
  });

  test("a difference of any one byte makes another text", () => {
    const texts = new RecentTexts();
    const bytes = ansi("a login name of 27 letters");
    for (let index = 0; index < bytes.length; index++) {
      const other = bytes.with(index, 0x21);
      expect(textOf(texts, bytes, BaseType.ansiString)).toBe("a login name of 27 letters");
      expect(textOf(texts, other, BaseType.ansiString)).toBe(Buffer.from(other).toString("latin1"));
    }
  });
});

test("bytes that were read may be written again", () => {
  const texts = new RecentTexts();
  const { view, at } = placed(ansi("ANN@PC7"));
  expect(texts.textOf(view, at, 7, BaseType.ansiString)).toBe("ANN@PC7");
  view.setUint8(at, 0x62);
  expect(texts.textOf(view, at, 7, BaseType.ansiString)).toBe("bNN@PC7");
  expect(textOf(texts, ansi("ANN@PC7"), BaseType.ansiString)).toBe("ANN@PC7");
});
