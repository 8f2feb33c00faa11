/**
 * Cases that are neither in the reference files nor in the round trips; the rules are those of
 * docs/reference/xel-format.md.
 */
import { expect, test } from "vitest";
import { joined, placeOf } from "../../test/bytes.ts";
import { readXel, readXelBytes, type XelEvent } from "./index.ts";
import { createXelWriter, type WriterColumn, type WriterValues } from "../writer/index.ts";

const HEADER_BYTES = 512;
const START = 131_069_746_150_000_000n;

/** A file whose one package has the event `sample` with these columns. */
function fileOf(columns: readonly WriterColumn[], events: readonly WriterValues[], startTicks = START) {
  const writer = createXelWriter(
    { packages: [{ name: "test", id: 1, events: [{ name: "sample", columns }] }] },
    { startTicks },
  );
  for (const [index, values] of events.entries()) writer.write("sample", index, values);
  return writer.finish();
}

test("a string of five million characters, from chunks smaller than it", async () => {
  const text = "ab\u{1f4be}\0d".repeat(833_334);
  const bytes = fileOf([{ name: "text", type: "unicode_string" }], [{ text }, { text: "" }]);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
  }
  const events: XelEvent[] = [];
  for await (const event of readXel(chunks())) events.push(event);
  expect(events).toHaveLength(2);
  expect(events[0].fields["text"] === text).toBe(true);
  expect(events[1].fields).toEqual({ text: "" });
});

// docs/reference/xel-format.md 3.4: a redefined event is read by the new layout from there on; the first clock of a package stays.
test("metadata later in the file redefines an event, and keeps the package's clock", () => {
  const first = fileOf([{ name: "a", type: "uint32" }], [{ a: 7 }]);
  const later = fileOf([{ name: "b", type: "boolean" }, { name: "a", type: "uint16" }], [{ a: 8, b: true }], 5n); // prettier-ignore
  const { events, report } = readXelBytes(joined(first, later.subarray(HEADER_BYTES)));
  expect(report).toMatchObject({ clean: true, events: 2 });
  expect(events.map(({ fields }) => fields)).toEqual([{ a: 7 }, { b: true, a: 8 }]);
  expect(events.map(({ ticks }) => ticks)).toEqual([START, START]);
});

/** Sets start and frequency of package `test`, the second record of the metadata buffer (docs/reference/xel-format.md 3.1). */
function withClock(bytes: Uint8Array, start: bigint, frequency: bigint): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const base = HEADER_BYTES + view.getUint16(HEADER_BYTES + 22, true);
  const record = base + view.getUint32(base + 2, true);
  view.setBigInt64(record + 32, start, true);
  view.setBigUint64(record + 40, frequency, true);
  return bytes;
}

// docs/reference/xel-format.md 6: the clock is that of the event's own package. 3 ticks at 1 MHz are 30 units of 100 ns.
test.each([
  [1_000_000n, 30n],
  [2_343_750n, 12n], // 3 * 10^7 / 2343750 = 12.8, cut off
  [0n, 3n],
])("ticks of a clock of %i Hz that differs from package0's", (frequency, elapsed) => {
  const events = [{ a: 0 }, { a: 1 }, { a: 2 }, { a: 3 }];
  const bytes = withClock(fileOf([{ name: "a", type: "uint8" }], events), 1000n, frequency);
  expect(readXelBytes(bytes).events[3].ticks).toBe(1000n + elapsed);
});

// docs/reference/xel-format.md 1: package ids up to 1023, and indices of objects far larger than in a session.
test("the last package id, and many packages in one file", () => {
  const packages = [...Array(40).keys()].map((id) => ({
    name: `package${id}`,
    id: id === 39 ? 1023 : id,
    events: [{ name: `event${id}`, columns: [{ name: "n", type: "uint8" as const }] }],
  }));
  const writer = createXelWriter({ packages });
  for (const [n, { events }] of packages.entries()) writer.write(events[0].name, n, { n });
  const { events } = readXelBytes(writer.finish());
  expect(events.map(({ name, package: owner, fields }) => [name, owner, fields["n"]])).toEqual(
    packages.map(({ name, events: [event] }, n) => [event.name, name, n]),
  );
});

// docs/reference/xel-format.md 5.1: types that no event of the reference reader has. Their fields are skipped, the
// others are read.
test.each([0, 14, 15, 16, 17, 18])("a column of base type %i, which has no known value", (type) => {
  const bytes = fileOf(
    [
      { name: "before", type: "uint8" },
      { name: "odd", type: "uint64" },
      { name: "after", type: "uint16" },
    ],
    [
      { before: 1, odd: 2, after: 3 },
      { before: 4, odd: 5, after: 6 },
    ],
  );
  const at = placeOf(bytes, "odd");
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at - 4, 0x6000_0000 | (type << 10), true);
  const { events, report } = readXelBytes(bytes);
  expect(report.clean).toBe(true);
  expect(events.map(({ fields }) => ({ ...fields }))).toEqual([
    { before: 1, after: 3 },
    { before: 4, after: 6 },
  ]);
});
