import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { appendFile, copyFile, link, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setImmediate } from "node:timers/promises";
import { EVENTS, readEvents } from "@aglens/ag-model/events";
import { prepareEvents } from "@aglens/ag-model/replication";
import { decodeFacts } from "@aglens/evidence";
import { describeReference } from "@aglens/reference-data";
import { isSensitiveField, readXelBytes } from "xel-parser/format";
import { createXelWriter } from "xel-parser/writer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { healthFile } from "../../../test/health-file.ts";
import { Arrival } from "./arrival.ts";
import { chunksOf } from "../kept/event-file.ts";
import { receiveArriving, receiveFile } from "./received-file.ts";
import type { FileToReceive } from "./received-file.ts";

const SECRET = "SELECT 'ann@pc7'";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-received-"));
  path = join(folder, "file");
});
afterEach(() => rm(folder, { recursive: true }));

const writerWithStatements = () =>
  createXelWriter({
    packages: [
      {
        name: "sqlserver",
        id: 2,
        events: [
          { name: "hadr_log_block_send_complete", columns: [{ name: "log_block_id", type: "uint64" }] },
        ],
        actions: [
          { name: "session_id", type: "uint16" },
          { name: "sql_text", type: "unicode_string" },
        ],
      },
    ],
  });

function writeStatement(
  writer: ReturnType<typeof writerWithStatements>,
  id: number,
  text: string = SECRET,
): void {
  writer.write(
    "hadr_log_block_send_complete",
    id,
    { log_block_id: BigInt(id) },
    { session_id: 51, sql_text: text },
  );
}

function fileWithStatement(): Uint8Array {
  const writer = writerWithStatements();
  writeStatement(writer, 7);
  return writer.finish();
}

const XML = `<RingBufferTarget><event name="hadr_log_block_send_complete" package="sqlserver" timestamp="2024-05-01T10:00:00.000Z"><data name="log_block_id"><value>7</value></data><action name="sql_text" package="sqlserver"><value>${SECRET}</value></action></event></RingBufferTarget>`;

const receive = async (
  bytes: Uint8Array | string,
  keepSensitive = false,
  how: Partial<Pick<FileToReceive, "name" | "prepares" | "sha256" | "storedAt">> = {},
) => {
  await writeFile(path, bytes);
  const read = await receiveFile({ path, name: "a", ...how, ...(keepSensitive ? { keepSensitive } : {}) });
  return { ...read, bytes: await readFile(path) };
};

test("a file is recognized, and its statements are no longer in it", async () => {
  const { received, bytes } = await receive(fileWithStatement());
  expect(received).toMatchObject({ kind: "xel", events: 1, dropped: { values: 1, bytes: 0 } });
  expect(bytes.includes(Buffer.from(SECRET, "utf16le"))).toBe(false);
  const [event] = readXelBytes(bytes).events;
  expect({ ...event?.fields }).toEqual({ log_block_id: 7n });
  expect({ ...event?.actions }).toEqual({ session_id: 51, sql_text: "(dropped)".padEnd(SECRET.length) });
});

test("an uploader may keep them", async () => {
  const sound = fileWithStatement();
  const { received, bytes } = await receive(sound, true);
  expect(received).toMatchObject({ kind: "xel", dropped: null });
  expect(bytes.equals(sound)).toBe(true);
});

test("events that were saved as text lose them too", async () => {
  const { received, bytes } = await receive(XML);
  expect(received).toMatchObject({ kind: "xel", dropped: { values: 1, bytes: 0 } });
  expect(bytes.includes("ann@pc7")).toBe(false);
  expect(bytes.includes(Buffer.from("ann@pc7", "utf16le"))).toBe(false);
  expect(readXelBytes(bytes).events[0]?.fields["log_block_id"]).toBe(7n);
});

test("of what cannot be read nothing is left but its size", async () => {
  const { received, bytes } = await receive(SECRET, false, { name: "a.xel" });
  expect(received).toMatchObject({ kind: "unreadable", dropped: { values: 0, bytes: SECRET.length } });
  expect(bytes).toEqual(Buffer.alloc(SECRET.length));
});

test.each([false, true])(
  "of an unknown file nothing is left, also where statements are kept: %s",
  async (keep) => {
    const { received, bytes } = await receive(SECRET, keep);
    expect(received).toMatchObject({
      kind: "evidence",
      size: bytes.length,
      evidenceFile: { kind: "unknown", state: "notUsed" },
      dropped: keep ? null : { values: 0, bytes: SECRET.length },
    });
    expect(decodeFacts(bytes)).toMatchObject({ events: [], series: [], notUnderstood: null });
    expect(bytes.includes("ann@pc7")).toBe(false);
  },
);

/** More events than arrive in one piece. */
const HEALTH = healthFile({
  server: "SQL1",
  replicaId: "8a41be07-19c2-4d0e-b6a5-41d7f2a90c31",
  statement: `ALTER AVAILABILITY GROUP [SALES-AG] FAILOVER ${SECRET}`,
  count: 300,
});

