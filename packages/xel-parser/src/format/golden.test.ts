import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inChunks } from "./bytes-for-tests.ts";
import {
  decodeColumns,
  openEventStream,
  openXel,
  readXel,
  readXelBytes,
  toJson,
  type ColumnType,
  type XelEvent,
} from "./index.ts";

const SHARED = join(import.meta.dirname, "../../../../../shared/data");
const FOLDERS = ["xel-vectors", "xel-real"];

type Json = number | string | boolean;
interface ExpectedEvent {
  readonly name: string;
  readonly timestamp: string;
  readonly fields: Record<string, Json>;
}

const files = FOLDERS.flatMap((folder) => {
  const path = join(SHARED, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith(".xel"));
  return names.map((name) => join(path, name));
});

// The reference data is not part of the repository.
describe.skipIf(files.length === 0)("reference files (skipped where ../shared/data is absent)", () => {
  test.each(files)("events of %s", (path) => {
    const { events, report } = readXelBytes(readFileSync(path));
    expect(events.map(parsed)).toEqual(expectedOf(path));
    expect(report).toMatchObject({ clean: true, gaps: [], events: expectedOf(path).length });
  });

  test.each([1, 7, 511, 4096, 1_000_000])("a stream in chunks of %i bytes reads the same", async (size) => {
    for (const path of size === 1 ? files.slice(0, 3) : files) {
      const bytes = readFileSync(path);
      const events: XelEvent[] = [];
      for await (const event of readXel(inChunks(bytes, size))) events.push(event);
      expect(events.map(parsed)).toEqual(expectedOf(path));
    }
  });

  test.each(files)("columns of %s", async (path) => {
    const expected = expectedOf(path);
    const request = requestFor(expected);
    const { columns: batch, report } = await decodeColumns(inChunks(readFileSync(path), 5000), request);
    expect(report.clean).toBe(true);
    expect(batch.length).toBe(expected.length);
    for (const [row, event] of expected.entries()) {
      for (const [index, { name, type }] of request.columns.entries()) {
        const [owner, field] = JSON.parse(name) as [string, string];
        const value = owner === event.name ? event.fields[field] : undefined;
        const data = batch.columns[name];
        const read = batch.dictionaries[name]?.[Number(data[row])] ?? data[row];
        expect(read, `row ${row}, column ${index} ${name}`).toEqual(inColumn(value, type));
      }
    }
  });

  // docs/xel-format.md 7: the header as a row of type 2, then each buffer as a row of its own type.
  test.each(files)("rows of a live stream made of %s", (path) => {
    const bytes = readFileSync(path);
    const stream = openEventStream();
    const events: XelEvent[] = [];
    const first = bytes.readUInt16LE(6);
    expect(stream.push({ type: 2, data: bytes.subarray(0, first) })).toMatchObject({ kind: "header" });
    for (let at = first; at + 32 <= bytes.length && bytes.readUInt16LE(at + 12) === 10;) {
      const end = at + bytes.readUInt32LE(at + 16);
      const row = stream.push({ type: bytes.readUInt16LE(at + 14), data: bytes.subarray(at, end) });
      expect(row.undecoded).toBeNull();
      events.push(...row.decoded);
      at = end;
    }
    expect(events.map(parsed)).toEqual(expectedOf(path));
  });

  test.each(files)("single events of %s by offset", async (path) => {
    const bytes = readFileSync(path);
    const { events, report } = readXelBytes(bytes);
    const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const walked = await openXel(read, bytes.length);
    const given = await openXel(read, bytes.length, { metadata: report.metadata });
    const expected = expectedOf(path);
    for (const [row, { offset }] of events.entries()) {
      expect(parsed(await walked.eventAt(offset))).toEqual(expected[row]);
      expect(parsed(await given.eventAt(offset))).toEqual(expected[row]);
    }
  });
});

function expectedOf(path: string): ExpectedEvent[] {
  const lines = readFileSync(path.replace(/\.xel$/, ".jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as ExpectedEvent);
}

function parsed(event: XelEvent): ExpectedEvent {
  return JSON.parse(toJson(event)) as ExpectedEvent;
}

/** A column for every field of every event, of the type its expected values suggest. */
function requestFor(expected: ExpectedEvent[]) {
  const values = new Map<string, { name: string; fields: Map<string, Json[]> }>();
  for (const { name, fields } of expected) {
    const event = values.get(name) ?? { name, fields: new Map<string, Json[]>() };
    values.set(name, event);
    for (const [field, value] of Object.entries(fields)) {
      event.fields.set(field, [...(event.fields.get(field) ?? []), value]);
    }
  }
  const all = [...values.values()];
  return {
    events: all.map(({ name, fields }, kind) => ({
      name,
      kind: kind % 256,
      fields: [...fields.keys()].map((field) => ({ field, column: JSON.stringify([name, field]) })),
    })),
    columns: all.flatMap(({ name, fields }) =>
      [...fields].map(([field, seen]) => ({ name: JSON.stringify([name, field]), type: typeFor(seen) })),
    ),
  };
}

function typeFor(values: Json[]): ColumnType {
  if (values.every((value) => typeof value === "boolean")) return "u8";
  const rest = values.filter((value) => typeof value !== "number");
  if (rest.length === values.length && !rest.every(isNotFinite)) return "text";
  return rest.every(isNotFinite) ? "f64" : "u64";
}

function isNotFinite(value: Json): boolean {
  return value === "NaN" || value === "Infinity" || value === "-Infinity";
}

function inColumn(value: Json | undefined, type: ColumnType): number | bigint | string {
  if (type === "f64") return Number(value);
  if (type === "u8") return Number(value ?? 0);
  if (type === "u64") return BigInt.asUintN(64, BigInt(value ?? 0));
  return String(value ?? "");
}
