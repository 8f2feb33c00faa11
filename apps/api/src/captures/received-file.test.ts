import { createHash } from "node:crypto";
import { copyFile, link, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readXelBytes } from "xel-parser/format";
import { createXelWriter } from "xel-parser/writer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { receiveFile } from "./received-file.ts";

const SECRET = "SELECT 'ann@pc7'";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-received-"));
  path = join(folder, "file");
});
afterEach(() => rm(folder, { recursive: true }));

function fileWithStatement(): Uint8Array {
  const writer = createXelWriter({
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
  writer.write("hadr_log_block_send_complete", 1, { log_block_id: 7n }, { session_id: 51, sql_text: SECRET });
  return writer.finish();
}

const XML = `<RingBufferTarget><event name="hadr_log_block_send_complete" package="sqlserver" timestamp="2024-05-01T10:00:00.000Z"><data name="log_block_id"><value>7</value></data><action name="sql_text" package="sqlserver"><value>${SECRET}</value></action></event></RingBufferTarget>`;

const receive = async (bytes: Uint8Array | string, keepSensitive?: boolean) => {
  await writeFile(path, bytes);
  const read = await receiveFile({ path, name: "a", ...(keepSensitive ? { keepSensitive } : {}) });
  return { ...read, bytes: await readFile(path) };
};

test("a file is recognised, and its statements are no longer in it", async () => {
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
  const { received, bytes } = await receive(SECRET);
  expect(received).toMatchObject({ kind: "unreadable", dropped: { values: 0, bytes: SECRET.length } });
  expect(bytes).toEqual(Buffer.alloc(SECRET.length));
});

test("a topology stays as it is", async () => {
  const topology = "<AGInfoRoot><AGs/></AGInfoRoot>";
  const { received, bytes } = await receive(topology);
  expect(received).toMatchObject({ kind: "topology", dropped: { values: 0, bytes: 0 } });
  expect(bytes.toString()).toBe(topology);
});

test("the events that were read come with a file that stays as it was, and with no other", async () => {
  const sound = fileWithStatement();
  expect((await receive(sound, true)).columns).toMatchObject({
    length: 1,
    blockId: new BigUint64Array([7n]),
  });
  // Reading again what has lost its last bytes, or its statements, gives other gaps and other texts.
  expect((await receive(sound.subarray(0, -1), true)).columns).toBeNull();
  expect((await receive(sound)).columns).toBeNull();
  expect((await receive(SECRET)).columns).toBeNull();
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
