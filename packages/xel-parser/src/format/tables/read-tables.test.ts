import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createXelWriter } from "../../writer/index.ts";
import { readXelBytes } from "../reader.ts";
import type { FileReport } from "../reader.ts";
import type { EventTable } from "./event-table.ts";
import { readEventTables, type TableOptions } from "./read-tables.ts";

const EPOCH = 116_444_736_000_000_000n;

async function read(
  bytes: Uint8Array,
  options?: TableOptions,
): Promise<{ tables: EventTable[]; report: FileReport }> {
  async function* chunks() {
    yield bytes;
  }
  const reading = readEventTables(chunks(), options);
  const tables: EventTable[] = [];
  let item = await reading.next();
  for (; item.done !== true; item = await reading.next()) tables.push(item.value);
  return { tables, report: item.value };
}

const valuesOf = ({ columns }: EventTable) =>
  Object.fromEntries(columns.map(({ name, values }) => [name, values]));

/** Two logins, one failed, and a wait between them. */
function sessionFile(bufferBytes?: number): Uint8Array {
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 1,
          events: [
            {
              name: "login",
              columns: [
                { name: "is_cached", type: "boolean" },
                { name: "database_id", type: "uint32" },
                { name: "options", type: "binary_data" },
                { name: "duration", type: "int64" },
                { name: "share", type: "float64" },
                { name: "result", type: { map: "results" } },
              ],
            },
            { name: "wait", columns: [{ name: "duration", type: "uint64" }] },
          ],
          actions: [
            { name: "session_id", type: "uint16" },
            { name: "sql_text", type: "unicode_string" },
          ],
          maps: [{ name: "results", bytes: 1, entries: [[0, "OK"], [1, "Failed"]] }], // prettier-ignore
        },
      ],
    },
    { startTicks: EPOCH, ...(bufferBytes !== undefined && { bufferBytes }) },
  );
  const login = { is_cached: true, database_id: 4_000_000_000, options: new Uint8Array([1, 2]), duration: -5n, share: 0.5, result: "OK" }; // prettier-ignore
  writer.write("login", 10, login, { session_id: 51 });
  writer.write("wait", 20, { duration: 2n ** 64n - 1n });
  writer.write("login", 30, { ...login, result: "Failed" }, { sql_text: "SELECT '–'" });
  return writer.finish();
}

const LOGIN = {
  is_cached: [true, true],
  database_id: [4_000_000_000, 4_000_000_000],
  options: [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  duration: [-5n, -5n],
  share: [0.5, 0.5],
  result: ["OK", "Failed"],
  session_id: [51, null],
  sql_text: [null, "SELECT '–'"],
};

test("a table per event type has time, place, fields and actions of each event", async () => {
  const bytes = sessionFile();
  const { tables, report } = await read(bytes);
  expect(report).toMatchObject({ events: 3, clean: true, fileSize: bytes.length });
  const [login, wait] = tables;
  expect(login).toMatchObject({
    package: "sqlserver",
    name: "login",
    length: 2,
    ticks: [EPOCH + 10n, EPOCH + 30n],
  });
  expect(login.offsets).toEqual([0, 2].map((event) => readXelBytes(bytes).events[event].offset));
  expect(valuesOf(login)).toEqual(LOGIN);
  expect(login.columns.map(({ source, type, kind }) => `${source} ${type} ${kind}`)).toEqual([
    "field boolean boolean",
    "field uint32 uint32",
    "field binary_data binary",
    "field int64 int64",
    "field float64 float64",
    "field map results text",
    "action uint16 int32",
    "action unicode_string text",
  ]);
  expect(wait).toMatchObject({ name: "wait", length: 1 });
  expect(valuesOf(wait)).toEqual({ duration: [18446744073709551615n] });
  expect(tables).toHaveLength(2);
});

test("tables end at a number of events, so that a file of any size needs the memory of some buffers", async () => {
  const { tables } = await read(sessionFile(1), { tableRows: 1 });
  expect(tables.map(({ name, length }) => `${name} ${length}`)).toEqual(["login 1", "wait 1", "login 1"]);
  expect(valuesOf(tables[2])).toMatchObject({ result: ["Failed"], sql_text: ["SELECT '–'"] });
  // An action that no event of a table has is no column of it.
  expect(tables[2].columns.map(({ name }) => name)).not.toContain("session_id");
  expect((await read(sessionFile(1), { tableBytes: 1 })).tables).toHaveLength(3);
});

test("places without a value count as memory, so that events with actions of their own stay within the bound", async () => {
  const actions = Array.from({ length: 400 }, (_, i) => ({ name: `a${i}`, type: "int32" as const }));
  const writer = createXelWriter(
    { packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [] }], actions }] },
    { bufferBytes: 1 },
  );
  for (const [tick, { name }] of actions.entries()) writer.write("e", tick, {}, { [name]: 1 });
  // 400 values need 13 kB; with its other places, a table of 111 rows and columns needs 100 kB.
  const { tables } = await read(writer.finish(), { tableBytes: 100_000 });
  expect(tables.map(({ length }) => length)).toEqual([111, 111, 111, 67]);
});

