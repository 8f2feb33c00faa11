/** Files that an earlier version misread, and files whose ids it overwrote, each of two servers. */
import type { CaptureFile } from "@aglens/contract";
import { readXelBytes } from "xel-parser/format";
import { createXelWriter } from "xel-parser/writer";
import type { WriterColumn } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import {
  isMisread,
  isMisreadAndOverwritten,
  overwritten,
  recognizeFile,
  withRecognized,
  type Recognized,
} from "./index.ts";

const PRIMARY = "f785791b-35d5-47fd-9483-e9ed99b83c8f";
const SECONDARY = "2531f4e5-4435-4f57-9dbc-e4f8bb88b5e7";
const DATABASE = "814415b6-0fc9-464b-b8bd-80d0561ac96c";

const LOG_BLOCK = { name: "log_block_id", type: "uint64" } as const;
const guids = (...names: readonly string[]): WriterColumn[] => names.map((name) => ({ name, type: "guid" }));

/** An event type of each server, and its values. */
const SERVERS = {
  primary: {
    event: "hadr_capture_log_block",
    columns: [LOG_BLOCK, ...guids("availability_replica_id", "database_replica_id")],
    values: { availability_replica_id: SECONDARY, database_replica_id: DATABASE },
  },
  secondary: {
    event: "hadr_transport_receive_log_block_message",
    columns: [
      LOG_BLOCK,
      ...guids("target_availability_replica_id", "local_availability_replica_id", "database_replica_id"),
    ],
    values: {
      target_availability_replica_id: PRIMARY,
      local_availability_replica_id: SECONDARY,
      database_replica_id: DATABASE,
    },
  },
} as const;
type Server = keyof typeof SERVERS;
const BOTH: readonly Server[] = ["primary", "secondary"];

function fileOf(server: Server, guidsInPlace = false): Uint8Array {
  const { event, columns, values } = SERVERS[server];
  const packages = [{ name: "sqlserver", id: 2, events: [{ name: event, columns }] }];
  const writer = createXelWriter({ packages, guidsInPlace });
  for (let tick = 1; tick < 40; tick++) writer.write(event, tick, { log_block_id: tick, ...values });
  return writer.finish();
}

/**
 * As an earlier version left the file: the values after the columns are 0xFF except for zeros and the first two bytes.
 */
function overwrittenFile(server: Server): Uint8Array {
  const bytes = fileOf(server);
  const view = new DataView(bytes.buffer);
  const guidBytes = 16 * (SERVERS[server].columns.length - 1);
  for (const { offset } of readXelBytes(bytes).events) {
    const end = offset + 24 + view.getUint32(offset + 20, true);
    for (let at = end - guidBytes + 2; at < end; at++) if (bytes[at] !== 0) bytes[at] = 0xff;
  }
  return bytes;
}

/** As an earlier version took the file: GUIDs in place. */
function misreadFile(server: Server): Uint8Array {
  const bytes = fileOf(server);
  const name = Buffer.from("guid\0\0", "utf16le");
  bytes[Buffer.from(bytes).indexOf(name) + name.length] = 16;
  return bytes;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function recognised(bytes: Uint8Array, onColumns?: () => void): Promise<Recognized> {
  const file = {
    name: "a.xel",
    size: bytes.length,
    bytes: () => once(bytes),
    chunks: () => once(bytes),
    head: (length: number) => Promise.resolve(bytes.subarray(0, length)),
    tail: (length: number) => Promise.resolve(bytes.subarray(-length)),
  };
  return recognizeFile(file, { replace: () => Promise.reject(new Error("is no text")), onColumns });
}

function kept(found: Recognized, dropped?: CaptureFile["dropped"]): CaptureFile {
  return {
    id: "1",
    name: "a.xel",
    folder: null,
    path: "",
    sha256: "",
    size: 9,
    ...found,
    given: {},
    role: "ignored",
    replica: "",
    dropped,
  };
}

describe.each(BOTH)("a file of the %s", (server) => {
  test("whose ids were overwritten takes no part, and says why and what to do", async () => {
    let kept = 0;
    const found = await recognised(overwrittenFile(server), () => kept++);
    expect(found).toMatchObject({
      kind: "unreadable",
      message:
        "a.xel: An earlier version of AG Lens overwrote replica and database ids in this file. Upload the original file again.",
      identity: null,
      partnerIds: [],
    });
    expect(kept).toBe(0);
    expect(isMisread(found)).toBe(false);
  });

  test("that is as SQL Server wrote it, or has GUIDs in place, is right", async () => {
    for (const inPlace of [false, true]) {
      const found = await recognised(fileOf(server, inPlace));
      expect(found.kind).toBe("xel");
      expect(found.identity?.databases.map(({ id }) => id)).toEqual([DATABASE]);
      expect(found.partnerIds).toEqual([server === "primary" ? SECONDARY : PRIMARY]);
      expect(isMisread(found)).toBe(false);
    }
  });

  test("that was misread shows it by its ids, and has the right ones once it was read again", async () => {
    const misread = await recognised(misreadFile(server));
    const found = await recognised(fileOf(server));
    const file = kept({ ...misread, unclaimed: [] });
    expect(isMisread(file)).toBe(true);
    // A file that an even earlier version stored has no more than these.
    expect(isMisread({ ...file, identity: null })).toBe(true);
    expect(withRecognized(file, found)).toEqual(kept(found));
    expect(isMisread(withRecognized(file, overwritten(file.name)))).toBe(false);
  });

  test("that was misread was overwritten where something was dropped of it", async () => {
    const [misread, found] = [await recognised(misreadFile(server)), await recognised(fileOf(server))];
    const dropped = { values: 0, bytes: 167_300 };
    expect(isMisreadAndOverwritten(kept(misread, dropped))).toBe(true);
    expect(isMisreadAndOverwritten(kept(misread, { values: 0, bytes: 0 }))).toBe(false);
    expect(isMisreadAndOverwritten(kept(misread, null))).toBe(false);
    expect(isMisreadAndOverwritten(kept(misread))).toBe(false);
    expect(isMisreadAndOverwritten(kept(found, dropped))).toBe(false);
  });
});
