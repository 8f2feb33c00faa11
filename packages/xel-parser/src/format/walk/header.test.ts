/** Recognizing the begin of a file, of a buffer, and the end of the data (docs/reference/xel-format.md 2.1 and 2.2). */
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../index.ts";
import {
  canBeBuffer,
  fileVersion,
  firstBufferOffset,
  foreignVersion,
  isBufferHeader,
  isEndMark,
} from "./header.ts";

interface Fields {
  version: number;
  type: number;
  paddedLength: number;
  dataOffset: number;
  dataLength: number;
}
const SOUND: Fields = { version: 10, type: 0, paddedLength: 1024, dataOffset: 76, dataLength: 900 };

/** A header of 32 bytes after as many that must not be read. */
function headerOf(changed: Partial<Fields> = {}): DataView {
  const { version, type, paddedLength, dataOffset, dataLength } = { ...SOUND, ...changed };
  const view = new DataView(new ArrayBuffer(64));
  view.setUint16(32 + 12, version, true);
  view.setUint16(32 + 14, type, true);
  view.setUint32(32 + 16, paddedLength, true);
  view.setUint16(32 + 22, dataOffset, true);
  view.setUint32(32 + 24, dataLength, true);
  return view;
}

describe("a buffer may begin", () => {
  test.each<readonly [string, Partial<Fields>]>([
    ["with events", {}],
    ["with metadata", { type: 1 }],
    ["with data right behind the header", { dataOffset: 32 }],
    ["with nothing but its header", { paddedLength: 32, dataOffset: 32, dataLength: 0 }],
    ["with data up to its end", { dataLength: 1024 - 76 }],
    ["with a data length that cannot be true, which reading bounds", { dataLength: 0xffff_ffff }],
    ["as long as the limit", { paddedLength: DEFAULT_LIMITS.bufferBytes }],
  ])("%s", (_, changed) => {
    expect(isBufferHeader(headerOf(changed), 32)).toBe(true);
    expect(canBeBuffer(headerOf(changed), 32, DEFAULT_LIMITS, false)).toBe(true);
  });

  test.each<readonly [string, Partial<Fields>]>([
    ["with another version", { version: 11 }],
    ["with version 0", { version: 0 }],
    ["with another type", { type: 2 }],
    ["with data inside the header", { dataOffset: 31 }],
    ["shorter than its data offset", { paddedLength: 75 }],
    ["longer than the limit", { paddedLength: DEFAULT_LIMITS.bufferBytes + 1 }],
  ])("not %s", (_, changed) => {
    expect(isBufferHeader(headerOf(changed), 32)).toBe(false);
    expect(canBeBuffer(headerOf(changed), 32, DEFAULT_LIMITS, false)).toBe(false);
  });
});

describe("a buffer of another version", () => {
  test("is reported by its number, and read by force only", () => {
    const view = headerOf({ version: 11 });
    expect(foreignVersion(view, 32, DEFAULT_LIMITS)).toBe(11);
    expect(canBeBuffer(view, 32, DEFAULT_LIMITS, true)).toBe(true);
    expect(canBeBuffer(view, 32, DEFAULT_LIMITS, false)).toBe(false);
  });

  test.each<readonly [string, Partial<Fields>]>([
    ["version 10, which is ours", { version: 10 }],
    ["version 0, which zeros have", { version: 0 }],
    ["a type that is none", { version: 11, type: 2 }],
    ["no data", { version: 11, dataLength: 0 }],
    ["data beyond its end", { version: 11, dataLength: 1024 - 75 }],
  ])("is none with %s", (_, changed) => {
    expect(foreignVersion(headerOf(changed), 32, DEFAULT_LIMITS)).toBeUndefined();
  });

  test("may have data up to its end", () => {
    const whole = headerOf({ version: 11, dataLength: 1024 - 76 });
    expect(foreignVersion(whole, 32, DEFAULT_LIMITS)).toBe(11);
    expect(foreignVersion(headerOf({ version: 11, dataLength: 1 }), 32, DEFAULT_LIMITS)).toBe(11);
  });
});

test("the end: 20 zero bytes from the 12th on", () => {
  const view = new DataView(new ArrayBuffer(64));
  for (let at = 0; at < 12; at++) view.setUint8(32 + at, 0xee);
  expect(isEndMark(view, 32)).toBe(true);
  for (let at = 12; at < 32; at++) {
    view.setUint8(32 + at, 1);
    expect(isEndMark(view, 32)).toBe(false);
    view.setUint8(32 + at, 0);
  }
});

test("a file's first bytes and version", () => {
  const view = new DataView(Uint8Array.of(9, 0x5a, 0x37, 0xab, 0xef, 11, 0, 0, 2).buffer);
  expect(fileVersion(view, 1)).toBe(11);
  view.setUint8(4, 0xee);
  expect(fileVersion(view, 1)).toBeUndefined();
});

describe("a file's header", () => {
  const header = (version: number): Uint8Array => Uint8Array.of(0x5a, 0x37, 0xab, 0xef, version, 0, 0x34, 2);
  const codeOf = (bytes: Uint8Array, force?: boolean): unknown => {
    try {
      return firstBufferOffset(bytes, force);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test("says where the first buffer begins", () => {
    expect(codeOf(header(10))).toBe(0x234);
  });

  test("of another version is refused, unless it is to be tried", () => {
    expect(codeOf(header(11))).toBe("unsupported-version");
    expect(codeOf(header(11), false)).toBe("unsupported-version");
    expect(codeOf(header(11), true)).toBe(0x234);
  });

  test("may be empty, too short or another file's", () => {
    expect(codeOf(new Uint8Array(0))).toBe("empty-file");
    expect(codeOf(header(10).subarray(0, 7))).toBe("not-xel");
    expect(codeOf(Uint8Array.of(0x5a, 0x37, 0xab, 0xee, 10, 0, 0, 2))).toBe("not-xel");
  });
});
