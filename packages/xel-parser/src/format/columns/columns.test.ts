import { describe, expect, test } from "vitest";
import { buffersOf, viewOf } from "../../../test/bytes.ts";
import { ColumnDecoder } from "./columns.ts";
import {
  ABSENT_INT,
  decodeColumns,
  openColumnStream,
  readXelBytes,
  type ColumnRequest,
  type EventBatch,
} from "../index.ts";
import { Schema } from "../metadata.ts";
import { createXelWriter, type WriterValue } from "../../writer/index.ts";

const REQUEST: ColumnRequest = {
  events: [
    { name: "sized", kind: 1, fields: [{ field: "size", column: "size" }, { field: "name", column: "name" }] }, // prettier-ignore
    { name: "bare", kind: 2, fields: [] },
  ],
  columns: [
    { name: "size", type: "int" },
    { name: "name", type: "text" },
  ],
};

type Row = { readonly size: WriterValue; readonly name: string } | null;

/** A file with one event per row: `sized`, or `bare` for null; with an unrequested event between rows. */
function fileOf(rows: readonly Row[]): Uint8Array {
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 2,
          events: [
            { name: "sized", columns: [{ name: "size", type: "int64" }, { name: "name", type: "unicode_string" }] }, // prettier-ignore
            { name: "bare", columns: [{ name: "size", type: "int64" }] },
            { name: "unwanted", columns: [{ name: "name", type: "unicode_string" }] },
          ],
        },
      ],
    },
    { bufferBytes: 100_000 },
  );
  for (const [tick, row] of rows.entries()) {
    if (row === null) writer.write("bare", tick, { size: 7 });
    else writer.write("sized", tick, row);
    writer.write("unwanted", tick, { name: "x" });
  }
  return writer.finish();
}

async function batchOf(rows: readonly Row[]): Promise<EventBatch> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield fileOf(rows);
  }
  const { columns, report } = await decodeColumns(chunks(), REQUEST);
  expect(report.events).toBe(rows.length * 2);
  return columns;
}

test("whole numbers take 32 bits while they fit, and say where the event lacks the field", async () => {
  const { columns, kind } = await batchOf([{ size: 5, name: "" }, null, { size: 2_147_483_647, name: "" }]);
  expect(columns["size"]).toEqual(Int32Array.of(5, ABSENT_INT, 2_147_483_647));
  expect([...kind]).toEqual([1, 2, 1]);
});

test.each([[2_147_483_648], [-2_147_483_648]])("%d makes the whole column doubles", async (wide) => {
  const { columns } = await batchOf([{ size: 5, name: "" }, null, { size: BigInt(wide), name: "" }]);
  expect(columns["size"]).toEqual(Float64Array.of(5, Number.NaN, wide));
});

test("many rows keep their order, also when only the last needs the wide form", async () => {
  const many = 70_001;
  const rows: Row[] = Array.from({ length: many }, (_, i) =>
    i % 3 === 0 ? null : { size: i === many - 1 ? 3_000_000_000n : BigInt(i), name: `n${i % 5}` },
  );
  const { length, columns, dictionaries, ticks, offset } = await batchOf(rows);
  expect(length).toBe(many);
  const sizes = columns["size"];
  expect(sizes).toBeInstanceOf(Float64Array);
  const wrong = rows.findIndex((row, i) => {
    const size = row === null ? Number.NaN : Number(row.size);
    const name = row === null ? "" : row.name;
    return !Object.is(sizes[i], size) || dictionaries["name"][Number(columns["name"][i])] !== name;
  });
  expect(wrong).toBe(-1);
  expect(ticks.findIndex((at, i) => i > 0 && at !== ticks[i - 1] + 1n)).toBe(-1);
  expect(offset.findIndex((at, i) => i > 0 && at <= offset[i - 1])).toBe(-1);
});

test("indices take 8 bits for up to 255 texts and 16 beyond", async () => {
  const named = (count: number): Row[] =>
    Array.from({ length: count }, (_, i) => ({ size: 1, name: `n${i}` }));
  expect((await batchOf(named(255))).columns["name"]).toBeInstanceOf(Uint8Array);
  const { columns, dictionaries } = await batchOf(named(600));
  expect(columns["name"]).toBeInstanceOf(Uint16Array);
  expect(dictionaries["name"][Number(columns["name"][599])]).toBe("n599");
});

test("a column of 8-bit indices keeps them when a later text needs 16 bits", async () => {
  const names = Array.from({ length: 6000 }, (_, i) => (i < 5000 ? `n${i % 7}` : `later ${i}`));
  const { columns, dictionaries } = await batchOf(names.map((name) => ({ size: 1, name })));
  expect(Array.from(columns["name"] as Uint16Array, (index) => dictionaries["name"][index])).toEqual(names);
});

