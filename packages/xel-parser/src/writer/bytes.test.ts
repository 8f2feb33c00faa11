/**
 * Output of the writer, byte by byte: expected bytes are put together by hand from docs/reference/xel-format.md. This
 * verifies the writer against the document. A fault of the document is in both: only real files show the bytes that SQL
 * Server writes (docs/evidence.md).
 */
import { describe, expect, test } from "vitest";
import { createXelWriter, XelWriteError, type WritableType, type WriterValue } from "./index.ts";

const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const little = (value: number | bigint, bytes: number): string => {
  let digits = "";
  for (let i = 0; i < bytes; i++)
    digits += ((BigInt(value) >> BigInt(8 * i)) & 0xffn).toString(16).padStart(2, "0");
  return digits;
};
const u8 = (value: number): string => little(value, 1);
const u16 = (value: number): string => little(value, 2);
const u32 = (value: number): string => little(value, 4);
const u64 = (value: number | bigint): string => little(value, 8);
/** UTF-16LE that a zero character ends. */
const wz = (text: string): string => `${Array.from(text, (c) => u16(c.charCodeAt(0))).join("")}0000`;
/** The first three groups little-endian. */
const guid = (text: string): string => {
  const [a, b, c, d, e] = text.split("-");
  return little(BigInt(`0x${a}`), 4) + little(BigInt(`0x${b}`), 2) + little(BigInt(`0x${c}`), 2) + d + e;
};

const FILE_GUID = "01234567-89ab-cdef-0123-456789abcdef";
const EVENT_GUID = "fedcba98-7654-3210-fedc-ba9876543210";
const START = 131_069_746_150_000_000n;

/** The file's pieces: header, metadata, then each event buffer. */
function piecesOf(
  write: (writer: ReturnType<typeof createXelWriter>) => void,
  bufferBytes = 1000,
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "p",
          id: 5,
          description: "of a test",
          events: [
            { name: "e", uuid: EVENT_GUID, description: "d", columns: [{ name: "a", type: "uint8" }, { name: "t", type: "unicode_string" }, { name: "m", type: { map: "m" } }] }, // prettier-ignore
          ],
          actions: [{ name: "x", type: "uint16" }],
          maps: [{ name: "n", bytes: 4, entries: [] }, { name: "m", bytes: 2, bitMask: true, entries: [[1, "y"], [0x8000_0000, "z"]] }], // prettier-ignore
        },
      ],
    },
    { fileGuid: FILE_GUID, startTicks: START, bufferBytes, onBuffer: (bytes) => pieces.push(bytes) },
  );
  write(writer);
  writer.finish();
  return pieces;
}

const [header, metadata] = piecesOf(() => undefined);
const dataOf = (buffer: Uint8Array): Uint8Array => {
  const view = new DataView(buffer.buffer, buffer.byteOffset);
  const from = view.getUint16(22, true);
  return buffer.subarray(from, from + view.getUint32(24, true));
};

test("the file header (2.1)", () => {
  expect(header).toHaveLength(512);
  expect(hex(header)).toBe(`5a37abef${u16(10)}${u16(512)}${guid(FILE_GUID)}`.padEnd(1024, "0"));
});

