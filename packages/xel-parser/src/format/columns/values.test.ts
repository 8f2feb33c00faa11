/**
 * Value of a field of each type in a column of each type (docs/reference/xel-format.md 5). Expected values are written
 * by hand.
 */
import { describe, expect, test } from "vitest";
import { once, placeOf, randomOf, viewOf } from "../../../test/bytes.ts";
import { ABSENT_INT, decodeColumns, readXelBytes, type ColumnType, type EventBatch } from "../index.ts";
import {
  createXelWriter,
  type WritableType,
  type WriterColumn,
  type WriterMap,
  type WriterValue,
} from "../../writer/index.ts";

const COLUMN_TYPES: readonly ColumnType[] = ["f64", "int", "u64", "u8", "text"];

/** A file of one event type with one field; an event per value. */
function fileOf(type: WriterColumn["type"], values: readonly WriterValue[], maps?: readonly WriterMap[]) {
  const columns = [{ name: "field", type }];
  const pack = { name: "p", id: 1, events: [{ name: "e", columns }], ...(maps && { maps }) };
  const writer = createXelWriter({ packages: [pack] });
  for (const [tick, field] of values.entries()) writer.write("e", tick, { field });
  return writer.finish();
}

/** The field in a column of every type, named by that type. */
async function batchOf(file: Uint8Array): Promise<EventBatch> {
  const fields = COLUMN_TYPES.map((type) => ({ field: "field", column: type }));
  const columns = COLUMN_TYPES.map((type) => ({ name: type, type }));
  const { columns: batch, report } = await decodeColumns(once(file), {
    events: [{ name: "e", kind: 0, fields }],
    columns,
  });
  expect(report.clean).toBe(true);
  return batch;
}

const textsOf = ({ columns, dictionaries }: EventBatch, column = "text"): string[] =>
  Array.from(columns[column] as Uint8Array | Uint16Array, (index) => dictionaries[column][index]);

const TWO_64 = 1n << 64n;

describe("a number is the same in every column that can hold it", () => {
  test.each<readonly [WritableType, WriterValue, number, bigint, number, string]>([
    // type, written, as number, as 64 bits, low 8 bits, as text
    ["int8", -1, 255, 255n, 255, "255"],
    ["int16", -2, -2, TWO_64 - 2n, 0xfe, "-2"],
    ["int32", -300, -300, TWO_64 - 300n, 0xd4, "-300"],
    ["int64", -5_000_000_001n, -5_000_000_001, TWO_64 - 5_000_000_001n, 0xff, "-5000000001"],
    ["uint8", 200, 200, 200n, 200, "200"],
    ["uint16", 60_000, 60_000, 60_000n, 0x60, "60000"],
    ["uint32", 4_000_000_007, 4_000_000_007, 4_000_000_007n, 7, "4000000007"],
    ["uint64", (1n << 40n) + 12n, 1_099_511_627_788, 1_099_511_627_788n, 12, "1099511627788"],
    ["cpu_cycle", 3_000_000_001n, 3_000_000_001, 3_000_000_001n, 1, "3000000001"],
    ["ptr", 0x1_2345_abcdn, 4_886_735_821, 4_886_735_821n, 0xcd, "0x000000012345ABCD"],
    ["filetime", 10_000_001n, 10_000_001, 10_000_001n, 0x81, "1601-01-01T00:00:01.0000001Z"],
    ["boolean", true, 1, 1n, 1, "true"],
    ["boolean", false, 0, 0n, 0, "false"],
  ])("%s %s", async (type, written, number, word, byte, text) => {
    const batch = await batchOf(fileOf(type, [written]));
    expect(batch.columns["f64"][0]).toBe(number);
    expect(batch.columns["int"][0]).toBe(number);
    expect(batch.columns["u64"][0]).toBe(word);
    // A pointer, a time and a cycle count are no integers of the format: a byte column gets no part of them.
    if (!["ptr", "filetime", "cpu_cycle"].includes(type)) expect(batch.columns["u8"][0]).toBe(byte);
    expect(textsOf(batch)).toEqual([text]);
  });

  test.each<readonly [WritableType, number]>([
    ["float32", 1.5],
    ["float64", -2.25],
  ])("%s with a fraction needs the wide form", async (type, value) => {
    const batch = await batchOf(fileOf(type, [7, value]));
    expect(batch.columns["f64"]).toEqual(Float64Array.of(7, value));
    expect(batch.columns["int"]).toEqual(Float64Array.of(7, value));
    expect(textsOf(batch)).toEqual(["7", String(value)]);
  });

  test("whole floats take 32 bits; a float that is no number is like a field the event lacks", async () => {
    const { columns } = await batchOf(fileOf("float64", [3, Number.NaN, -4]));
    expect(columns["int"]).toEqual(Int32Array.of(3, ABSENT_INT, -4));
    expect(columns["f64"]).toEqual(Float64Array.of(3, Number.NaN, -4));
  });

  test("any byte of a boolean but 0 is true", async () => {
    const file = fileOf("boolean", [true, false]);
    const [{ offset }] = readXelBytes(file).events;
    viewOf(file).setUint8(offset + 24, 0x80);
    const batch = await batchOf(file);
    for (const column of ["f64", "int", "u8"])
      expect(Array.from(batch.columns[column], Number)).toEqual([1, 0]);
    expect(batch.columns["u64"]).toEqual(BigUint64Array.of(1n, 0n));
  });
});