test("events of AlwaysOn_health are kept as facts, without their statements unless its uploader keeps them", async () => {
  const { received, bytes } = await receive(HEALTH, false, { sha256: sha256Of(HEALTH) });
  expect(received).toMatchObject({
    kind: "evidence",
    evidenceFile: { kind: "alwaysOnHealth", state: "used", events: 600 },
    dropped: { values: 300, bytes: 0 },
    sha256: sha256Of(HEALTH),
    keptSha256: sha256Of(bytes),
  });
  expect(bytes.includes("ann@pc7")).toBe(false);
  const kept = await receive(HEALTH, true);
  expect(kept.received.dropped).toBeNull();
  expect(kept.bytes.includes("ann@pc7")).toBe(true);
  // Facts that kept statements, of a saved capture, lose them on receipt.
  const again = await receive(kept.bytes);
  expect(again.received).toMatchObject({ kind: "evidence", evidenceFile: { events: 600 } });
  expect(again.bytes.includes("ann@pc7")).toBe(false);
});

test("a topology stays as it is", async () => {
  const topology = "<AGInfoRoot><AGs/></AGInfoRoot>";
  const { received, bytes } = await receive(topology);
  expect(received).toMatchObject({ kind: "topology", dropped: { values: 0, bytes: 0 } });
  expect(bytes.toString()).toBe(topology);
});

test("the events that were read come with a file where reading it again gives the same, and with no other", async () => {
  const sound = fileWithStatement();
  for (const keepSensitive of [true, false]) {
    const { events } = await receive(sound, keepSensitive);
    expect(events?.columns).toMatchObject({ length: 1, blockId: new BigUint64Array([7n]) });
    expect(events).toEqual({ columns: await readEvents(chunksOf(path), "a"), prepared: null });
  }
  expect((await receive(sound.subarray(0, -1), true)).events).toBeNull();
  expect((await receive(SECRET)).events).toBeNull();
});

test("events that are prepared come prepared from the columns that reading the file gives, and with no others", async () => {
  const preparing = { prepares: true, storedAt: "somewhere" };
  const sound = fileWithStatement();
  for (const keepSensitive of [true, false]) {
    const { received, events } = await receive(sound, keepSensitive, preparing);
    expect(received).toEqual((await receive(sound, keepSensitive)).received);
    const prepared = prepareEvents(await readEvents(chunksOf(path), "a"));
    expect(events).toEqual({ columns: null, prepared });
  }
  expect(await receive(sound.subarray(0, -1), true, preparing)).toEqual(
    await receive(sound.subarray(0, -1), true),
  );
  expect((await receive(SECRET, false, preparing)).events).toBeNull();
});

test.each([
  ["read", {}],
  ["prepared", { prepares: true, storedAt: "somewhere" }],
])("events that were %s with statements do not come with a file that has lost these", async (_, options) => {
  const writer = createXelWriter({
    packages: [
      {
        name: "sqlserver",
        id: 2,
        events: [
          {
            name: "recovery_unit_harden_log_timestamps",
            columns: [
              { name: "database_id", type: "uint32" },
              { name: "log_block_id", type: "uint64" },
            ],
          },
        ],
        actions: [{ name: "sql_text", type: "unicode_string" }],
      },
    ],
  });
  const values = { database_id: 5, log_block_id: 7n };
  writer.write("recovery_unit_harden_log_timestamps", 1, values, { sql_text: SECRET });
  const file = writer.finish();
  expect((await receive(file, false, options)).events).toBeNull();
  expect((await receive(file, true, options)).events).not.toBeNull();
});

test("no column of events holds a value that is dropped", () => {
  const names = EVENTS.flatMap(({ fields }) => fields.map(({ field }) => field));
  expect(names.filter(isSensitiveField)).toEqual([]);
});

/** Receives bytes that arrive in pieces, each when all before was read. */
async function receiveInPieces(bytes: Uint8Array, pieceBytes: number, how: Partial<FileToReceive>) {
  const arrival = new Arrival();
  const sha256 = Promise.withResolvers<string | null>();
  const { cameAs } = how;
  const at = cameAs ?? path;
  await writeFile(at, bytes.subarray(0, pieceBytes));
  const file = { path, name: "a", ...how };
  const arriving = receiveArriving({ file, size: bytes.length, arrival, sha256: sha256.promise });
  for (let there = pieceBytes; there < bytes.length; there += pieceBytes) {
    arrival.reach(there);
    await setImmediate();
    await appendFile(at, bytes.subarray(there, there + pieceBytes));
  }
  arrival.reach(bytes.length);
  arrival.end();
  if (cameAs !== undefined) {
    await rm(path, { force: true });
    await link(cameAs, path);
  }
  sha256.resolve(cameAs === undefined ? sha256Of(bytes) : null);
  return { ...(await arriving), bytes: await readFile(path) };
}

/** A file of several buffers, with 1,000 statements. */
function largeFile(text: string = SECRET): Uint8Array {
  const writer = writerWithStatements();
  for (let id = 1; id <= 1000; id++) writeStatement(writer, id, text);
  return writer.finish();
}

function damaged(bytes: Uint8Array, at: number, length: number): Uint8Array {
  return bytes.slice().fill(0xa5, at, at + length);
}

