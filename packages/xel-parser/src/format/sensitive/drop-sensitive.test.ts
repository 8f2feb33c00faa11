import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { describe, expect, test } from "vitest";
import { createXelWriter, type WriterSchema } from "../../writer/index.ts";
import { buffersOf, joined, placeOf, randomOf, viewOf } from "../../../test/bytes.ts";
import type { XelEvent } from "../events/event.ts";
import { readXelBytes } from "../reader.ts";
import { dropSensitive, type DropReport } from "./drop-sensitive.ts";
import { isSensitiveField } from "./sensitive-names.ts";

const SECRET = "hunter2@PC-ANN";
const DROPPED = "(dropped)     ";

const schema: WriterSchema = {
  packages: [
    {
      name: "sqlserver",
      id: 2,
      events: [
        {
          name: "sql_statement_completed",
          columns: [
            { name: "duration", type: "int64" },
            { name: "statement", type: "unicode_string" },
            { name: "object_name", type: "unicode_string" },
          ],
        },
        { name: "hadr_log_block_send_complete", columns: [{ name: "log_block_id", type: "uint64" }] },
      ],
      actions: [
        { name: "session_id", type: "uint16" },
        { name: "client_hostname", type: "ansi_string" },
        { name: "client_pid", type: "uint32" },
        { name: "server_principal_sid", type: "binary_data" },
        { name: "database_name", type: "unicode_string" },
      ],
    },
  ],
};

const utf8 = new TextEncoder();

/** A file of statements with secrets and of log blocks without. */
function fileWithSecrets(events: number, bufferBytes = 1200): Uint8Array {
  const writer = createXelWriter(schema, { bufferBytes });
  for (let index = 0; index < events; index++) {
    if (index % 3 === 0) writer.write("hadr_log_block_send_complete", index, { log_block_id: BigInt(index) });
    else
      writer.write(
        "sql_statement_completed",
        index,
        { duration: index, statement: SECRET, object_name: `proc ${index}` },
        {
          session_id: index,
          client_hostname: SECRET,
          client_pid: 4711,
          server_principal_sid: utf8.encode(SECRET),
          database_name: "Sales",
        },
      );
  }
  return writer.finish();
}

const PIECE_BYTES = 64 * 1024;

/** Drops in place, as in a file that is read in pieces. */
async function dropIn(bytes: Uint8Array): Promise<DropReport> {
  return await dropSensitive({
    bytes: piecesOf(bytes),
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
    write: (offset, changed) => {
      bytes.set(changed, offset);
      return Promise.resolve();
    },
  });
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES);
}

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

function hasSecret(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes);
  return all.includes(SECRET) || all.includes(utf16(SECRET));
}

const keptOf = (values: XelEvent["fields"]): [string, unknown][] =>
  Object.entries(values).filter(([name]) => !isSensitiveField(name));

const keptEvents = (bytes: Uint8Array) =>
  readXelBytes(bytes).events.map(({ name, ticks, offset, fields, actions }) => ({
    name,
    ticks,
    offset,
    fields: keptOf(fields),
    actions: keptOf(actions),
  }));

test("texts become a mark of the same length, other types zeros, and all other values stay", async () => {
  const bytes = fileWithSecrets(60);
  const before = keptEvents(bytes);
  const report = await dropIn(bytes);
  // Two of three events have four such values each.
  expect(report).toEqual({ values: 40 * 4, bytes: 0 });
  expect(keptEvents(bytes)).toEqual(before);
  expect(hasSecret(bytes)).toBe(false);
  const { events, report: read } = readXelBytes(bytes);
  expect(read.clean).toBe(true);
  expect({ ...events[1]?.fields }).toEqual({ duration: 1n, statement: DROPPED, object_name: "proc 1" });
  expect({ ...events[1]?.actions }).toEqual({
    session_id: 1,
    client_hostname: DROPPED,
    client_pid: 0,
    server_principal_sid: new Uint8Array(SECRET.length),
    database_name: "Sales",
  });
});

test("a second time nothing is left to drop, and what is empty or too short for the mark has no other text", async () => {
  const writer = createXelWriter(schema);
  for (const statement of ["", "GO", "SELECT 42"]) {
    writer.write("sql_statement_completed", 1, { duration: 1, statement, object_name: "p" });
  }
  const bytes = writer.finish();
  expect(await dropIn(bytes)).toEqual({ values: 2, bytes: 0 });
  expect(await dropIn(bytes)).toEqual({ values: 0, bytes: 0 });
  const texts = readXelBytes(bytes).events.map(({ fields }) => fields["statement"]);
  expect(texts).toEqual(["", "  ", "(dropped)"]);
});