test("a field of each type is followed by the next one, however long it is", async () => {
  const types = [
    ["int8", 7],
    ["uint8", 200],
    ["int16", -2],
    ["uint16", 60_000],
    ["int32", -300],
    ["uint32", 4_000_000_007],
    ["int64", -5_000_000_001n],
    ["uint64", 5_000_000_001n],
    ["float32", 1.5],
    ["float64", -2.25],
    ["boolean", true],
    ["cpu_cycle", 9n],
    ["filetime", 11n],
    ["ptr", 13n],
  ] as const;
  const columns = types.flatMap(([type], i) => [
    { name: `field${i}`, type },
    { name: `behind${i}`, type: "int32" as const },
  ]);
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  const values = types.flatMap(([, value], i) => [
    [`field${i}`, value],
    [`behind${i}`, 1_000 + i],
  ]);
  writer.write("e", 1, Object.fromEntries(values) as Record<string, WriterValue>);
  const names = columns.map(({ name }) => name);
  const { columns: read } = await decodeColumns(once(writer.finish()), {
    events: [{ name: "e", kind: 0, fields: names.map((field) => ({ field, column: field })) }],
    columns: names.map((name) => ({ name, type: "f64" as const })),
  });
  expect(names.map((name) => read.columns[name][0])).toEqual(
    types.flatMap(([, value], i) => [Number(value), 1_000 + i]),
  );
});

describe("whole numbers take 32 bits from -2,147,483,647 to 2,147,483,647", () => {
  const most = 2_147_483_647n;
  test.each<readonly [WritableType, bigint]>([
    ["int64", most],
    ["int64", -most],
    ["int64", -1n],
    ["int64", 0n],
    ["uint64", 0n],
    ["uint32", 0n],
    ["int32", 0n],
    ["cpu_cycle", 0n],
    ["ptr", 0n],
    ["uint64", most],
    ["uint32", most],
    ["int32", most],
    ["int32", -most],
    ["cpu_cycle", most],
    ["ptr", most],
    ["float64", most],
    ["float64", -most],
  ])("%s %i", async (type, value) => {
    const written = type === "float64" ? Number(value) : value;
    const { columns } = await batchOf(fileOf(type, [1, written]));
    expect(columns["int"]).toEqual(Int32Array.of(1, Number(value)));
  });

  test.each<readonly [WritableType, bigint]>([
    ["int64", most + 1n],
    ["int64", -most - 1n],
    ["int64", -most - 2n],
    ["int64", 1n << 32n],
    ["int64", (1n << 32n) + 5n],
    ["int64", -(1n << 32n)],
    ["uint64", most + 1n],
    ["uint64", (1n << 32n) - 1n],
    ["uint64", 1n << 32n],
    ["uint64", (1n << 40n) + 7n],
    ["uint32", most + 1n],
    ["uint32", (1n << 32n) - 1n],
    ["int32", -most - 1n],
    ["cpu_cycle", (1n << 32n) - 1n],
    ["ptr", most + 1n],
    ["float64", most + 1n],
    ["float64", -most - 1n],
  ])("beyond them %s %i makes the column doubles", async (type, value) => {
    const written = type === "float64" ? Number(value) : value;
    const { columns } = await batchOf(fileOf(type, [1, written, 2]));
    expect(columns["int"]).toEqual(Float64Array.of(1, Number(value), 2));
  });
});