test.each([[0.5], [1], [40]])("a size given as %d times the file's changes nothing", async (times) => {
  const rows: Row[] = Array.from({ length: 20_000 }, (_, i) =>
    i % 3 === 0 ? null : { size: i, name: `n${i % 300}` },
  );
  const file = fileOf(rows);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield file;
  }
  const { columns } = await decodeColumns(chunks(), REQUEST, { fileBytes: file.length * times });
  expect(columns).toEqual(await batchOf(rows));
});

test("a value of a later event widens a column, and events before it keep theirs", async () => {
  const rows: Row[] = [
    ...Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? null : { size: i, name: "" })),
    { size: 5_000_000_000n, name: "" },
    null,
  ];
  const { columns } = await batchOf(rows);
  expect(columns["size"]).toEqual(
    Float64Array.from(rows, (row) => (row === null ? Number.NaN : Number(row.size))),
  );
});

test("a stream's columns begin anew after they were taken, its dictionary goes on", () => {
  const stream = openColumnStream(REQUEST);
  const file = fileOf([{ size: 1, name: "a" }, { size: 2, name: "b" }]); // prettier-ignore
  const [{ bytes: metadata }, { bytes: events }] = buffersOf(file);
  stream.push({ type: 1, data: metadata });
  stream.push({ type: 0, data: events });
  const first = stream.take();
  stream.push({ type: 0, data: events });
  const second = stream.take();
  expect(stream.take().length).toBe(0);
  expect(second.columns).toEqual(first.columns);
  expect(second.dictionaries["name"]).toEqual(["", "a", "b"]);
});

describe("offsets around 4 GB", () => {
  const rows = [1, 2, 3].map((size) => ({ size, name: "a" }));
  const [{ bytes: metadata }, { bytes: events }] = buffersOf(fileOf(rows));
  const buffer = viewOf(events);
  const dataOffset = buffer.getUint16(22, true);
  const dataEnd = dataOffset + buffer.getUint32(24, true);
  // An event of 42 bytes and an unrequested one of 34.
  const ROW = 76;

  function offsetsOf(places: readonly number[]): EventBatch["offset"] {
    const schema = new Schema();
    const view = viewOf(metadata);
    schema.addBuffer(view, view.getUint16(22, true), view.getUint16(22, true) + view.getUint32(24, true));
    const decoder = new ColumnDecoder(schema, REQUEST);
    for (const offset of places) decoder.decode({ view: buffer, offset, dataOffset, dataEnd });
    return decoder.take().offset;
  }
  const expectedOf = (places: readonly number[]): number[] =>
    places.flatMap((place) => [0, 1, 2].map((row) => place + dataOffset + row * ROW));

  test.each([
    ["up to 2^32 - 1 take 32 bits", [1000, 2 ** 32 - 1 - dataOffset - 2 * ROW], Uint32Array],
    [
      "from 2^32 on are doubles, with those before them",
      [1000, 2 ** 32 - dataOffset - 2 * ROW],
      Float64Array,
    ],
    ["far beyond it are exact", [1000, 5_000_000_000, 6_000_000_000], Float64Array],
  ])("%s", (_, places, form) => {
    const offsets = offsetsOf(places);
    expect(offsets).toBeInstanceOf(form);
    expect([...offsets]).toEqual(expectedOf(places));
  });
});

test("no columns can be filled that are not declared", async () => {
  const request = { ...REQUEST, columns: REQUEST.columns.slice(1) };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield fileOf([]);
  }
  await expect(decodeColumns(chunks(), request)).rejects.toThrow(
    'fills a column "size" that it does not declare',
  );
});

test("progress counts all events, and has the time of the last one taken", async () => {
  const file = fileOf([{ size: 1, name: "a" }, null]);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield file;
  }
  const seen: unknown[] = [];
  await decodeColumns(chunks(), REQUEST, { onProgress: (...progress) => seen.push(progress) });
  // Two rows, each with an unrequested event; the second row's time is tick 1 of the writer's start.
  expect(seen).toEqual([[file.length, 4, 133_485_408_000_000_001n]]);
  const none: unknown[] = [];
  const request = { events: [{ name: "nothing", kind: 1, fields: [] }], columns: [] };
  await decodeColumns(chunks(), request, { onProgress: (...progress) => none.push(progress) });
  expect(none).toEqual([[file.length, 4, null]]);
});

test("an event that reaches over its buffer's end is damage also where nobody asks for it", async () => {
  const file = Buffer.from(fileOf([{ size: 5, name: "" }, null]));
  const { events } = readXelBytes(file);
  const last = events[3];
  expect(last.name).toBe("unwanted");
  // The length of its data, at the end of its head of 24 bytes.
  file.writeUInt32LE(file.length, last.offset + 20);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield file;
  }
  const { columns, report } = await decodeColumns(chunks(), REQUEST);
  expect([columns.length, report.events]).toEqual([2, 3]);
  expect(report.gaps).toMatchObject([{ code: "bad-event", offset: last.offset }]);
});
