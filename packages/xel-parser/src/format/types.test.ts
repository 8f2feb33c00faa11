import { describe, expect, test } from "vitest";
import { BaseType } from "./constants.ts";
import { fixedValue, mapCode, mapText, variableValue } from "./types.ts";

function viewOf(...bytes: number[]): DataView {
  return new DataView(Uint8Array.from(bytes).buffer);
}

// Rules and examples of docs/reference/xel-format.md 5.
describe("maps", () => {
  const plain = { name: "m", size: 2, bitmask: false, texts: new Map([[0, "OK"], [1, ""]]) }; // prettier-ignore
  const mask = { name: "m", size: 4, bitmask: true, texts: new Map([[0, "none"], [2, "two"], [1 << 31, "top"]]) }; // prettier-ignore

  test.each([
    [1, [0xff, 0, 0, 0], 255],
    [2, [0xf1, 0xff, 0, 0], -15],
    [4, [0xff, 0xff, 0xff, 0xff], -1],
    [8, [5, 0, 0, 0, 1, 0, 0, 0], 5],
  ])("a value of %i bytes", (size, bytes, code) => {
    expect(mapCode(viewOf(...bytes), 0, size)).toBe(code);
  });

  test("a plain map gives its text, or the number where it has none", () => {
    expect([0, 1, -15].map((code) => mapText(plain, code))).toEqual(["OK", "", "-15"]);
  });

  test("a bit mask joins its bits, with the whole number for a bit without text", () => {
    expect([0, 2, 7].map((code) => mapText(mask, code))).toEqual(["", "two", "7,two,7"]);
  });

  test("bit 31 ends, unlike in the reference reader", () => {
    expect(mapText(mask, 1 << 31)).toBe("top");
  });
});

describe("values", () => {
  test("int8 is unsigned", () => {
    expect(fixedValue(viewOf(0xff), 0, BaseType.int8, 8)).toBe(255);
  });

  test("a pointer is written in the capture's pointer size", () => {
    const view = viewOf(0xab, 0, 0, 0, 0, 0, 0, 0x10);
    expect(fixedValue(view, 0, BaseType.pointer, 8)).toBe("0x10000000000000AB");
    expect(fixedValue(view, 0, BaseType.pointer, 4)).toBe("0x000000AB");
  });

  test("a FILETIME beyond the calendar stays a number", () => {
    expect(fixedValue(viewOf(255, 255, 255, 255, 255, 255, 255, 255), 0, BaseType.filetime, 8)).toBe(-1n);
  });

  test("text: ASCII only, lone surrogates and odd bytes replaced, byte order marks and NULs kept", () => {
    expect(variableValue(viewOf(0x41, 0x80, 0), 0, 3, BaseType.ansiString)).toBe("A?\0");
    expect(variableValue(viewOf(0xff, 0xfe, 0x41, 0), 0, 4, BaseType.unicodeString)).toBe("\ufeffA");
    expect(variableValue(viewOf(0, 0xd8, 0x41, 0), 0, 4, BaseType.unicodeString)).toBe("\ufffdA");
    expect(variableValue(viewOf(0x41, 0, 0x42), 0, 3, BaseType.xml)).toBe("A\ufffd");
  });

  test("a call stack drops a rest below 8 bytes", () => {
    expect(variableValue(viewOf(1, 0, 0, 0, 0, 0, 0, 0, 9), 0, 9, BaseType.callstack)).toBe(
      "0x0000000000000001\r\n",
    );
  });

  test("a length outside the buffer is refused", () => {
    expect(() => variableValue(viewOf(1, 2), 1, 2, BaseType.binary)).toThrow(RangeError);
  });
});