describe("what is no number", () => {
  const GUID = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";
  test.each<readonly [WritableType, WriterValue, string]>([
    ["ansi_string", "AB", "AB"],
    ["unicode_string", "A\u20ac\u{1f4be}", "A\u20ac\u{1f4be}"],
    ["xml", "<a/>", "<a/>"],
    ["guid", GUID, GUID],
    ["binary_data", Uint8Array.of(0, 0xab, 0xff), "0x00abff"],
    ["callstack", "0x1\n0xabc", "0x0000000000000001\r\n0x0000000000000ABC\r\n"],
    ["activity_id", `${GUID}:7`, `${GUID}:7`],
    ["activity_id_xfer", `${GUID}:4294967295`, `${GUID}:4294967295`],
  ])("%s is its text, and absent in a column of numbers", async (type, written, text) => {
    const batch = await batchOf(fileOf(type, [written]));
    expect(textsOf(batch)).toEqual([text]);
    expect(batch.columns["f64"]).toEqual(Float64Array.of(Number.NaN));
    expect(batch.columns["int"]).toEqual(Int32Array.of(ABSENT_INT));
    expect(batch.columns["u64"]).toEqual(BigUint64Array.of(0n));
    expect(batch.columns["u8"]).toEqual(Uint8Array.of(0));
  });

  test("an empty text is a value of its own text, and no index is lost to it", async () => {
    const batch = await batchOf(fileOf("unicode_string", ["a", "", "b", "", "a"]));
    expect(textsOf(batch)).toEqual(["a", "", "b", "", "a"]);
  });

  test("the same bytes in two encodings are two texts of one column", async () => {
    const events = (["ansi_string", "unicode_string", "binary_data"] as const).map((type) => ({
      name: type,
      columns: [{ name: "field", type }],
    }));
    const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] });
    // 41 42: "AB" as ASCII, U+4241 as UTF-16.
    for (let tick = 0; tick < 4; tick += 2) {
      writer.write("ansi_string", tick, { field: "AB" });
      writer.write("unicode_string", tick + 1, { field: "\u4241" });
      writer.write("binary_data", tick + 1, { field: Uint8Array.of(0x41, 0x42) });
    }
    const { columns: batch } = await decodeColumns(once(writer.finish()), {
      events: events.map(({ name }, kind) => ({ name, kind, fields: [{ field: "field", column: "text" }] })),
      columns: [{ name: "text", type: "text" }],
    });
    expect(textsOf(batch)).toEqual(["AB", "\u4241", "0x4142", "AB", "\u4241", "0x4142"]);
  });
});

describe("GUIDs", () => {
  const guids = async (values: readonly string[]): Promise<string[]> => {
    const { columns: batch } = await decodeColumns(once(fileOf("guid", values)), {
      events: [{ name: "e", kind: 0, fields: [{ field: "field", column: "guid" }] }],
      columns: [{ name: "guid", type: "guid" }],
    });
    return textsOf(batch, "guid");
  };

  test("that differ in any one of their four words are different ones, as columns and as objects", async () => {
    const zero = "00000000-0000-0000-0000-000000000000";
    const values = [
      zero,
      "00000001-0000-0000-0000-000000000000",
      zero,
      "00000000-0001-0000-0000-000000000000",
      zero,
      "00000000-0000-0000-0100-000000000000",
      zero,
      "00000000-0000-0000-0000-000000000001",
      zero,
    ];
    expect(await guids(values)).toEqual(values);
    const { events } = readXelBytes(fileOf("guid", values));
    expect(events.map(({ fields }) => fields["field"])).toEqual(values);
  });

  test("of which there are more than are remembered, again and again", async () => {
    const some = Array.from({ length: 700 }, (_, n) => `${(n * 7919).toString(16).padStart(8, "0")}-0000-0000-0000-${(n * 31).toString(16).padStart(12, "0")}`); // prettier-ignore
    const values = [...some, ...some.toReversed(), ...some];
    expect(await guids(values)).toEqual(values);
    const { events } = readXelBytes(fileOf("guid", values));
    expect(events.map(({ fields }) => fields["field"])).toEqual(values);
  });
});

