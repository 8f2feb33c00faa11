import { crc32 as crc32OfNode } from "node:zlib";
import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

test("is that of zips, whatever the length and however it comes in pieces", () => {
  // The check value in the CRC's definition for these nine digits.
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  const bytes = Uint8Array.from({ length: 1003 }, (_, index) => (index * 197) & 0xff);
  for (let length = 0; length <= bytes.length; length += 59) {
    const [head, tail] = [bytes.subarray(0, length), bytes.subarray(length)];
    expect(crc32(head)).toBe(crc32OfNode(head));
    expect(crc32(tail, crc32(head))).toBe(crc32OfNode(bytes));
  }
});
