import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ExportTable } from "@aglens/ag-model/tables";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, it } from "vitest";
import { everyColumn, everyValue } from "../test/every-column.ts";
import { encodeParquetTable, parquetPieces, ROW_GROUP_ROWS } from "./export-parquet.ts";

const zstd = (bytes: Uint8Array): Uint8Array => zstdCompressSync(bytes);
const compressors = { ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes) };

const rowsOf = (bytes: Uint8Array) =>
  parquetReadObjects({
    file: new Uint8Array(bytes).buffer,
    compressors,
    parsers: { timestampFromMicroseconds: (us: bigint): bigint => us },
  });
const footerOf = (bytes: Uint8Array) => parquetMetadata(new Uint8Array(bytes).buffer);

const numbered = (first: number, length: number): ExportTable => ({
  name: "numbered",
  length,
  columns: [
    {
      name: "number",
      unit: "",
      about: "",
      kind: "int32",
      values: Int32Array.from({ length }, (_, i) => first + i),
    },
  ],
});

describe("a table as Parquet", () => {
  it.each([zstd, undefined])(
    "has the values of every kind, and null where there is none (%o)",
    async (how) => {
      expect(await rowsOf(encodeParquetTable(everyColumn(2), {}, how))).toEqual(
        everyValue(1508272623148001n),
      );
    },
  );

  it("has without a row the schema of one with rows", async () => {
    const [empty, full] = [encodeParquetTable(everyColumn(0), {}), encodeParquetTable(everyColumn(2), {})];
    expect(await rowsOf(empty)).toEqual([]);
    const columnsOf = (bytes: Uint8Array) => parquetSchema(footerOf(bytes)).children;
    expect(columnsOf(empty)).toEqual(columnsOf(full));
    expect(columnsOf(empty)).toHaveLength(10);
  });

  it("says what it is of, and of a column its unit and what it is", () => {
    const { key_value_metadata: words } = footerOf(encodeParquetTable(everyColumn(2), { capture: "Nächte" }));
    expect(words).toEqual([
      { key: "capture", value: "Nächte" },
      { key: "unit.float64", value: "µs" },
      { key: "about.float64", value: "how long" },
      { key: "unit.float32", value: "µs" },
    ]);
  });

  it("has the smallest and largest value of each column per row group, so that engines leave out the others", () => {
    const { row_groups: groups } = footerOf(encodeParquetTable(numbered(5, ROW_GROUP_ROWS + 1), {}));
    const ranges = groups.map(({ columns }) => columns[0]?.meta_data?.statistics);
    expect(ranges.map((range) => [range?.min_value, range?.max_value])).toEqual([
      [5, ROW_GROUP_ROWS + 4],
      [ROW_GROUP_ROWS + 5, ROW_GROUP_ROWS + 5],
    ]);
  });

  it("comes in pieces, one per part", async () => {
    const pieces = [...parquetPieces([numbered(0, 3), numbered(3, 2)], {}, zstd)];
    expect(pieces).toHaveLength(3);
    const rows = await rowsOf(Buffer.concat(pieces));
    expect(rows.map(({ number }) => number as number)).toEqual([0, 1, 2, 3, 4]);
  });
});