test("events that aren't wanted are counted", async () => {
  const { tables, report } = await read(sessionFile(), { only: new Set(["wait"]) });
  expect(tables.map(({ name }) => name)).toEqual(["wait"]);
  expect(report.events).toBe(3);
});

test("an event type that is described in another way later in the file has another table", async () => {
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 1, events: [{ name: "wait", columns: [{ name: "duration", type: "unicode_string" }] }] }] }, // prettier-ignore
    { startTicks: EPOCH },
  );
  writer.write("wait", 40, { duration: "4 ms" });
  const { tables } = await read(Buffer.concat([sessionFile(), writer.finish()]));
  expect(tables.map(({ name, length }) => `${name} ${length}`)).toEqual(["login 2", "wait 1", "wait 1"]);
  expect(tables[2].columns).toEqual([
    { name: "duration", source: "field", type: "unicode_string", kind: "text", values: ["4 ms"] },
  ]);
});

test("a field of a type that no server is known to write has no column, and its bytes are counted", async () => {
  const columns = [
    { name: "known", type: "int32" },
    { name: "novel", type: "uint64" },
  ] as const;
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  writer.write("e", 1, { known: 7, novel: 9 });
  writer.write("e", 2, { known: 8, novel: 9 });
  const bytes = Buffer.from(writer.finish());
  // The type of a column is 4 bytes before the length of its name: 0x6000'2000 is type 8, uint64; no type has number 60.
  const type = Buffer.from([0x00, 0x20, 0x00, 0x60]);
  const at = bytes.lastIndexOf(type, bytes.indexOf(Buffer.from("novel", "utf16le")));
  bytes.writeUInt32LE(0x6000_f000, at);
  const { tables, report } = await read(bytes);
  expect(tables).toHaveLength(1);
  expect(valuesOf(tables[0])).toEqual({ known: [7, 8] });
  expect(tables[0].unreadable).toEqual(["novel"]);
  expect(report.unclaimed).toEqual([expect.objectContaining({ event: "e", events: 2, bytes: 16 })]);
});

test("damage costs the events that it hit, and is in the report", async () => {
  const bytes = sessionFile();
  bytes[readXelBytes(bytes).events[2].offset + 4] = 0;
  const { tables, report } = await read(bytes);
  expect(report).toMatchObject({ events: 2, clean: false });
  expect(tables.map(({ name, length }) => `${name} ${length}`)).toEqual(["login 1", "wait 1"]);
});

const CAPTURES = join(import.meta.dirname, "../../../../../fixtures/captures");
const files = readdirSync(CAPTURES, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".xel"),
);

test.each(files)("%s has the same values as read event by event", async (name) => {
  const bytes = readFileSync(join(CAPTURES, name));
  const { events } = readXelBytes(bytes);
  const byOffset = new Map(events.map((event) => [event.offset, event]));
  const { tables } = await read(bytes, { tableRows: 1000 });
  let rows = 0;
  for (const table of tables) {
    rows += table.length;
    for (let row = 0; row < table.length; row++) {
      const event = byOffset.get(table.offsets[row])!;
      const valuesIn = (source: string) =>
        Object.fromEntries(
          table.columns
            .filter((column) => column.source === source && column.values[row] !== null)
            .map((column) => [column.name, column.values[row]]),
        );
      expect([event.name, event.ticks]).toEqual([table.name, table.ticks[row]]);
      expect(valuesIn("field")).toEqual({ ...event.fields });
      expect(valuesIn("action")).toEqual({ ...event.actions });
    }
  }
  expect(rows).toBe(events.length);
});