test("the rest behind a cut is overwritten and counted", async () => {
  const whole = fileWithSecrets(60);
  // In the middle of the last record.
  const last = readXelBytes(whole).events.at(-1)?.offset ?? 0;
  const bytes = whole.slice(0, last + 60);
  const before = keptEvents(bytes);
  const { bytes: dropped } = await dropIn(bytes);
  expect(keptEvents(bytes)).toEqual(before);
  expect(readXelBytes(bytes).report.unfinished).toBe(true);
  expect([...bytes.subarray(last)].every((byte) => byte === 0 || byte === 0xff)).toBe(true);
  // All bytes of that range except for the zeros.
  expect(dropped).toBe(whole.slice(last, last + 60).filter((byte) => byte !== 0).length);
});

test("bytes between values, behind records, in headers and behind the data's end are overwritten", async () => {
  const sound = fileWithSecrets(6, 4096);
  const [, events] = buffersOf(sound);
  if (events === undefined) throw new Error("no buffer");
  const filler = joined(sound, utf8.encode(SECRET), utf16(SECRET), new Uint8Array(600));
  // The file header after the bytes that look like a GUID, and filler of the last buffer.
  filler.set(utf16(SECRET), 100);
  filler.set(utf8.encode(SECRET), sound.length - SECRET.length);
  const before = keptEvents(sound);
  expect(hasSecret(filler)).toBe(true);
  const report = await dropIn(filler);
  expect(hasSecret(filler)).toBe(false);
  expect(keptEvents(filler)).toEqual(before);
  expect(report.bytes).toBe(SECRET.length * 4);
});

test("a file that is no .xel is refused and stays as it is", async () => {
  const bytes = utf8.encode(`SELECT '${SECRET}'`);
  await expect(dropIn(bytes)).rejects.toMatchObject({ code: "not-xel" });
  expect(hasSecret(bytes)).toBe(true);
});

test("of two files in one, both lose their texts and both are still read", async () => {
  const bytes = joined(fileWithSecrets(20), fileWithSecrets(30));
  const before = keptEvents(bytes);
  expect(before).toHaveLength(50);
  await dropIn(bytes);
  expect(hasSecret(bytes)).toBe(false);
  expect(keptEvents(bytes)).toEqual(before);
});

test("damage in a buffer neither keeps a text that no report names, nor costs an event outside of that buffer", async () => {
  let moved = 0;
  for (let seed = 1; seed <= 80; seed++) {
    const random = randomOf(seed);
    const bytes = fileWithSecrets(40);
    const buffers = buffersOf(bytes).slice(1);
    const { offset, bytes: inside } = buffers[random.below(buffers.length)];
    const end = offset + inside.length;
    // From 0x80 on, since damage that changes one action's id to another valid id cannot be detected.
    for (let left = 1 + random.below(4); left > 0; left--)
      inside[random.below(inside.length)] = 0x80 + random.below(0x80);
    const outside = ({ offset: at }: { readonly offset: number }): boolean => at < offset || at >= end;
    const before = keptEvents(bytes).filter(outside);
    await dropIn(bytes);
    // Damage that moves a descriptor leaves a readable event whose text no column claims: kept and reported.
    const { unclaimed } = readXelBytes(bytes).report;
    if (unclaimed === undefined) expect(hasSecret(bytes), `seed ${seed}`).toBe(false);
    else moved++;
    expect(keptEvents(bytes).filter(outside), `seed ${seed}`).toEqual(before);
  }
  expect(moved).toBeLessThan(10);
});

/** A file as SQL Server writes it, whose metadata is then changed to declare GUIDs in place, as we once assumed. */
function misread(): { readonly right: Uint8Array; readonly wrong: Uint8Array } {
  const columns = [
    { name: "log_block_id", type: "uint64" },
    { name: "availability_replica_id", type: "guid" },
  ] as const;
  const packages = [{ name: "sqlserver", id: 2, events: [{ name: "hadr_capture_log_block", columns }] }];
  const writer = createXelWriter({ packages });
  for (let tick = 0; tick < 50; tick++) {
    const values = { log_block_id: tick, availability_replica_id: "fc5e55d6-7b24-4aa3-b11e-7de39768adbb" };
    writer.write("hadr_capture_log_block", tick, values);
  }
  const right = writer.finish();
  const wrong = right.slice();
  wrong[placeOf(wrong, "guid") + "guid\0\0".length * 2] = 16;
  return { right, wrong };
}

