/** Tables of raw events: what a DBA gets who has files of any session and wants them in DuckDB, pandas or Power BI. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readXelBytes } from "xel-parser/format";
import { createXelWriter, type WriterColumn } from "xel-parser/writer";
import { tables } from "./tables.ts";

/** 2026-05-14T02:00:00Z as FILETIME. */
const START = 134_231_976_000_000_000n;

let folder: string;
let out: string;
let printed: string[];
let errors: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-event-tables-"));
  out = join(folder, "out");
  printed = [];
  errors = [];
  vi.spyOn(console, "error").mockImplementation((text) => void errors.push(String(text)));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => tables([...args, "--out", out], (text) => printed.push(text));

/** A file of a session for slow statements. */
function statementFile(more: readonly WriterColumn[] = []): Uint8Array {
  const columns: WriterColumn[] = [
    { name: "duration", type: "int64" },
    { name: "cpu_time", type: "uint64" },
    { name: "offset", type: "int32" },
    { name: "Time", type: "unicode_string" },
    { name: "database_id", type: "uint32" },
    ...more,
  ];
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 1,
          events: [
            { name: "sql_batch_completed", columns },
            { name: "attention", columns: [{ name: "request_id", type: "uint32" }] },
          ],
          actions: [
            { name: "sql_text", type: "unicode_string" },
            { name: "database_id", type: "uint16" },
          ],
        },
      ],
    },
    { startTicks: START },
  );
  const batch = { duration: 1500, cpu_time: 2n ** 63n, offset: -1, Time: "now", database_id: 7 };
  writer.write("sql_batch_completed", 15n, batch, { sql_text: "SELECT 1", database_id: 5 });
  writer.write("attention", 20n, { request_id: 3 });
  writer.write("sql_batch_completed", 25n, { ...batch, duration: 9 });
  return writer.finish();
}

async function written(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function parquet(name: string) {
  const bytes = new Uint8Array(await readFile(join(out, name)));
  return {
    rows: await parquetReadObjects({
      file: bytes.buffer,
      compressors: { ZSTD: (part) => zstdDecompressSync(part) },
      parsers: { timestampFromMicroseconds: (us: bigint): bigint => us },
    }),
    metadata: parquetMetadata(bytes.buffer),
  };
}

const offsets = readXelBytes(statementFile()).events.map(({ offset }) => BigInt(offset));

const rows = (file: string) => [
  {
    // 1.5 µs are 15 ticks of 100 ns: the time is rounded down, and ticks keep it.
    time: 1778724000000001n,
    ticks: START + 15n,
    file,
    file_offset: offsets[0],
    duration: 1500n,
    cpu_time: 2n ** 63n,
    offset: -1,
    field_Time: "now",
    database_id: 7n,
    sql_text: "SELECT 1",
    action_database_id: 5,
  },
  {
    time: 1778724000000002n,
    ticks: START + 25n,
    file,
    file_offset: offsets[2],
    duration: 9n,
    cpu_time: 2n ** 63n,
    offset: -1,
    field_Time: "now",
    database_id: 7n,
    sql_text: null,
    action_database_id: null,
  },
];

test("files of another session become a Parquet file per event type, without --events", async () => {
  const file = await written("slow.xel", statementFile());
  expect(await run(file, "--parquet")).toBe(0);
  expect(errors).toEqual([]);
  expect((await readdir(out)).toSorted()).toEqual(["attention.parquet", "sql_batch_completed.parquet"]);
  expect(printed).toEqual([
    `${join(out, "sql_batch_completed.parquet")}  2 rows`,
    `${join(out, "attention.parquet")}  1 rows`,
  ]);
  const { rows: found, metadata } = await parquet("sql_batch_completed.parquet");
  expect(found).toEqual(rows(file));
  expect(metadata.key_value_metadata).toEqual(
    expect.arrayContaining([
      { key: "format", value: "xel-events-1" },
      { key: "package", value: "sqlserver" },
      { key: "event", value: "sql_batch_completed" },
      { key: "about.cpu_time", value: "field, uint64" },
      { key: "about.sql_text", value: "action, unicode_string" },
    ]),
  );
});

test("the same as Arrow files, of a folder and of standard types", async () => {
  await mkdir(join(folder, "in"));
  const file = await written("in/slow.xel", statementFile());
  expect(await run(join(folder, "in"), "--events")).toBe(0);
  const table = tableFromIPC(await readFile(join(out, "sql_batch_completed.arrow")));
  const expected = rows(file).map((row) => ({ ...row, time: Number(row.time) / 1000, database_id: 7 }));
  expect(table.toArray().map((row) => row!.toJSON())).toEqual(expected);
  expect(table.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
    "time Timestamp<MICROSECOND, UTC>",
    "ticks Int64",
    "file Utf8",
    "file_offset Int64",
    "duration Int64",
    "cpu_time Uint64",
    "offset Int32",
    "field_Time Utf8",
    "database_id Uint32",
    "sql_text Utf8",
    "action_database_id Int32",
  ]);
});

