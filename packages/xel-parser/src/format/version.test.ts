import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buffersOf, once } from "../../test/bytes.ts";
import {
  decodeColumns,
  decodePart,
  openColumnStream,
  openEventStream,
  openXel,
  readXelBytes,
  splitXel,
  toJson,
} from "./index.ts";

const FOLDER = join(import.meta.dirname, "../../../../fixtures/captures/slow-network/primary");
const [NAME] = readdirSync(FOLDER);
const sound = readFileSync(join(FOLDER, NAME));

/**
 * The file as a server of format version `version` might write it: only the number differs
 * (docs/reference/xel-format.md 2.1, 2.2, 4).
 */
function withVersion(version: number): Uint8Array {
  const bytes = Uint8Array.from(sound);
  const view = new DataView(bytes.buffer);
  view.setUint16(4, version, true);
  for (let at = 512; at < bytes.length; at += view.getUint32(at + 16, true)) {
    view.setUint16(at + 12, version, true);
    if (view.getUint16(at + 14, true) !== 0) continue;
    const end = at + view.getUint16(at + 22, true) + view.getUint32(at + 24, true);
    for (let event = at + view.getUint16(at + 22, true); event < end;) {
      view.setUint32(event + 4, version, true);
      event += 24 + view.getUint32(event + 20, true);
    }
  }
  return bytes;
}

const HEADER_BYTES = 512;
const buffers = buffersOf(sound).map(({ offset }) => offset);

/** The file as rows of a live stream (docs/reference/xel-format.md 7). */
function rowsOf(bytes: Uint8Array) {
  const ends = [...buffers.slice(1), bytes.length];
  const rest = buffers.map((at, index) => ({ type: 0, data: bytes.slice(at, ends[index]) }));
  return [{ type: 2, data: bytes.slice(0, HEADER_BYTES) }, ...rest];
}

const readAt = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.slice(offset, offset + length);

const request = {
  events: [{ name: "hadr_capture_log_block", kind: 1, fields: [{ field: "log_block_id", column: "id" }] }],
  columns: [{ name: "id", type: "u64" as const }],
};

test.each([9, 11, 46_097])("version %i is refused by its number", (version) => {
  expect(() => readXelBytes(withVersion(version))).toThrow(
    expect.objectContaining({
      code: "unsupported-version",
      message: expect.stringContaining(`version ${version};`),
    }),
  );
});

test("another version is read by force, with what is around damage", async () => {
  const expected = readXelBytes(sound).events.map(toJson);
  const forced = readXelBytes(withVersion(11), { force: true });
  expect(forced.report.clean).toBe(true);
  expect(forced.events.map(toJson)).toEqual(expected);
  const { columns } = await decodeColumns(once(withVersion(11)), request, { force: true });
  expect(columns.columns["id"]).toEqual((await decodeColumns(once(sound), request)).columns.columns["id"]);
  const damaged = withVersion(11);
  damaged.fill(0xee, 60_000, 60_100);
  const { events, report } = readXelBytes(damaged, { force: true });
  expect(report.gaps.length).toBeGreaterThan(0);
  expect(events.length).toBeGreaterThan(expected.length / 2);
});

describe("other ways to read a file of another version", () => {
  const other = withVersion(11);
  const expected = readXelBytes(sound).events;

  test("by offset", async () => {
    await expect(openXel(readAt(other), other.length)).rejects.toMatchObject({
      code: "unsupported-version",
      message: expect.stringContaining("version 11;"),
    });
    const { report } = readXelBytes(other, { force: true });
    for (const options of [{ force: true }, { force: true, metadata: report.metadata }]) {
      const file = await openXel(readAt(other), other.length, options);
      for (const event of [expected[0], expected[500], expected.at(-1)!])
        expect(toJson(await file.eventAt(event.offset))).toBe(toJson(event));
    }
    // Metadata alone does not show the file's version; the record does.
    const unforced = await openXel(readAt(other), other.length, { metadata: report.metadata });
    await expect(unforced.eventAt(expected[0].offset)).rejects.toMatchObject({
      code: "unsupported-version",
      message: expect.stringContaining("version 11;"),
    });
  });

  test("in parts", async () => {
    await expect(splitXel(readAt(other), other.length, 2)).rejects.toMatchObject({
      code: "unsupported-version",
    });
    const parts = await splitXel(readAt(other), other.length, 2, { force: true });
    expect(parts).toHaveLength(2);
    const ids: bigint[] = [];
    for (const part of parts) {
      const chunks = once(other.slice(part.from, part.to));
      const { columns, report } = await decodePart(chunks, part, request, { force: true });
      expect(report.clean).toBe(true);
      ids.push(...(columns.columns["id"] as BigUint64Array));
    }
    const whole = await decodeColumns(once(sound), request);
    expect(ids).toEqual([...(whole.columns.columns["id"] as BigUint64Array)]);
  });

  test("as rows of a live stream", () => {
    const refusing = openEventStream();
    for (const row of rowsOf(other)) {
      const { decoded, undecoded } = refusing.push(row);
      expect(decoded).toEqual([]);
      expect(undecoded).toMatchObject({
        code: "unsupported-version",
        message: expect.stringContaining("version 11;"),
      });
    }
    const objects = openEventStream({ force: true });
    const columns = openColumnStream(request, { force: true });
    const events = rowsOf(other).flatMap((row) => {
      expect(columns.push(row).undecoded).toBeNull();
      return objects.push(row).decoded;
    });
    expect(events.map((event) => event.name)).toEqual(expected.map((event) => event.name));
    const captured = expected.filter(({ name }) => name === "hadr_capture_log_block");
    expect(columns.take().length).toBe(captured.length);
  });
});