describe("metadata (3)", () => {
  const data = dataOf(metadata);
  const records: string[] = [];
  for (let at = 0; at < data.length;) {
    const size = new DataView(data.buffer, data.byteOffset).getUint32(at + 2, true);
    records.push(hex(data.subarray(at, at + size)));
    at += size;
  }

  /** A record without its size, which is put before it when its length is known. */
  function record(afterSize: string): string {
    const size = Math.ceil((6 + afterSize.length / 2) / 16) * 16;
    return `${u16(10)}${u32(size)}${afterSize}`.padEnd(size * 2, "0");
  }
  const head = guid(FILE_GUID) + u16(0) + u16(1) + u16(0) + u32(0) + u64(START) + u64(10_000_000);
  /** Heads of the eight collections: kind, version, size of an object, number of objects. */
  const collections = (counts: readonly number[]): string =>
    [72, 72, 56, 48, 80, 96, 40, 32]
      .map((size, kind) => u32(kind) + u16(0) + u16(size) + u32(counts[kind]))
      .join("");

  test("a record of a package: clock, objects, sizes", () => {
    const event =
      u16(10) + u8(2) + u8(0) + u32(0x0000_0005) + wz("e") + wz("d") +
      u16(2) + u16(0) + u16(3) + u16(2) +
      u32(0x6000_4000) + wz("UUID") + guid(EVENT_GUID) + wz("Globally Unique ID") +
      u32(0x6000_1400) + wz("VERSION") + u64(1) + wz("Event schema version") +
      u32(0x6000_1400) + wz("a") + u16(0) + u16(0) + wz("") +
      u32(0x6000_5000) + wz("t") + u16(1) + u16(0) + wz("") +
      u32(0x3000_0405) + wz("m") + u16(9) + u16(0) + wz(""); // prettier-ignore
    const action =
      u16(0) + u8(2) + u8(0) + u32(0x1000_0005) + wz("x") + wz("") + u32(0x6000_1800) + u32(0) + u32(0);
    const plain = u16(0) + u8(0) + u8(0) + u32(0x3000_0005) + wz("n") + wz("") + u8(4) + u16(0);
    const mask =
      u16(0) + u8(0) + u8(1) + u32(0x3000_0405) + wz("m") + wz("") + u8(2) + u16(2) +
      u32(1) + wz("y") + u32(0x8000_0000) + wz("z"); // prettier-ignore
    // Its own two ids are computed from its name; only their places are known.
    const object = u16(10) + u8(0) + u8(0) + u32(0x8000_0005) + wz("p") + wz("of a test");
    const ids = records[1].slice(12 + head.length + object.length, 12 + head.length + object.length + 64);
    expect(ids).toMatch(/^[0-9a-f]{64}$/u);
    expect(ids.slice(0, 32)).not.toBe(ids.slice(32));
    expect(records[1]).toBe(
      record(
        head + object + ids + u16(0) + u32(8) + collections([1, 1, 0, 2, 0, 0, 0, 0]) +
          u32(1) + event + u32(1) + action + u32(2) + plain + mask + u32(0), // prettier-ignore
      ),
    );
  });

  test("package0 comes first, with the 28 types and their sizes (5.1)", () => {
    const types: readonly (readonly [string, number])[] = [
      ["null", 0], ["int8", 1], ["int16", 2], ["int32", 4], ["int64", 8], ["uint8", 1], ["uint16", 2], ["uint32", 4],
      ["uint64", 8], ["float32", 4], ["float64", 8], ["cpu_cycle", 8], ["filetime", 8], ["ptr", 8],
      ["ansi_string_ptr", 8], ["unicode_string_ptr", 8], ["guid_ptr", 8], ["char", 1], ["wchar", 2],
      ["ansi_string", 0], ["unicode_string", 0], ["guid", 0], ["binary_data", 0], ["callstack", 0],
      ["activity_id", 20], ["activity_id_xfer", 20], ["boolean", 1], ["xml", 0],
    ]; // prettier-ignore
    const listed = types
      .map(
        ([name, size], index) =>
          `${u32(0)}${u32(0x6000_0000 + index * 0x400)}${wz(name)}${wz("")}${u8(size)}`,
      )
      .join("");
    const object = u16(10) + u8(0) + u8(1) + u32(0x8000_0000) + wz("package0") + wz("");
    const id = guid("60aa9fbf-673b-4553-b7ed-71dca7f5e972");
    const rest =
      u16(0) + u32(8) + collections([0, 0, 0, 0, 0, 0, 28, 0]) + u32(0) + u32(0) + u32(0) + u32(28) + listed;
    const at = 12 + head.length + object.length + id.length;
    const module = records[0].slice(at, at + 32);
    expect(records[0]).toBe(record(head + object + id + module + rest));
    expect(records).toHaveLength(2);
  });
});

