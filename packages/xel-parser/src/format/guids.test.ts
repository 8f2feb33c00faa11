/**
 * How a file stores GUIDs (docs/reference/xel-format.md 3.3, 4.1). Expected values are those written. The files are our writer's: that SQL Server stores
 * GUIDs so is shown by a real file alone (`gatewaysample.xel`, golden.test.ts).
 */
import { expect, test } from "vitest";
import { joined, once, placeOf, viewOf } from "../../test/bytes.ts";
import { decodeColumns, openEventStream, openXel, readXelBytes, toJson, type EventBatch } from "./index.ts";
import { createXelWriter } from "../writer/index.ts";

const REPLICA = "fc5e55d6-7b24-4aa3-b11e-7de39768adbb";
const DATABASE = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";
const HEADER_BYTES = 512;
const EVENT_HEADER_BYTES = 24;

/** Two GUIDs between numbers, and an action with a GUID, as text and in the form of the file. */
function fileOf(guidsInPlace: boolean, events = 3): Uint8Array {
  const columns = [
    { name: "before", type: "uint32" },
    { name: "replica", type: "guid" },
    { name: "between", type: "uint16" },
    { name: "database", type: "guid" },
    { name: "after", type: "uint64" },
  ] as const;
  const actions = [{ name: "group", type: "guid" }] as const;
  const packages = [{ name: "p", id: 1, events: [{ name: "e", columns }], actions }];
  const writer = createXelWriter({ packages, guidsInPlace });
  for (let tick = 0; tick < events; tick++) {
    const values = { before: 1, replica: REPLICA, between: 2, database: DATABASE, after: 3 };
    writer.write("e", tick, values, { group: DATABASE });
  }
  return writer.finish();
}

const EVENT = {
  fields: { before: 1, replica: REPLICA, between: 2, database: DATABASE, after: 3 },
  actions: { group: DATABASE },
};

const valuesIn = (line: string): unknown => {
  const { fields, actions } = JSON.parse(line) as typeof EVENT;
  return { fields, actions };
};

async function columnsOf(bytes: Uint8Array): Promise<EventBatch> {
  const names = ["before", "replica", "between", "database", "after"];
  const { columns, report } = await decodeColumns(once(bytes), {
    events: [{ name: "e", kind: 0, fields: names.map((field) => ({ field, column: field })) }],
    columns: names.map((name) => ({
      name,
      type: name === "replica" || name === "database" ? "guid" : "int",
    })),
  });
  expect(report.clean).toBe(true);
  return columns;
}

const textsIn = ({ columns, dictionaries }: EventBatch, name: string): (string | undefined)[] =>
  Array.from(columns[name] as Uint8Array, (index) => dictionaries[name]?.[index]);

test.each([
  ["behind a descriptor, as real files have them", false],
  ["in place, as a file says that declares their size", true],
])("GUIDs %s: objects, columns, single events and rows of a live stream", async (_, guidsInPlace) => {
  const bytes = fileOf(guidsInPlace);
  const { events, report } = readXelBytes(bytes);
  expect(report.clean).toBe(true);
  expect(events.map((event) => valuesIn(toJson(event)))).toEqual([EVENT, EVENT, EVENT]);
  const columns = await columnsOf(bytes);
  expect(textsIn(columns, "replica")).toEqual([REPLICA, REPLICA, REPLICA]);
  expect(textsIn(columns, "database")).toEqual([DATABASE, DATABASE, DATABASE]);
  for (const [name, value] of Object.entries({ before: 1, between: 2, after: 3 }))
    expect([...(columns.columns[name] as Int32Array)], name).toEqual([value, value, value]);
  const file = await openXel(async (at, length) => bytes.subarray(at, at + length), bytes.length);
  expect(valuesIn(toJson(await file.eventAt(events[2].offset)))).toEqual(EVENT);
  const stream = openEventStream();
  const rows: string[] = [];
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const end = at + viewOf(bytes).getUint32(at + 16, true);
    rows.push(...stream.push({ type: 0, data: bytes.subarray(at, end) }).decoded.map(toJson));
    at = end;
  }
  expect(rows.map(valuesIn)).toEqual([EVENT, EVENT, EVENT]);
});

/** Position of the byte that the TYPE record of guid declares as its size: after its name and an empty description. */
const sizePlace = (bytes: Uint8Array): number => placeOf(bytes, "guid") + "guid\0\0".length * 2;

test.each([8, 16])("a declared size of %i means in place", (size) => {
  const bytes = fileOf(true);
  expect(bytes[sizePlace(bytes)]).toBe(16);
  bytes[sizePlace(bytes)] = size;
  expect(valuesIn(toJson(readXelBytes(bytes).events[0]))).toEqual(EVENT);
});

test("the writer declares size 0, as real files do", () => {
  const bytes = fileOf(false);
  expect(bytes[sizePlace(bytes)]).toBe(0);
});

test("a file that was glued on stores GUIDs as its own metadata says", () => {
  const bytes = joined(fileOf(true, 1), fileOf(false, 1), fileOf(true, 1));
  const { events } = readXelBytes(bytes);
  expect(events.map((event) => valuesIn(toJson(event)))).toEqual([EVENT, EVENT, EVENT]);
});

/**
 * Sets the length in the descriptor of the first event's `replica`. No real file has another length than 16: the result
 * is an assumption (docs/evidence.md 1).
 */
function withLength(length: number): Uint8Array {
  const bytes = fileOf(false);
  const { offset } = readXelBytes(bytes).events[0];
  viewOf(bytes).setUint32(offset + EVENT_HEADER_BYTES + 4 + 4, length, true);
  return bytes;
}

test("a GUID without bytes is a missing value, in a column the absent one", async () => {
  const bytes = withLength(0);
  const { replica: _, ...others } = EVENT.fields;
  const { events } = readXelBytes(bytes);
  expect(events.map(({ fields }) => fields["replica"])).toEqual([undefined, REPLICA, REPLICA]);
  expect(valuesIn(toJson(events[0]))).toEqual({ ...EVENT, fields: others });
  expect(textsIn(await columnsOf(bytes), "replica")).toEqual(["", REPLICA, REPLICA]);
});

test("a GUID of another length than 16 keeps its bytes", async () => {
  const bytes = withLength(4);
  expect(readXelBytes(bytes).events[0].fields["replica"]).toEqual(Uint8Array.of(0xd6, 0x55, 0x5e, 0xfc));
  expect(textsIn(await columnsOf(bytes), "replica")).toEqual(["0xd6555efc", REPLICA, REPLICA]);
});

test("a descriptor without bytes whose place is outside of the payload is damage, in columns as in objects", async () => {
  const bytes = withLength(0);
  const { offset } = readXelBytes(bytes).events[0];
  viewOf(bytes).setUint32(offset + EVENT_HEADER_BYTES + 4, 0x7fff_ffff, true);
  const { events, report } = readXelBytes(bytes);
  expect(events).toHaveLength(2);
  expect(report.gaps).toMatchObject([{ code: "bad-event", offset, eventsLost: 1 }]);
  const { columns } = await decodeColumns(once(bytes), {
    events: [{ name: "e", kind: 0, fields: [] }],
    columns: [],
  });
  expect(columns.length).toBe(2);
});
