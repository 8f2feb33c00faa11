/**
 * Role of a row of a live stream in a file that is made of the stream (docs/reference/xel-format.md 2.1, 2.2 and 7).
 */
import { expect, test } from "vitest";
import { buffersOf, joined, viewOf } from "../../test/bytes.ts";
import { plainFileHeader, readXelBytes, rowInFile } from "./index.ts";
import { createXelWriter } from "../writer/index.ts";

const columns = [{ name: "n", type: "uint8" }] as const;
const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
writer.write("e", 7, { n: 5 });
const file = writer.finish();
const [metadata, events] = buffersOf(file).map(({ bytes }) => bytes);

test("a row of type 2 is the header, whatever it holds", () => {
  expect(rowInFile({ type: 2, data: file.subarray(0, 512) })).toBe("header");
  expect(rowInFile({ type: 2, data: events })).toBe("header");
});

test.each([0, 1, 3, 9])("in a row of type %i the buffer's own type decides", (type) => {
  expect(rowInFile({ type, data: metadata })).toBe("metadata");
  expect(rowInFile({ type, data: events })).toBe("buffer");
});

test("a buffer of another version or type is kept: readers step over it", () => {
  const odd = events.slice();
  viewOf(odd).setUint16(14, 3, true);
  expect(rowInFile({ type: 0, data: odd })).toBe("buffer");
  viewOf(odd).setUint16(12, 11, true);
  expect(rowInFile({ type: 0, data: odd })).toBe("buffer");
});

test("what would end a file has no place in it: less than a header, and a header of zeros", () => {
  expect(rowInFile({ type: 0, data: new Uint8Array(0) })).toBe("none");
  expect(rowInFile({ type: 0, data: events.subarray(0, 31) })).toBe("none");
  expect(rowInFile({ type: 0, data: events.subarray(0, 32) })).toBe("buffer");
  for (const length of [32, 512]) expect(rowInFile({ type: 0, data: new Uint8Array(length) })).toBe("none");
  // The first 12 bytes of a header have no meaning.
  expect(rowInFile({ type: 1, data: new Uint8Array(512).fill(0xee, 0, 12) })).toBe("none");
});

test("a row that lies in larger memory is read at its place", () => {
  const memory = joined(new Uint8Array(40).fill(1), metadata);
  expect(rowInFile({ type: 0, data: memory.subarray(40) })).toBe("metadata");
});

test("a plain header makes a file of the buffers", () => {
  const header = plainFileHeader();
  expect(Array.from(header.subarray(0, 8))).toEqual([0x5a, 0x37, 0xab, 0xef, 10, 0, 0, 2]);
  expect(header).toHaveLength(512);
  expect(header.subarray(8).every((byte) => byte === 0)).toBe(true);
  const { events: read, report } = readXelBytes(joined(header, metadata, events));
  expect(report.clean).toBe(true);
  expect(read.map(({ fields }) => fields["n"])).toEqual([5]);
});
