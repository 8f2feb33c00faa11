import { expect, test } from "vitest";
import { inChunks } from "../../test/bytes.ts";
import {
  decodeColumns,
  decodePart,
  joinReports,
  splitXel,
  transferablesOf,
  type ColumnRequest,
  type EventBatch,
} from "./index.ts";
import { createXelWriter } from "../writer/index.ts";

const REQUEST: ColumnRequest = {
  events: [{ name: "tick", kind: 3, fields: [{ field: "number", column: "number" }, { field: "name", column: "name" }] }], // prettier-ignore
  columns: [
    { name: "number", type: "int" },
    { name: "name", type: "text" },
  ],
};

const EVENTS = 500;
const HEADER_BYTES = 512;

/** Numbered events in many small buffers. */
function fileOfEvents(): Uint8Array {
  const columns = [{ name: "number", type: "int64" }, { name: "name", type: "unicode_string" }] as const; // prettier-ignore
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 2, events: [{ name: "tick", columns }] }] },
    { bufferBytes: 600 },
  );
  for (let i = 0; i < EVENTS; i++) writer.write("tick", i, { number: i, name: `n${i % 7}` });
  return writer.finish();
}

/** Offset, number and name of each event. */
function rowsOf({ length, offset, columns, dictionaries }: EventBatch): (number | string)[][] {
  return Array.from({ length }, (_, i) => {
    const name = dictionaries["name"][Number(columns["name"][i])];
    return [offset[i], Number(columns["number"][i]), name];
  });
}

async function readInParts(file: Uint8Array, count: number) {
  const read = (offset: number, length: number) => Promise.resolve(file.slice(offset, offset + length));
  const parts = await splitXel(read, file.length, count);
  const results = [];
  for (const part of parts) {
    results.push(await decodePart(inChunks(file.subarray(part.from, part.to), 1000), part, REQUEST));
  }
  return {
    parts,
    rows: results.flatMap(({ columns }) => rowsOf(columns)),
    report: joinReports(results.map(({ report }) => report)),
  };
}

test.each([1, 2, 3, 7])("%d parts together hold what the whole file holds", async (count) => {
  const file = fileOfEvents();
  const whole = await decodeColumns(inChunks(file, 1000), REQUEST);
  const { parts, rows, report } = await readInParts(file, count);
  expect(parts.length).toBe(count);
  expect(rows.map(([, number]) => number)).toEqual(Array.from({ length: EVENTS }, (_, i) => i));
  expect(rows).toEqual(rowsOf(whole.columns));
  expect(report).toEqual(whole.report);
});

test("a file of one event buffer is one part, however many are asked for", async () => {
  const file = fileOfEvents();
  const first = HEADER_BYTES + new DataView(file.buffer).getUint32(HEADER_BYTES + 16, true);
  const { rows } = await readInParts(file.slice(0, first), 4);
  expect(rows).toEqual([]);
});

test("metadata that comes later in the file is given to the parts behind it", async () => {
  const file = fileOfEvents();
  const length = new DataView(file.buffer).getUint32(HEADER_BYTES + 16, true);
  const metadata = file.slice(HEADER_BYTES, HEADER_BYTES + length);
  const repeated = Uint8Array.of(...file.slice(0, HEADER_BYTES + length), ...metadata, ...file.slice(HEADER_BYTES + length)); // prettier-ignore
  const whole = await decodeColumns(inChunks(repeated, 1000), REQUEST);
  const { rows, report } = await readInParts(repeated, 3);
  expect(rows).toEqual(rowsOf(whole.columns));
  expect(report.metadata.length).toBe(2);
});

test("from damage on, all is the last part's, which goes on behind it", async () => {
  const file = fileOfEvents();
  file.fill(0xee, 5000, 5600);
  const whole = await decodeColumns(inChunks(file, 1000), REQUEST);
  const { rows, report } = await readInParts(file, 4);
  expect(rows.length).toBeGreaterThan(EVENTS / 2);
  expect(rows).toEqual(rowsOf(whole.columns));
  expect(report).toEqual(whole.report);
});

test("a part is read by the metadata before it only: what redefines an event later does not count yet", async () => {
  const pieces = (type: "uint32" | "uint16"): Uint8Array[] => {
    const made: Uint8Array[] = [];
    const columns = [{ name: "pad", type }, { name: "number", type: "int64" }, { name: "name", type: "unicode_string" }] as const; // prettier-ignore
    const writer = createXelWriter(
      { packages: [{ name: "sqlserver", id: 2, events: [{ name: "tick", columns }] }] },
      { bufferBytes: 1, onBuffer: (bytes) => made.push(bytes.slice()) },
    );
    for (let i = 0; i < 20; i++) writer.write("tick", i, { number: i, name: "n" });
    writer.finish();
    return made;
  };
  const [header, first, ...events] = pieces("uint32");
  const [, second, ...more] = pieces("uint16");
  const file = Uint8Array.from([header, first, ...events, second, ...more].flatMap((bytes) => [...bytes]));
  const whole = await decodeColumns(inChunks(file, 1000), REQUEST);
  const { parts, rows } = await readInParts(file, 4);
  expect(parts).toHaveLength(4);
  expect(rows.map(([, number]) => number)).toEqual([...Array(20).keys(), ...Array(20).keys()]);
  expect(rows).toEqual(rowsOf(whole.columns));
  expect(parts.map(({ metadata }) => metadata.length)).toEqual([0, 1, 1, 2]);
});

test("parts are cut where buffers begin, each at its share of the file or right behind it", async () => {
  const file = fileOfEvents();
  const read = (offset: number, length: number) => Promise.resolve(file.slice(offset, offset + length));
  const parts = await splitXel(read, file.length, 3);
  const view = new DataView(file.buffer);
  const starts: number[] = [];
  for (let at = HEADER_BYTES; at < file.length; at += view.getUint32(at + 16, true)) starts.push(at);
  const cut = (share: number): number => starts.find((at) => at >= file.length * share)!;
  expect(parts.map(({ from, to }) => [from, to])).toEqual([
    [0, cut(1 / 3)],
    [cut(1 / 3), cut(2 / 3)],
    [cut(2 / 3), file.length],
  ]);
});

test("joined reports add up, and the last part says whether the file is unfinished", () => {
  const report = { fileSize: 10, events: 1, gaps: [], clean: true, metadata: [] };
  const gap = { code: "bad-event", offset: 5, bytes: 1, message: "One." } as const;
  const lost = { ...report, fileSize: 20, events: 2, gaps: [gap], unlistedGaps: 3, clean: false };
  expect(joinReports([report, report])).toEqual({ ...report, events: 2 });
  expect(joinReports([lost, report, lost])).toEqual({
    fileSize: 20,
    events: 5,
    gaps: [gap, gap],
    unlistedGaps: 6,
    clean: false,
    metadata: [],
  });
  expect(joinReports([report, { ...report, unfinished: true }]).unfinished).toBe(true);
  expect(joinReports([{ ...report, unfinished: true }, report]).unfinished).toBeUndefined();
  expect(joinReports([])).toEqual({ ...report, fileSize: 0, events: 0 });
});

test("the memory of a batch is that of all its columns, each once", async () => {
  const { columns: batch } = await decodeColumns(inChunks(fileOfEvents(), 1000), REQUEST);
  const memory = transferablesOf(batch);
  expect(new Set(memory).size).toBe(5);
  structuredClone(batch, { transfer: memory });
  expect([batch.kind, batch.ticks, batch.offset, ...Object.values(batch.columns)].map(({ length }) => length)).toEqual([0, 0, 0, 0, 0]); // prettier-ignore
});