describe("buffers (2.2)", () => {
  /** A buffer with a number of data bytes. */
  const headerOf = (type: number, data: number, padded: number): string =>
    `${u64(0)}ffffffff${u16(10)}${u16(type)}${u32(padded)}${u16(0)}${u16(76)}${u32(data)}${u32(0)}`;

  test("of metadata: no signature behind the header", () => {
    const { length } = dataOf(metadata);
    expect(metadata.length).toBe(Math.ceil((76 + length) / 512) * 512);
    expect(hex(metadata.subarray(0, 76))).toBe(headerOf(1, length, metadata.length).padEnd(152, "0"));
  });

  test("of events: the signature, then zeros; filler to a multiple of 512", () => {
    const [, , buffer] = piecesOf((writer) => writer.write("e", 1, { a: 1 }));
    expect(hex(buffer.subarray(0, 76))).toBe((headerOf(0, 35, 512) + guid(FILE_GUID)).padEnd(152, "0"));
    expect(hex(buffer.subarray(76 + 35))).toBe("".padEnd((512 - 111) * 2, "0"));
  });

  test("one that ends at a multiple of 512 has no filler", () => {
    // A record has 24 + 11 + 2 n bytes: of 76 + 24 + 11 + 401 = 512 bytes none is free, but a text has an even number.
    const [, , buffer] = piecesOf((writer) => writer.write("e", 1, { t: "x".repeat(200) }));
    expect(buffer.length).toBe(512);
    const [, , longer] = piecesOf((writer) => writer.write("e", 1, { t: "x".repeat(201) }));
    expect(longer.length).toBe(1024);
  });

  test("filler is zero also where a longer buffer was before", () => {
    const [, , , second] = piecesOf((writer) => {
      writer.write("e", 1, { t: "x".repeat(300) });
      writer.flush();
      writer.write("e", 2, { a: 2 });
    });
    expect(hex(second.subarray(76 + 35))).toBe("".padEnd((512 - 111) * 2, "0"));
  });

  test("are closed when the next event would go beyond the limit, and hold an event at least", () => {
    const sizes = (bufferBytes: number, texts: readonly number[]): number[] =>
      piecesOf((writer) => {
        for (const length of texts) writer.write("e", 0, { t: "x".repeat(length) });
      }, bufferBytes)
        .slice(2)
        .map((buffer) => dataOf(buffer).length);
    // Records of 35 bytes and two per character.
    expect(sizes(70, [0, 0, 0])).toEqual([70, 35]);
    expect(sizes(69, [0, 0, 0])).toEqual([35, 35, 35]);
    expect(sizes(1, [0, 0])).toEqual([35, 35]);
    expect(sizes(70, [0, 5000, 0])).toEqual([35, 10_035, 35]);
  });

  test("size counts what is written and the open buffer; flush closes it once", () => {
    const pieces: Uint8Array[] = [];
    const writer = createXelWriter(
      { packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [{ name: "a", type: "uint8" }] }] }] },
      { onBuffer: (bytes) => pieces.push(bytes) },
    );
    const before = pieces.reduce((sum, { length }) => sum + length, 0);
    expect(writer.size()).toBe(before);
    writer.write("e", 0, {});
    expect(writer.size()).toBe(before + 76 + 25);
    writer.flush();
    writer.flush();
    expect(pieces).toHaveLength(3);
    expect(writer.size()).toBe(before + 512);
    expect(writer.finish()).toHaveLength(0);
    expect(pieces).toHaveLength(3);
  });

  test("are of one mebibyte without a limit", () => {
    const columns = [{ name: "t", type: "unicode_string" }] as const;
    const pieces: Uint8Array[] = [];
    const writer = createXelWriter(
      { packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] },
      { onBuffer: (bytes) => pieces.push(bytes) },
    );
    // 32 + 2 x 131,056 bytes are a quarter of it.
    const text = "x".repeat(131_056);
    for (let n = 0; n < 4; n++) writer.write("e", n, { t: text });
    expect(pieces).toHaveLength(2);
    writer.write("e", 4, {});
    expect(dataOf(pieces[2]).length).toBe(1 << 20);
  });
});

/** The payload of the one event of a file, whose event type has one column. */
function payloadOf(type: WritableType | { map: string }, value: WriterValue, asAction = false): string {
  const column = { name: "v", type };
  const writer = createXelWriter({
    packages: [
      {
        name: "p",
        id: 1,
        maps: [1, 2, 4, 8].map((bytes) => ({
          name: `m${bytes}`,
          bytes: bytes as 1,
          entries: [[7, "seven"]] as const,
        })),
        events: [{ name: "e", columns: asAction ? [] : [column] }],
        ...(asAction ? { actions: [{ name: "v", type: type as WritableType }] } : {}),
      },
    ],
  });
  writer.write("e", 0, asAction ? {} : { v: value }, asAction ? { v: value } : undefined);
  const file = writer.finish();
  const view = new DataView(file.buffer);
  const buffer = 512 + view.getUint32(528, true);
  return hex(dataOf(file.subarray(buffer)).subarray(24));
}

const GUID = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";
const GUID_BYTES = "bf9faa603b675345b7ed71dca7f5e972";
const TEXT_AT_8 = (bytes: number): string => u32(8) + u32(bytes);