describe("a version 11 inside a file of version 10 is reported by its number", () => {
  const [, , victim, next] = buffers;
  const whole = readXelBytes(sound).events;
  const outside = whole.filter(({ offset }) => offset < victim || offset >= next).map(toJson);

  /** The file with one event buffer of version 11. */
  function withBuffer(): Uint8Array {
    const bytes = Uint8Array.from(sound);
    bytes.set(withVersion(11).subarray(victim, next), victim);
    return bytes;
  }

  test("a buffer", async () => {
    const bytes = withBuffer();
    const { events, report } = readXelBytes(bytes);
    expect(events.map(toJson)).toEqual(outside);
    expect(report.gaps).toEqual([
      {
        code: "unsupported-version",
        offset: victim,
        bytes: next - victim,
        message: expect.stringContaining("a buffer has format version 11; only version 10"),
      },
    ]);
    expect((await decodeColumns(once(bytes), request)).report.gaps).toEqual(report.gaps);
    const forced = readXelBytes(bytes, { force: true });
    expect(forced.report.clean).toBe(true);
    expect(forced.events.map(toJson)).toEqual(whole.map(toJson));
  });

  test("the last buffer", () => {
    const last = buffers.at(-1)!;
    const bytes = Uint8Array.from(sound);
    bytes.set(withVersion(11).subarray(last), last);
    const { events, report } = readXelBytes(bytes);
    expect(events.length).toBe(whole.filter(({ offset }) => offset < last).length);
    expect(report.gaps).toMatchObject([
      { code: "unsupported-version", offset: last, bytes: sound.length - last },
    ]);
  });

  test("a record", async () => {
    const { offset } = whole[700];
    const bytes = Uint8Array.from(sound);
    bytes[offset + 4] = 11;
    const { events, report } = readXelBytes(bytes);
    expect(events.map(toJson)).toEqual(whole.filter((event) => event.offset !== offset).map(toJson));
    const gap = {
      code: "unsupported-version",
      offset,
      message: expect.stringContaining("an event has format version 11; only version 10"),
    };
    expect(report.gaps).toMatchObject([gap]);
    expect((await decodeColumns(once(bytes), request)).report.gaps).toEqual(report.gaps);
    const file = await openXel(readAt(bytes), bytes.length);
    await expect(file.eventAt(offset)).rejects.toMatchObject(gap);
    expect(readXelBytes(bytes, { force: true }).events.map(toJson)).toEqual(whole.map(toJson));
  });

  test("another file glued on", () => {
    const bytes = Buffer.concat([sound, withVersion(11)]);
    const { events, report } = readXelBytes(bytes);
    expect(events.map(toJson)).toEqual(whole.map(toJson));
    expect(report.gaps).toMatchObject([
      { code: "unsupported-version", offset: sound.length, bytes: sound.length },
    ]);
    expect(report.gaps[0].message).toContain("appended here has format version 11;");
    expect(readXelBytes(bytes, { force: true }).events).toHaveLength(whole.length * 2);
  });
});

test("force changes nothing for a file of version 10", () => {
  expect(readXelBytes(sound, { force: true }).events.map(toJson)).toEqual(
    readXelBytes(sound).events.map(toJson),
  );
});
