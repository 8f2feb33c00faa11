import { describe, expect, test } from "vitest";
import { createXelWriter } from "../writer/index.ts";
import { buffersOf, joined } from "../../test/bytes.ts";
import { openXel, readXelBytes, splitXel, XelFormatError } from "./index.ts";

const HEADER_BYTES = 512;

/** A file of numbered events with this name of their column. */
function fileOf(column: string): Uint8Array {
  const events = [{ name: "e", columns: [{ name: column, type: "uint32" as const }] }];
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] }, { bufferBytes: 100 });
  for (let n = 0; n < 20; n++) writer.write("e", n, { [column]: n });
  return writer.finish();
}

const readerOf = (bytes: Uint8Array) => (offset: number, length: number) =>
  Promise.resolve(bytes.subarray(offset, offset + length));

test("each event is read by the metadata before it, in any order, however often that comes", async () => {
  const bytes = joined(
    fileOf("n0"),
    ...Array.from({ length: 9 }, (_, index) => fileOf(`n${index + 1}`).subarray(HEADER_BYTES)),
  );
  const { events, report } = readXelBytes(bytes);
  expect(report.metadata).toHaveLength(10);
  expect(events).toHaveLength(200);
  const file = await openXel(readerOf(bytes), bytes.length);
  for (let index = 0; index < 200; index++) {
    const { offset, fields } = events[(index * 37) % 200];
    expect((await file.eventAt(offset)).fields).toEqual(fields);
  }
});

describe("a file that has changed since it was read", () => {
  const bytes = fileOf("n");
  const { report } = readXelBytes(bytes);
  const [{ offset }] = report.metadata;

  test.each([
    ["is empty", new Uint8Array(0)],
    ["is shorter than its metadata", bytes.slice(0, offset + 10)],
    ["has other bytes there", bytes.slice().fill(0xee, offset, offset + 32)],
    [
      "has events there",
      joined(
        bytes.slice(0, HEADER_BYTES),
        ...buffersOf(bytes)
          .slice(1)
          .map((b) => b.bytes),
      ),
    ],
  ])("and %s is recognized by what is not there", async (_, changed) => {
    const opened = openXel(readerOf(changed), bytes.length, { metadata: report.metadata });
    await expect(opened).rejects.toMatchObject({ code: "bad-metadata", offset });
    await expect(opened).rejects.toBeInstanceOf(XelFormatError);
  });

  test("reads as far as it goes", async () => {
    const short = bytes.slice(0, buffersOf(bytes)[3].offset + 20);
    const file = await openXel(readerOf(short), bytes.length);
    const [first] = readXelBytes(bytes).events;
    expect((await file.eventAt(first.offset)).fields).toEqual({ n: 0 });
    await expect(file.eventAt(bytes.length - 40)).rejects.toBeInstanceOf(XelFormatError);
    const parts = await splitXel(readerOf(short), bytes.length, 20);
    expect(parts.at(-1)!.to).toBe(bytes.length);
  });
});

test("an event that is longer than the first piece read of it", async () => {
  const columns = [{ name: "text", type: "unicode_string" }] as const;
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  const lengths = [10, 32_000, 40_000, 300_000];
  for (const [n, length] of lengths.entries()) writer.write("e", n, { text: "x".repeat(length) });
  const bytes = writer.finish();
  const { events } = readXelBytes(bytes);
  const reads: number[] = [];
  const file = await openXel((offset, length) => {
    reads.push(length);
    return readerOf(bytes)(offset, length);
  }, bytes.length);
  for (const { offset, fields } of events) expect((await file.eventAt(offset)).fields).toEqual(fields);
  expect(Math.max(...reads)).toBeLessThan(bytes.length);
  // No more than the limit of a buffer is read.
  const limited = await openXel(readerOf(bytes), bytes.length, { limits: { bufferBytes: 64 * 1024 } });
  await expect(limited.eventAt(events[2].offset)).rejects.toMatchObject({ code: "bad-event" });
});

test.each([-1, 0.5, Number.NaN, 1e9])("no event can be at byte %d", async (offset) => {
  const bytes = fileOf("n");
  const file = await openXel(readerOf(bytes), bytes.length);
  await expect(file.eventAt(offset)).rejects.toMatchObject({ code: "bad-event", offset });
  await expect(file.eventAt(bytes.length)).rejects.toThrow(`it has ${bytes.length} bytes`);
});

test("where no event begins, the reason is damage with its offset", async () => {
  const bytes = fileOf("n");
  const [{ offset }] = readXelBytes(bytes).events;
  const file = await openXel(readerOf(bytes), bytes.length);
  await expect(file.eventAt(offset + 1)).rejects.toMatchObject({ code: "bad-event", offset: offset + 1 });
  await expect(file.eventAt(bytes.length - 3)).rejects.toMatchObject({ code: "bad-event" });
});

test("events of a file that was glued on are read by its own metadata and clock", async () => {
  const first = fileOf("n");
  const events = [{ name: "other", columns: [{ name: "text", type: "unicode_string" as const }] }];
  const writer = createXelWriter(
    { packages: [{ name: "p", id: 1, events }] },
    { startTicks: 130_000_000_000_000_000n },
  );
  writer.write("other", 5, { text: "of the second" });
  const bytes = joined(first, writer.finish());
  const { events: read, report } = readXelBytes(bytes);
  expect(report.metadata.map(({ restart }) => restart)).toEqual([undefined, true]);
  const file = await openXel(readerOf(bytes), bytes.length, { metadata: report.metadata });
  const last = await file.eventAt(read.at(-1)!.offset);
  expect([last.name, last.ticks, last.fields["text"]]).toEqual([
    "other",
    130_000_000_000_000_005n,
    "of the second",
  ]);
  expect((await file.eventAt(read[3].offset)).fields).toEqual({ n: 3 });
});
