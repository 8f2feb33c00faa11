/**
 * Files with known events, read in five ways: in memory, as streams in chunks of 1 byte to 1 MB, into columns, as rows
 * of a live stream, and event by event from its offset.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { describe, expect, test } from "vitest";
import { inChunks, viewOf } from "../../test/bytes.ts";
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
import { vectorOf, type ExpectedEvent, type Json } from "../../test/vectors.ts";

interface Known {
  readonly bytes: Uint8Array;
  readonly events: readonly ExpectedEvent[];
}

/** A file by its name, created or read on first use. */
type Source = readonly [name: string, known: () => Known];

function readInAllWays(sources: readonly Source[]): void {
  test.each(sources)("events of %s", (_, known) => {
    const { bytes, events: expected } = known();
    const { events, report } = readXelBytes(bytes);
    expect(events.map(parsed)).toEqual(expected);
    expect(report).toMatchObject({ clean: true, gaps: [], events: expected.length });
    expect(report.unclaimed).toBeUndefined();
  });

  test.each([1, 7, 511, 4096, 1_000_000])("a stream in chunks of %i bytes reads the same", async (size) => {
    for (const [, known] of size === 1 ? sources.slice(0, 3) : sources) {
      const { bytes, events: expected } = known();
      const events: XelEvent[] = [];
      for await (const event of readXel(inChunks(bytes, size))) events.push(event);
      expect(events.map(parsed)).toEqual(expected);
    }
  });

  test.each(sources)("columns of %s", async (_, known) => {
    const { bytes, events: expected } = known();
    const request = requestFor(expected);
    const { columns: batch, report } = await decodeColumns(inChunks(bytes, 5000), request);
    expect(report.clean).toBe(true);
    expect(report.unclaimed).toBeUndefined();
    expect(batch.length).toBe(expected.length);
    for (const { name, type } of request.columns) {
      const [owner, field] = JSON.parse(name) as [string, string];
      const texts = batch.dictionaries[name];
      const read = Array.from<number | bigint, unknown>(
        batch.columns[name] as ArrayLike<number | bigint>,
        (value) => texts?.[Number(value)] ?? value,
      );
      const values = expected.map((event) => (event.name === owner ? event.fields[field] : undefined));
      expect(read, name).toEqual(values.map((value) => inColumn(value, type)));
    }
  });

  // docs/reference/xel-format.md 7: the header as a row of type 2, then each buffer as a row of its type.
  test.each(sources)("rows of a live stream made of %s", (_, known) => {
    const { bytes, events: expected } = known();
    const view = viewOf(bytes);
    const stream = openEventStream();
    const events: XelEvent[] = [];
    const first = view.getUint16(6, true);
    expect(stream.push({ type: 2, data: bytes.subarray(0, first) })).toMatchObject({ kind: "header" });
    for (let at = first; at + 32 <= bytes.length && view.getUint16(at + 12, true) === 10;) {
      const end = at + view.getUint32(at + 16, true);
      const row = stream.push({ type: view.getUint16(at + 14, true), data: bytes.subarray(at, end) });
      expect(row.undecoded).toBeNull();
      events.push(...row.decoded);
      at = end;
    }
    expect(events.map(parsed)).toEqual(expected);
  });

  test.each(sources)("single events of %s by offset", async (_, known) => {
    const { bytes, events: expected } = known();
    const { events, report } = readXelBytes(bytes);
    const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const walked = await openXel(read, bytes.length);
    const given = await openXel(read, bytes.length, { metadata: report.metadata });
    for (const [row, { offset }] of events.entries()) {
      expect(parsed(await walked.eventAt(offset))).toEqual(expected[row]);
      expect(parsed(await given.eventAt(offset))).toEqual(expected[row]);
    }
  });
}

describe("files with random schemas and values, made by the writer", () => {
  const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);
  readInAllWays(SEEDS.map((seed) => [`seed ${seed}`, () => vectorOf(seed)]));

  test("hold every type as column and as action, maps and bit masks, several packages, later metadata, many buffers", () => {
    const files = SEEDS.map(vectorOf);
    const reports = files.map(({ bytes }) => readXelBytes(bytes).report);
    expect(reports.filter(({ metadata }) => metadata.length > 1).length).toBeGreaterThan(10);
    const events = files.flatMap((file) => file.events);
    expect(events.length).toBeGreaterThan(1500);
    expect(new Set(events.map((event) => event.package)).size).toBe(3);
    for (const side of ["fields", "actions"] as const) {
      const kinds = new Set(events.flatMap((event) => Object.values(event[side]).map(kindOf)));
      expect([...kinds].sort()).toEqual(KINDS);
    }
  });
});

/** A file's events are in the `.jsonl` next to it, written by the reference reader. */
const knownIn = (folder: string): Source[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".xel"))
    .map((name) => [name, () => knownOf(join(folder, name))]);

const knownOf = (path: string): Known => ({
  bytes: readFileSync(path),
  events: readFileSync(path.replace(/\.xel$/, ".jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ExpectedEvent),
});

describeReference(
  {
    folder: "xel-vectors",
    tests: 101,
    prove:
      "files of random schemas that another writer of ours made give the events that Microsoft's reader reads from them",
  },
  (path) => readInAllWays(knownIn(path)),
);
describeReference(
  {
    folder: "xel-real",
    tests: 13,
    prove: "two files that SQL Server wrote give the events that Microsoft's reader reads from them",
  },
  (path) => readInAllWays(knownIn(path)),
);

function parsed(event: XelEvent): ExpectedEvent {
  return JSON.parse(toJson(event)) as ExpectedEvent;
}

/** A column for every field of every event, of the type its expected values suggest. */
function requestFor(expected: readonly ExpectedEvent[]) {
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

/** Type of a value, as far as its JSON form shows it. */
const FORMS: readonly (readonly [kind: string, form: RegExp])[] = [
  ["activity id", /^[0-9a-f-]{36}:\d+$/],
  ["binary", /^0x[0-9a-f]*$/],
  ["call stack", /^(0x[0-9A-F]{16}\r\n)+$/],
  ["guid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ["pointer", /^0x[0-9A-F]{16}$/],
  ["time", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["wide integer", /^-?\d{16,}$/],
];
const KINDS = ["boolean", "number", "string", ...FORMS.map(([kind]) => kind)].sort();

function kindOf(value: Json): string {
  if (typeof value !== "string") return typeof value;
  return FORMS.find(([, form]) => form.test(value))?.[0] ?? "string";
}