describe("maps", () => {
  const entries = [
    [0, "None"],
    [1, "Read"],
    [255, "Last of a byte"],
    [256, "Beyond a byte"],
    [0xffff_fff1, "Negative"],
  ] as const;

  test.each<readonly [1 | 2 | 4 | 8, readonly number[], readonly number[], readonly string[]]>([
    // A byte has no sign; two have one; of eight the low four count.
    [1, [0, 1, 255, 7], [0, 1, 255, 7], ["None", "Read", "Last of a byte", "7"]],
    [2, [256, 255, -15, -16], [256, 255, -15, -16], ["Beyond a byte", "Last of a byte", "Negative", "-16"]],
    [4, [256, -15, 70_000, 1], [256, -15, 70_000, 1], ["Beyond a byte", "Negative", "70000", "Read"]],
    [8, [256, -15, 2 ** 32 + 1, 0], [256, -15, 1, 0], ["Beyond a byte", "Negative", "Read", "None"]],
  ])("of %i bytes are their code as a number, and its text", async (bytes, written, codes, texts) => {
    const batch = await batchOf(
      fileOf({ map: "m" }, [...written, ...written], [{ name: "m", bytes, entries }]),
    );
    expect(textsOf(batch)).toEqual([...texts, ...texts]);
    expect(batch.columns["int"]).toEqual(Int32Array.of(...codes, ...codes));
    expect(batch.columns["f64"]).toEqual(Float64Array.of(...codes, ...codes));
    expect(batch.columns["u64"]).toEqual(
      BigUint64Array.from([...codes, ...codes], (code) => BigInt.asUintN(64, BigInt(code))),
    );
    expect(batch.columns["u8"]).toEqual(Uint8Array.of(...codes, ...codes));
  });

  test("a bit mask's texts, with the number in place of a bit that has none", async () => {
    const map = { name: "m", bytes: 4 as const, bitMask: true, entries: [[1, "one"], [4, "four"], [0x8000_0000, "top"]] as const }; // prettier-ignore
    const batch = await batchOf(fileOf({ map: "m" }, [0, 5, 7, -2_147_483_648], [map]));
    expect(textsOf(batch)).toEqual(["", "one,four", "one,7,four", "top"]);
  });
});

test("a pointer of a 32-bit server is as wide as its file says", async () => {
  const columns = [{ name: "field", type: "ptr" }, { name: "after", type: "uint16" }] as const; // prettier-ignore
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  writer.write("e", 0, { field: 0x8000_0001n, after: 3 });
  const file = writer.finish();
  // The size is after the type's name and its empty description.
  viewOf(file).setUint8(placeOf(file, "ptr") + 8 + 2, 4);
  const batch = await batchOf(file);
  expect(textsOf(batch)).toEqual(["0x80000001"]);
  expect(batch.columns["f64"]).toEqual(Float64Array.of(2_147_483_649));
  expect(batch.columns["int"]).toEqual(Float64Array.of(2_147_483_649));
});