test("bytes of a payload that no column claims are counted by event type, and dropping leaves them as they are", async () => {
  const { right, wrong } = misread();
  expect(readXelBytes(right).report.unclaimed).toBeUndefined();
  const first = readXelBytes(right).events[0].offset;
  // Descriptor and value are 24 bytes of each payload, of which 16 are read.
  const expected = [
    { package: "sqlserver", event: "hadr_capture_log_block", events: 50, bytes: 50 * 8, offset: first },
  ];
  expect(readXelBytes(wrong).report).toMatchObject({ clean: true, unclaimed: expected });
  const dropped = wrong.slice();
  expect(await dropIn(dropped)).toEqual({ values: 0, bytes: 0 });
  expect(dropped).toEqual(wrong);
});

test("of a readable event only the values of sensitive columns and actions change", async () => {
  const bytes = fileWithSecrets(3);
  const { events } = readXelBytes(bytes);
  const last = events[2];
  const view = viewOf(bytes);
  // The descriptor of object_name marks it as empty: no column claims its bytes any more.
  view.setUint32(last.offset + 24 + 16 + 4, 0, true);
  const before = bytes.slice();
  await dropIn(bytes);
  const changed = [...bytes.keys()].filter((at) => bytes[at] !== before[at]);
  expect(changed.length).toBeGreaterThan(0);
  const text = Buffer.from(before).indexOf(utf16("proc 2"));
  expect(changed.filter((at) => at >= text && at < text + "proc 2".length * 2)).toEqual([]);
  expect(hasSecret(bytes)).toBe(false);
  expect(readXelBytes(bytes).report.unclaimed).toMatchObject([
    { event: "sql_statement_completed", events: 1, bytes: 12, offset: last.offset },
  ]);
});

const CAPTURES = join(import.meta.dirname, "../../../../../fixtures/captures");

describe("captures of the repository have nothing sensitive", () => {
  test.for(globSync("damaged/*/*.xel", { cwd: CAPTURES }))("%s", async (name) => {
    const bytes = new Uint8Array(readFileSync(join(CAPTURES, name)));
    const before = keptEvents(bytes);
    const { values } = await dropIn(bytes);
    expect(values).toBe(0);
    expect(before.length).toBeGreaterThan(0);
    expect(keptEvents(bytes)).toEqual(before);
  });
});

describeReference(
  {
    folder: "xel-real",
    tests: 1,
    prove: "a real server's file keeps every value but statements, hosts and logins",
  },
  (folder) => {
    test("TestXel_0.xel", async () => {
      const bytes = new Uint8Array(readFileSync(join(folder, "TestXel_0.xel")));
      const before = keptEvents(bytes);
      const { events } = readXelBytes(bytes);
      const sensitive = events
        .flatMap(({ fields, actions }) => [...Object.entries(fields), ...Object.entries(actions)])
        .filter(([name, value]) => isSensitiveField(name) && typeof value === "string" && value.trim() !== "")
        .map(([, value]) => String(value));
      expect(sensitive.length).toBeGreaterThan(100);
      await dropIn(bytes);
      expect(keptEvents(bytes)).toEqual(before);
      const left = Buffer.from(bytes);
      // Short ones are words of other values too.
      const texts = new Set(sensitive.filter(({ length }) => length > 20));
      expect([...texts].filter((text) => left.includes(utf16(text)) || left.includes(text))).toEqual([]);
    });
  },
);

test.for([
  ["sql_text", true],
  ["SQL_Text", true],
  ["statement#2", true],
  ["sqlserver.client_hostname", true],
  ["session_server_principal_name", true],
  ["database_principal_name", true],
  ["principal_sid", true],
  ["client_app_name", false],
  ["database_name", false],
  ["server_instance_name", false],
  ["statement_type", false],
  ["log_block_id", false],
  ["principal_name_length", false],
] as const)("%s: %s", ([name, isSensitive]) => {
  expect(isSensitiveField(name)).toBe(isSensitive);
});