describe("values (5.1)", () => {
  const cases: readonly (readonly [WritableType, WriterValue, string])[] = [
    ["int8", -1, "ff"],
    ["uint8", 200, "c8"],
    ["uint8", 200n, "c8"],
    ["uint8", true, "01"],
    ["uint8", false, "00"],
    ["int16", -2, "feff"],
    ["uint16", 0x1234, "3412"],
    ["int32", -2, "feffffff"],
    ["uint32", 0x12345678, "78563412"],
    ["int64", -2, "feffffffffffffff"],
    ["int64", -(2 ** 32), "00000000ffffffff"],
    ["int64", 2 ** 32 + 5, "0500000001000000"],
    ["int64", "-12", "f4ffffffffffffff"],
    ["uint64", "0xFf", "ff00000000000000"],
    ["uint64", 0xffff_ffff_ffff_fffen, "feffffffffffffff"],
    ["cpu_cycle", 3n, "0300000000000000"],
    ["filetime", 116_444_736_000_000_000n, "00803ed5deb19d01"],
    ["ptr", "0x00000000ABCDEF01", "01efcdab00000000"],
    ["float32", 1.5, "0000c03f"],
    ["float32", 2n, "00000040"],
    ["float64", -2.25, "00000000000002c0"],
    ["boolean", true, "01"],
    ["boolean", 5, "01"],
    ["boolean", 0, "00"],
    ["activity_id", `${GUID}:258`, `${GUID_BYTES}02010000`],
    ["activity_id", GUID, `${GUID_BYTES}00000000`],
    [
      "activity_id_xfer",
      Uint8Array.from({ length: 20 }, (_, n) => n),
      "000102030405060708090a0b0c0d0e0f10111213",
    ],
  ];
  test.each(cases)("%s %s in a column", (type, value, expected) => {
    expect(payloadOf(type, value)).toBe(expected);
  });
  test.each(cases)("%s %s in an action", (type, value, expected) => {
    const end = "0000006000000000";
    expect(payloadOf(type, value, true)).toBe(u32(0x1000_0001) + u32(expected.length / 2) + expected + end);
  });

  const texts: readonly (readonly [WritableType, WriterValue, string])[] = [
    ["ansi_string", "AB", "4142"],
    ["unicode_string", "A\u20ac", "4100ac20"],
    ["xml", "<", "3c00"],
    ["unicode_string", Uint8Array.of(1, 2, 3), "010203"],
    ["binary_data", Uint8Array.of(0xaa, 0), "aa00"],
    ["binary_data", new Uint8Array(0), ""],
    ["callstack", "0x1\r\n0xABC\r\n", "0100000000000000bc0a000000000000"],
    ["callstack", "  0x2", "0200000000000000"],
    ["callstack", Uint8Array.of(9), "09"],
    ["guid", GUID, GUID_BYTES],
    ["guid", GUID.toUpperCase(), GUID_BYTES],
    ["guid", Uint8Array.from({ length: 16 }, (_, n) => n), "000102030405060708090a0b0c0d0e0f"],
  ];
  test.each(texts)("%s %s behind its descriptor", (type, value, expected) => {
    expect(payloadOf(type, value)).toBe(TEXT_AT_8(expected.length / 2) + expected);
  });
  test.each(texts)("%s %s in an action", (type, value, expected) => {
    const list = u32(0x1000_0001) + u32(expected.length / 2) + expected;
    expect(payloadOf(type, value, true)).toBe(`${list}0000006000000000`);
  });

  test.each<readonly [string, WriterValue, string]>([
    ["m1", "seven", "07"],
    ["m1", 300, "2c"],
    ["m1", 5n, "05"],
    ["m2", 0x1234, "3412"],
    ["m2", (1n << 32n) + 9n, "0900"],
    ["m4", "seven", "07000000"],
    ["m4", -2, "feffffff"],
    ["m8", "seven", "0700000000000000"],
    ["m8", -2, "feffffffffffffff"],
    ["m8", (1n << 40n) + 1n, "0100000000010000"],
  ])("map %s %s", (map, value, expected) => {
    expect(payloadOf({ map }, value)).toBe(expected);
  });

  test.each<readonly [WritableType | { map: string }, WriterValue]>([
    ["uint8", "5"],
    ["float64", "1.5"],
    ["int64", 0.5],
    ["int64", 2 ** 53],
    ["int64", "5x"],
    ["int64", "x5"],
    ["int64", "0x"],
    ["int64", true],
    ["guid", "60aa9fbf673b4553b7ed71dca7f5e972"],
    ["guid", new Uint8Array(15)],
    ["guid", ` ${GUID}`],
    ["activity_id", new Uint8Array(19)],
    ["binary_data", "text"],
    ["unicode_string", 5],
    ["ansi_string", true],
    [{ map: "m4" }, "eight"],
    [{ map: "m8" }, "eight"],
    [{ map: "m8" }, 0.5],
  ])("%j cannot hold %j", (type, value) => {
    expect(() => payloadOf(type, value)).toThrow(
      expect.objectContaining({ name: "XelWriteError", code: "badValue" }),
    );
  });
});