test("few events of many types are filled as many of few are", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `e${n}`);
  const columns = [{ name: "n", type: "uint32" }, { name: "text", type: "unicode_string" }] as const; // prettier-ignore
  const events = names.map((name) => ({ name, columns }));
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] });
  // All types first, so that each is known; then a buffer with fewer events than types.
  const written = [...names.keys(), 39, 0, 17, 0];
  for (const [tick, n] of written.entries()) {
    if (tick === names.length) writer.flush();
    writer.write(`e${n}`, tick, { n: n * 10, text: `t${n}` });
  }
  const { columns: batch } = await decodeColumns(once(writer.finish()), {
    events: names.map((name, kind) => ({
      name,
      kind,
      fields: ["n", "text"].map((field) => ({ field, column: field })),
    })),
    columns: [
      { name: "n", type: "int" },
      { name: "text", type: "text" },
    ],
  });
  expect([...batch.kind]).toEqual(written);
  expect([...batch.columns["n"]]).toEqual(written.map((n) => n * 10));
  expect(textsOf(batch)).toEqual(written.map((n) => `t${n}`));
});

test("texts whose bytes have one hash stay different texts", async () => {
  const texts = collidingTexts();
  expect(new Set(texts.map((text) => hashOf(text))).size).toBe(1);
  const values = [...texts, ...texts.toReversed(), ...texts];
  expect(textsOf(await batchOf(fileOf("unicode_string", values)))).toEqual(values);
});

/** FNV-1a of a text's bytes, begun with the type as in the dictionary: colliding texts can only be created with it. */
function hashOf(text: string, from = 0x811c9dc5 ^ 20): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ (text.charCodeAt(at) & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (text.charCodeAt(at) >> 8), 0x01000193);
  }
  return hash;
}

/** Sixteen texts of one hash: four times two pieces that lead to the same state. */
function collidingTexts(): string[] {
  const random = randomOf(7);
  let texts = [""];
  for (let piece = 0; piece < 4; piece++) {
    const state = hashOf(texts[0]);
    const seen = new Map<number, string>();
    for (;;) {
      const text = String.fromCharCode(
        ...Array.from({ length: 4 + random.below(2) }, () => 0x4e00 + random.below(20_000)),
      );
      const hash = hashOf(text, state);
      const other = seen.get(hash);
      seen.set(hash, text);
      if (other === undefined || other === text) continue;
      texts = texts.flatMap((before) => [before + other, before + text]);
      break;
    }
  }
  return texts;
}

test("hundreds of event types, each found by its id", async () => {
  const names = Array.from({ length: 300 }, (_, n) => `e${n}`);
  const columns = [{ name: "n", type: "uint32" }] as const;
  const writer = createXelWriter({
    packages: [{ name: "p", id: 1, events: names.map((name) => ({ name, columns })) }],
  });
  // In another order than that of their ids, and each twice.
  const written = Array.from({ length: 600 }, (_, n) => (n * 7) % 300);
  for (const [tick, n] of written.entries()) writer.write(`e${n}`, tick, { n });
  const wanted = names.filter((_, n) => n % 3 !== 0);
  const { columns: batch, report } = await decodeColumns(once(writer.finish()), {
    events: wanted.map((name, index) => ({ name, kind: index % 256, fields: [{ field: "n", column: "n" }] })),
    columns: [{ name: "n", type: "int" }],
  });
  expect(report).toMatchObject({ events: 600, clean: true });
  expect([...batch.columns["n"]]).toEqual(written.filter((n) => n % 3 !== 0));
  expect([...batch.kind]).toEqual(
    written.filter((n) => n % 3 !== 0).map((n) => wanted.indexOf(`e${n}`) % 256),
  );
});

test("an event without columns may end with the file's last byte", async () => {
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns: [] }] }] });
  writer.write("e", 7, {});
  const file = writer.finish();
  const [{ offset }] = readXelBytes(file).events;
  const start = 512 + viewOf(file).getUint32(512 + 16, true);
  const bytes = file.slice(0, offset + 24);
  viewOf(bytes).setUint32(start + 16, bytes.length - start, true);
  const { events, report } = readXelBytes(bytes);
  expect(report.clean).toBe(true);
  expect(events.map((event) => Object.keys(event.fields))).toEqual([[]]);
  const { columns: batch } = await decodeColumns(once(bytes), {
    events: [{ name: "e", kind: 3, fields: [] }],
    columns: [],
  });
  expect([...batch.kind]).toEqual([3]);
});
