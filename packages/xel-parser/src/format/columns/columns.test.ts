import { expect, test } from "vitest";
import { buffersOf } from "../bytes-for-tests.ts";
import { ColumnDecoder } from "./columns.ts";
import {
  ABSENT_INT,
  decodeColumns,
  openColumnStream,
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

/** A file with one event per row: `sized`, or `bare` for null; with another event between that nobody asks for. */
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

test("offsets beyond 4 GB are exact", () => {
  const [{ bytes: metadata }, { bytes: events }] = buffersOf(fileOf([{ size: 1, name: "a" }]));
  const schema = new Schema();
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  schema.addBuffer(view, view.getUint16(22, true), view.getUint16(22, true) + view.getUint32(24, true));
  const decoder = new ColumnDecoder(schema, REQUEST);
  const buffer = new DataView(events.buffer, events.byteOffset, events.byteLength);
  const dataOffset = buffer.getUint16(22, true);
  const dataEnd = dataOffset + buffer.getUint32(24, true);
  for (const offset of [1000, 5_000_000_000]) decoder.decode({ view: buffer, offset, dataOffset, dataEnd });
  expect([...decoder.take().offset]).toEqual([1000 + dataOffset, 5_000_000_000 + dataOffset]);
});