const LARGE = largeFile();

test.each([
  ["a sound one", LARGE],
  ["a sound one without anything sensitive", largeFile("")],
  ["a sound one that ends in its first piece", fileWithStatement()],
  ["one that is cut off", LARGE.subarray(0, -1000)],
  ["one that is cut off in its header", LARGE.subarray(0, 20)],
  ["one with a stretch that cannot be read", damaged(LARGE, LARGE.length >> 1, 5000)],
  ["one that cannot be read from its first buffer on", damaged(LARGE, 300, LARGE.length)],
  ["one of another version", damaged(LARGE, 4, 1)],
  ["one of AlwaysOn_health", HEALTH],
  ["one of AlwaysOn_health that is cut off", HEALTH.subarray(0, -9_000)],
])("a file that arrives is received as if it had been whole: %s", async (_, bytes) => {
  for (const keepSensitive of [false, true]) {
    const sha256 = sha256Of(bytes);
    const whole = await receive(bytes, keepSensitive, { sha256 });
    expect(await receiveInPieces(bytes, 40_000, { keepSensitive })).toEqual(whole);
    // With an upload in parts, the bytes stay in their place until the file is in its capture.
    const cameAs = join(folder, "upload");
    expect(await receiveInPieces(bytes, 40_000, { keepSensitive, cameAs })).toEqual(whole);
    expect(await readFile(cameAs)).toEqual(Buffer.from(bytes));
    const preparing = { prepares: true, storedAt: "somewhere" };
    const prepared = await receive(bytes, keepSensitive, { ...preparing, sha256 });
    expect(await receiveInPieces(bytes, 40_000, { keepSensitive, cameAs, ...preparing })).toEqual(prepared);
    expect(prepared.received).toEqual(whole.received);
  }
});

test.each([
  ["a readable file", fileWithStatement()],
  ["an unreadable one", new TextEncoder().encode(SECRET)],
])("of %s that has another name, the bytes under that one stay", async (_, bytes) => {
  const upload = join(folder, "upload");
  await writeFile(upload, bytes);
  await link(upload, path);
  await receiveFile({ path, name: "a" });
  expect(await readFile(upload)).toEqual(Buffer.from(bytes));
  expect(await readFile(path)).not.toEqual(Buffer.from(bytes));
});

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test.each([
  ["a file without anything sensitive", fileWithStatement(), true],
  ["a file that loses a statement", fileWithStatement(), false],
  ["a file that cannot be read", Buffer.from(SECRET), false],
  ["a file cut off in its header", fileWithStatement().subarray(0, 20), false],
  ["an empty file", new Uint8Array(0), false],
  ["events saved as text, which are written anew", Buffer.from(XML), true],
])("of %s, the checksums as it came and as it is kept are found", async (_, sent, keepSensitive) => {
  const cameAs = join(folder, "upload");
  await writeFile(cameAs, sent);
  await copyFile(cameAs, path);
  const { received } = await receiveFile({ path, cameAs, name: "a", keepSensitive });
  expect(received.sha256).toBe(sha256Of(sent));
  expect(received.keptSha256).toBe(sha256Of(await readFile(path)));
});

test("a checksum that is known is not found again", async () => {
  await writeFile(path, fileWithStatement());
  const { received } = await receiveFile({ path, name: "a", sha256: "known", keepSensitive: true });
  expect(received).toMatchObject({ sha256: "known", keptSha256: "known" });
});

/** Files as SQL Server writes them: without a sensitive value, with GUIDs after descriptors. */
async function expectUnchanged(file: string): Promise<void> {
  const before = await readFile(file);
  const { received, bytes } = await receive(before);
  expect(received).toMatchObject({ kind: "xel", dropped: { values: 0, bytes: 0 } });
  expect(bytes.equals(before)).toBe(true);
}

const COMMITTED = fileURLToPath(new URL("../../../../../fixtures/captures/", import.meta.url));

test.each(globSync("{slow-*,two-*}/*/*.xel", { cwd: COMMITTED }))("%s is kept to the byte", (name) =>
  expectUnchanged(join(COMMITTED, name)),
);

describeReference(
  {
    folder: "captures",
    tests: 6,
    prove: "files in SQL Server's layout that come in lose no GUID, and no other byte",
  },
  (captures) => {
    test.each(globSync("*/*/*.xel", { cwd: captures }))("%s", (name) =>
      expectUnchanged(join(captures, name)),
    );
  },
);

describeReference(
  {
    folder: "xel-real",
    tests: 2,
    prove: "files of real servers that come in lose their sensitive values and nothing else of an event",
  },
  (real) => {
    test.each(globSync("*.xel", { cwd: real }))("%s", async (name) => {
      const before = await readFile(join(real, name));
      const { bytes } = await receive(before);
      const kept = (file: Uint8Array) =>
        readXelBytes(file).events.map(({ fields, actions }) =>
          [...Object.entries(fields), ...Object.entries(actions)].filter(([key]) => !isSensitiveField(key)),
        );
      expect(kept(bytes)).toEqual(kept(before));
      expect(readXelBytes(bytes).report).toEqual(readXelBytes(before).report);
    });
  },
);