describe("what cannot be written", () => {
  const columns = [{ name: "n", type: "uint64" }, { name: "t", type: "unicode_string" }] as const; // prettier-ignore
  const schema = {
    packages: [
      {
        name: "p",
        id: 1,
        events: [{ name: "e", columns }],
        actions: [{ name: "x", type: "uint8" as const }],
      },
      {
        name: "q",
        id: 2,
        events: [
          { name: "e", columns: [] },
          { name: "f", columns: [] },
        ],
      },
    ],
  };
  const codeOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(XelWriteError);
      return (error as XelWriteError).code;
    }
    return "nothing thrown";
  };

  test.each<readonly [string, () => unknown]>([
    ["unknownName", () => createXelWriter(schema).write("g", 0, {})],
    ["unknownName", () => createXelWriter(schema).write("q.x", 0, {})],
    ["unknownName", () => createXelWriter(schema).write("e", 0, { other: 1 })],
    ["unknownName", () => createXelWriter(schema).write("e", 0, {}, { other: 1 })],
    ["badValue", () => createXelWriter(schema).write("e", 0, { n: "many" })],
    ["badValue", () => createXelWriter(schema, { fileGuid: "none" })],
    ["schema", () => createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [columns[0], columns[0]] }] }] })], // prettier-ignore
    ["schema", () => createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [{ name: "m", type: { map: "m" } }] }] }] })], // prettier-ignore
    ["schema", () => createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [{ name: "m", type: "uint7" as "uint8" }] }] }] })], // prettier-ignore
  ])("%s", (code, act) => {
    expect(codeOf(act)).toBe(code);
  });

  test("leaves nothing of the event behind, and the next one is written", () => {
    const good = createXelWriter(schema);
    good.write("e", 1, { n: 1, t: "one" }, { x: 1 });
    good.write("e", 2, { n: 2, t: "two" });
    const tried = createXelWriter(schema);
    tried.write("e", 1, { n: 1, t: "one" }, { x: 1 });
    expect(() => tried.write("e", 9, { n: "bad", t: "a long text that was begun" })).toThrow(XelWriteError);
    expect(() => tried.write("e", 9, { n: 9 }, { x: 1, other: 1 })).toThrow(XelWriteError);
    tried.write("e", 2, { n: 2, t: "two" });
    expect(hex(tried.finish())).toBe(hex(good.finish()));
  });

  test("a name alone means the first package that has it, package.name any", () => {
    const ids = (name: string): string => {
      const writer = createXelWriter(schema);
      writer.write(name, 0, {});
      const file = writer.finish();
      const buffer = 512 + new DataView(file.buffer).getUint32(528, true);
      return hex(dataOf(file.subarray(buffer)).subarray(0, 4));
    };
    expect([ids("e"), ids("p.e"), ids("q.e"), ids("f")]).toEqual([
      "01000000",
      "01000000",
      "02000000",
      "02040000",
    ]);
  });
});

test("an event type without an id has one made of its name, always the same", () => {
  const uuidOf = (name: string): string => {
    const file = createXelWriter({
      packages: [{ name: "p", id: 1, events: [{ name, columns: [] }] }],
    }).finish();
    const at = hex(file).indexOf(wz("UUID")) / 2 + 10;
    return hex(file.subarray(at, at + 16));
  };
  expect(uuidOf("log_flush_start")).toBe(uuidOf("log_flush_start"));
  expect(uuidOf("log_flush_start")).not.toBe(uuidOf("log_flush_staru"));
  // FNV-1a of the empty text is its start, 811c9dc5, combined with 0, 1, 2 and 3.
  expect(uuidOf("")).toBe(guid("811c9dc5-811c-9dc4-811c-9dc7811c9dc6"));
});

test("another package0 of the schema gives its name to the first record", () => {
  const file = createXelWriter({
    packages: [
      { name: "p", id: 1 },
      { name: "base", id: 0, events: [{ name: "e", columns: [] }] },
    ],
  }).finish();
  expect(hex(file)).toContain(wz("base"));
  expect(hex(file)).not.toContain(wz("package0"));
  expect(hex(file).indexOf(wz("base"))).toBeLessThan(hex(file).indexOf(u32(0x8000_0001) + wz("p")));
});