test("files of a newer version, whose events have more fields, get a second table, and no event is lost", async () => {
  const old = await written("a.xel", statementFile());
  const newer = await written("b.xel", statementFile([{ name: "spills", type: "uint64" }]));
  const again = await written("c.xel", statementFile());
  expect(await run(old, newer, again, "--events", "--parquet", "--event", "sql_batch_completed")).toBe(0);
  expect((await readdir(out)).toSorted()).toEqual([
    "sql_batch_completed-2.parquet",
    "sql_batch_completed.parquet",
  ]);
  const files = async (name: string) => (await parquet(name)).rows.map((row) => row["file"] as string);
  expect(await files("sql_batch_completed.parquet")).toEqual([old, old, again, again]);
  expect(await files("sql_batch_completed-2.parquet")).toEqual([newer, newer]);
});

test("event XML is read like a .xel file", async () => {
  const file = await written(
    "events.xml",
    '<event name="login" package="sqlserver" timestamp="2026-05-14T02:00:00.5Z"><data name="is_cached"><value>true</value></data><action name="username" package="sqlserver"><value>App</value></action></event>',
  );
  expect(await run(file, "--events", "--parquet")).toBe(0);
  expect((await parquet("login.parquet")).rows).toMatchObject([
    { time: 1778724000500000n, file, username: "App" },
  ]);
});

test("damage and files of another kind are reported, and the rest is written", async () => {
  const bytes = statementFile();
  bytes[Number(offsets[2]) + 4] = 0;
  const damaged = await written("damaged.xel", bytes);
  expect(await run(damaged, "--events", "--parquet")).toBe(1);
  expect(errors.join("")).toMatch(/damaged\.xel: at byte \d+: \d+ damaged bytes were skipped/u);
  expect((await parquet("sql_batch_completed.parquet")).rows).toHaveLength(1);
  const log = await written("ERRORLOG", "no events");
  expect(await run(await written("slow.xel", statementFile()), log, "--events")).toBe(3);
  expect(errors.at(-1)).toMatch(/ERRORLOG isn't an event file and was skipped/u);
});

test("names from a file are file names, and never leave the folder", async () => {
  const names = ["../../evil", "CON", "a/b", "B", "b", "com¹"];
  const events = names.map((name) => ({ name, columns: [] }));
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] });
  for (const [tick, name] of names.entries()) writer.write(name, tick, {});
  expect(await run(await written("odd.xel", writer.finish()), "--events")).toBe(0);
  expect((await readdir(out)).toSorted()).toEqual(["B.arrow", "a-b.arrow", "event-CON.arrow", "event-com¹.arrow", "evil.arrow", "p.b.arrow"]); // prettier-ignore
});

test("more event types than tables are reported, and the tables that were begun can be read", async () => {
  const events = Array.from({ length: 1_001 }, (_, i) => ({ name: `e${i}`, columns: [] }));
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] });
  for (const [tick, { name }] of events.entries()) writer.write(name, tick, {});
  expect(await run(await written("many.xel", writer.finish()), "--events", "--parquet")).toBe(1);
  expect(errors.join("")).toMatch(/^Can't write more than 1000 tables/u);
  expect(printed).toHaveLength(1_000);
  expect((await parquet("e0.parquet")).rows).toHaveLength(1);
  expect((await parquet("e999.parquet")).rows).toHaveLength(1);
});

test("a name after --event that no event has is reported, next to the tables of the others", async () => {
  const file = await written("slow.xel", statementFile());
  expect(await run(file, "--event", "attention", "--event", "sql_batch_complete")).toBe(0);
  expect(await readdir(out)).toEqual(["attention.arrow"]);
  expect(errors).toEqual(["The files contain no event sql_batch_complete. Check the name after --event."]);
});

test("captures of availability groups keep their tables, and --events writes their events as they are", async () => {
  const capture = fileURLToPath(new URL("../../../fixtures/captures/slow-network/primary", import.meta.url));
  await cp(capture, join(folder, "primary"), { recursive: true });
  expect(await run(join(folder, "primary"))).toBe(0);
  expect(await readdir(out)).toContain("blocks.arrow");
  await rm(out, { recursive: true });
  expect(await run(join(folder, "primary"), "--events", "--parquet")).toBe(0);
  const counts: Record<string, number> = {};
  for (const file of await readdir(join(folder, "primary")))
    for (const { name } of readXelBytes(await readFile(join(folder, "primary", file))).events)
      counts[`${name}.parquet`] = (counts[`${name}.parquet`] ?? 0) + 1;
  const found = await Promise.all(
    (await readdir(out)).map(async (name) => [name, (await parquet(name)).rows.length] as const),
  );
  expect(Object.fromEntries(found)).toEqual(counts);
});

test.each([
  [["--events"], "Provide at least one path."],
  [["a.xel", "--events", "--json"], "Unknown option '--json'"],
])("%j is wrong usage", async (args, text) => {
  await expect(run(...args)).rejects.toThrow(text);
});

test("files without an event are a sentence", async () => {
  const empty = createXelWriter({ packages: [{ name: "p", id: 1 }] }).finish();
  expect(await run(await written("empty.xel", empty), "--events")).toBe(4);
  expect(errors[0]).toMatch(/^Can't write tables: the files contain no event\./u);
});
