import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { joined, once, viewOf } from "../../test/bytes.ts";
import {
  decodeColumns,
  DEFAULT_LIMITS,
  openColumnStream,
  openEventStream,
  readXelBytes,
  type ColumnRequest,
  type EventBatch,
  type ReadLimits,
} from "./index.ts";
import { createXelWriter, type WriterColumn, type WriterSchema } from "../writer/index.ts";

/** A file of `events` events with `columns` text columns of `text` each, and one action. */
function fileOf(columns: number, text: string, events = 1, bufferBytes = 1 << 20): Uint8Array {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const schema: WriterSchema = {
    packages: [
      {
        name: "sqlserver",
        id: 2,
        events: [
          { name: "e", columns: names.map((name): WriterColumn => ({ name, type: "unicode_string" })) },
        ],
        actions: [{ name: "session_id", type: "uint16" }],
      },
    ],
  };
  const writer = createXelWriter(schema, { bufferBytes });
  const values = Object.fromEntries(names.map((name) => [name, text]));
  for (let index = 0; index < events; index++) writer.write("e", index, values, { session_id: 1 });
  return writer.finish();
}

/** Reads with limits and returns the number of events and the messages. */
function read(bytes: Uint8Array, limits: Partial<ReadLimits>): { events: number; messages: string } {
  const { events, report } = readXelBytes(bytes, { limits });
  return { events: events.length, messages: report.gaps.map((gap) => gap.message).join("\n") };
}

describe("limits are options, and what goes beyond one is reported", () => {
  const file = fileOf(3, "value");

  test.each([
    ["metadata reads", { metadataReads: 0 }, "metadata buffers are inside each other"],
    ["columns", { columns: 2 }, "3 columns; 2 are allowed"],
    ["actions", { actions: 0 }, "more than 0 actions"],
    ["names", { nameUnits: 5 }, "a name is longer than 5 characters"],
    ["packages", { packages: 1 }, "more than 1 packages"],
    ["objects", { objects: 1 }, "more than 1 objects"],
    ["value bytes", { valueBytes: 9 }, "a value has 10 bytes; 9 are allowed"],
    ["buffer bytes", { bufferBytes: 256 }, "no buffer begins at the expected byte"],
  ] as const)("%s", (_, limits, message) => {
    expect(read(file, {})).toEqual({ events: 1, messages: "" });
    const limited = read(file, limits);
    expect(limited.events).toBe(0);
    expect(limited.messages).toContain(message);
  });

  // Three columns of 10 bytes, one action; the longest name of the metadata is "Event schema version".
  test.each([
    ["columns", { columns: 3 }],
    ["actions", { actions: 1 }],
    ["names", { nameUnits: 20 }],
    ["packages", { packages: 2 }],
    ["objects", { objects: 2 }],
    ["value bytes", { valueBytes: 10 }],
    ["buffer bytes", { bufferBytes: viewOf(file).getUint32(512 + 16, true) }],
    ["metadata reads", { metadataReads: 1 }],
  ] as const)("and what is just at the limit of %s is read", (_, limits) => {
    expect(read(file, limits)).toEqual({ events: 1, messages: "" });
    const [[name, most]] = Object.entries(limits);
    expect(read(file, { [name]: most - 1 }).events).toBe(0);
  });

  test("an event may have as many actions as the limit says, as object and in columns", async () => {
    const actions = [0, 1, 2].map((n) => ({ name: `a${n}`, type: "uint8" as const }));
    const events = [{ name: "e", columns: [] }];
    const writer = createXelWriter({ packages: [{ name: "p", id: 1, events, actions }] });
    writer.write("e", 0, {}, { a0: 0, a1: 1, a2: 2 });
    writer.write("e", 1, {});
    const bytes = writer.finish();
    const request = { events: [{ name: "e", kind: 1, fields: [] }], columns: [] };
    for (const [most, found] of [
      [3, 2],
      [2, 1],
    ] as const) {
      // prettier-ignore
      const limits = { actions: most };
      expect(read(bytes, limits).events).toBe(found);
      const { columns, report } = await decodeColumns(once(bytes), request, { limits });
      expect(columns.length).toBe(found);
      expect(report.gaps.map(({ message }) => message)).toEqual(
        found === 2 ? [] : [expect.stringContaining("an event has more than 2 actions")],
      );
    }
  });

  test("values may take the bytes of their record as often as the limit says, wherever the record is", async () => {
    const request: ColumnRequest = {
      events: [{ name: "e", kind: 1, fields: [0, 1, 2].map((n) => ({ field: `c${n}`, column: `c${n}` })) }],
      columns: [0, 1, 2].map((n) => ({ name: `c${n}`, type: "text" })),
    };
    const two = fileOf(3, "value", 2);
    for (const { offset } of readXelBytes(two).events) {
      // 24 bytes of header, 3 descriptors, 3 texts of 10 bytes, an action of 10 and the list's end.
      const record = 24 + 24 + 30 + 10 + 8;
      for (const [more, events] of [
        [0, 2],
        [1, 1],
      ] as const) {
        // prettier-ignore
        const bytes = two.slice();
        for (const column of [0, 1, 2]) {
          const length = (record * 2) / 3 + (column === 0 ? more : 0);
          viewOf(bytes).setUint32(offset + 24 + column * 8, 0, true);
          viewOf(bytes).setUint32(offset + 24 + column * 8 + 4, length, true);
        }
        expect(read(bytes, { overlap: 2 }).events).toBe(events);
        const { columns } = await decodeColumns(once(bytes), request, { limits: { overlap: 2 } });
        expect(columns.length).toBe(events);
      }
    }
  });

  test("of a live stream as well", () => {
    const stream = openEventStream({ limits: { columns: 2 } });
    const length = viewOf(file).getUint32(512 + 16, true);
    const report = stream.push({ type: 1, data: file.subarray(512, 512 + length) });
    expect(report.undecoded?.message).toContain("3 columns; 2 are allowed");
  });

  test("each is documented, with its default", () => {
    const ROOT = join(import.meta.dirname, "../../../..");
    const document = readFileSync(join(ROOT, "docs/contribute/decoder-robustness.md"), "utf8");
    const shown = [...document.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|/gmu)].flatMap(
      ([, names, values]) => {
        const numbers = values.split(/, (?=\d)/u).map((value) => parsed(value));
        return [...names.matchAll(/\w+/gu)].map(([name], index): [string, number] => [name, numbers[index]]);
      },
    );
    expect(Object.fromEntries(shown)).toEqual(DEFAULT_LIMITS);
  });

  test("gaps beyond the limit are counted", () => {
    const many = fileOf(1, "value", 40, 100);
    const view = viewOf(many);
    const { events } = readXelBytes(many);
    // Every other event loses its version; each event is in a separate buffer.
    for (const { offset } of events.filter((_, index) => index % 2 === 1))
      view.setUint32(offset + 4, 0, true);
    const { report } = readXelBytes(many, { limits: { gaps: 5 } });
    expect(report.gaps).toHaveLength(5);
    expect(report.unlistedGaps).toBe(15);
    expect(report.clean).toBe(false);
    expect(readXelBytes(many, { limits: { gaps: 0 } }).report).toMatchObject({ gaps: [], clean: false });
  });
});

describe("texts of columns", () => {
  const request: ColumnRequest = {
    events: [{ name: "e", kind: 1, fields: [{ field: "c0", column: "a" }, { field: "c1", column: "b" }] }], // prettier-ignore
    columns: [
      { name: "a", type: "text" },
      { name: "b", type: "text" },
    ],
  };
  const texts = (column: string, { columns, dictionaries }: EventBatch): string[] =>
    Array.from(columns[column] as Uint16Array, (index) => dictionaries[column][index]);

  /**
   * 50 events whose two columns contain a text of 8 bytes each, different in every event, and the first ones once more.
   */
  function fileOfTexts(): Uint8Array {
    const columns = ["c0", "c1"].map((name): WriterColumn => ({ name, type: "unicode_string" }));
    const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
    for (let index = 0; index < 50; index++) {
      const n = String(index).padStart(3, "0");
      writer.write("e", index, { c0: `a${n}`, c1: `b${n}` });
    }
    writer.write("e", 50, { c0: "a000", c1: "b000" });
    return writer.finish();
  }

  test("have room together; those beyond share an entry, and the report says so", async () => {
    const bytes = fileOfTexts();
    const whole = await decodeColumns(once(bytes), request);
    expect(whole.columns.fullDictionaries).toEqual([]);
    expect(whole.report.clean).toBe(true);
    // A text and its key take 16 bytes: room for 10 texts, which the first filled column uses.
    const { columns, report } = await decodeColumns(once(bytes), request, {
      limits: { dictionaryBytes: 160 },
    });
    const kept = texts("a", whole.columns).map((text, row) =>
      row < 10 || row === 50 ? text : "(other values)",
    );
    expect(texts("a", columns)).toEqual(kept);
    expect(columns.dictionaries["a"]).toHaveLength(12);
    expect(columns.dictionaries["b"]).toEqual(["", "(other values)"]);
    expect(columns.fullDictionaries).toEqual(["a", "b"]);
    expect(report.gaps).toEqual(
      ["a", "b"].map((name) => ({
        code: "dictionary-full",
        offset: bytes.length,
        bytes: 0,
        eventsLost: 0,
        message: expect.stringContaining(
          `Column "${name}" has more than 65534 different texts, or all columns`,
        ),
      })),
    );
    expect(report.clean).toBe(false);
  });

  test("of a live stream have the same room", () => {
    const bytes = fileOfTexts();
    const stream = openColumnStream(request, { limits: { dictionaryBytes: 160 } });
    for (let at = HEADER; at < bytes.length;) {
      const end = at + viewOf(bytes).getUint32(at + 16, true);
      stream.push({ type: 0, data: bytes.slice(at, end) });
      at = end;
    }
    expect(stream.take().fullDictionaries).toEqual(["a", "b"]);
  });

  test("more than 65,534 different ones share an entry", async () => {
    const columns = [{ name: "c0", type: "unicode_string" } as const];
    const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
    for (let index = 0; index < 65_540; index++) writer.write("e", index, { c0: index.toString(36) });
    const batch = (await decodeColumns(once(writer.finish()), request)).columns;
    expect(batch.fullDictionaries).toEqual(["a"]);
    expect(batch.dictionaries["a"]).toHaveLength(65_536);
    const found = texts("a", batch);
    expect(found.slice(65_532)).toEqual([...[65_532, 65_533].map((n) => n.toString(36)), ...Array(6).fill("(other values)")]); // prettier-ignore
  });

  test("of bit masks do not grow with the number of their bits", async () => {
    const bytes = fileOfMasks();
    const asked: ColumnRequest = {
      events: [{ name: "e", kind: 1, fields: [{ field: "c", column: "a" }] }],
      columns: [{ name: "a", type: "text" }],
    };
    const { columns } = await decodeColumns(once(bytes), asked);
    expect(texts("a", columns).map((text) => text.length)).toEqual([7 * 2001 - 1, "(other values)".length]);
    expect(columns.fullDictionaries).toEqual(["a"]);
    const wide = await decodeColumns(once(bytes), asked, { limits: { mapUnits: 100_000 } });
    expect(texts("a", wide.columns).map((text) => text.length)).toEqual([7 * 2001 - 1, 31 * 2001 - 1]);
  });
});

describe("texts of bit masks", () => {
  const entries = [[1, "one"], [2, "four"]] as const; // prettier-ignore
  const pack = {
    name: "p",
    id: 1,
    maps: [{ name: "m", bytes: 4 as const, bitMask: true, entries }],
    events: [
      {
        name: "e",
        columns: [
          { name: "c", type: { map: "m" } },
          { name: "d", type: { map: "m" } },
        ],
      },
    ],
  };
  const fileOfTwo = (c: number, d: number): Uint8Array => {
    const writer = createXelWriter({ packages: [pack] });
    writer.write("e", 0, { c, d });
    return writer.finish();
  };

  test("of one event may have as many characters as the limit says, together", () => {
    // "one,four" and "one".
    const bytes = fileOfTwo(3, 1);
    expect(read(bytes, { mapUnits: 11 })).toEqual({ events: 1, messages: "" });
    expect(read(bytes, { mapUnits: 10 })).toMatchObject({
      events: 0,
      messages: expect.stringContaining("far longer than its record"),
    });
    // A bit without a text becomes the number.
    expect(read(fileOfTwo(12, 0), { mapUnits: 5 }).events).toBe(1);
    expect(read(fileOfTwo(12, 0), { mapUnits: 4 }).events).toBe(0);
  });

  test("of one value of a column count with a separator behind each", async () => {
    const request: ColumnRequest = {
      events: [{ name: "e", kind: 1, fields: [{ field: "c", column: "c" }] }],
      columns: [{ name: "c", type: "text" }],
    };
    const textWith = async (mapUnits: number): Promise<string> => {
      const { columns } = await decodeColumns(once(fileOfTwo(3, 3)), request, { limits: { mapUnits } });
      return columns.dictionaries["c"][Number(columns.columns["c"][0])];
    };
    expect(await textWith(9)).toBe("one,four");
    expect(await textWith(8)).toBe("(other values)");
  });
});

/** Two events with a bit mask of 7 and of 31 set bits, each with a text of 2000 characters. */
function fileOfMasks(): Uint8Array {
  const entries = Array.from({ length: 31 }, (_, bit): [number, string] => [2 ** bit, "t".repeat(2000)]);
  const writer = createXelWriter({
    packages: [
      {
        name: "sqlserver",
        id: 2,
        maps: [{ name: "m", bytes: 4, bitMask: true, entries }],
        events: [{ name: "e", columns: [{ name: "c", type: { map: "m" } }] }],
      },
    ],
  });
  writer.write("e", 0, { c: 0x7f });
  writer.write("e", 1, { c: 0x7fffffff });
  return writer.finish();
}

/** A number as the document prints it: `64 MiB`, `1024`, `100,000`. */
function parsed(text: string): number {
  const number = Number(/^[\d,]+/u.exec(text)![0].replaceAll(",", ""));
  return text.includes("MiB") ? number * 1024 * 1024 : number;
}

describe("memory is in proportion to the file", () => {
  const request: ColumnRequest = {
    events: [{ name: "e", kind: 1, fields: [0, 1, 2].map((n) => ({ field: `c${n}`, column: `c${n}` })) }],
    columns: [0, 1, 2].map((n) => ({ name: `c${n}`, type: "text" })),
  };

  test("a thousand columns that all name one run of 40,000 bytes are damage", async () => {
    const bytes = fileOf(1000, "x".repeat(20));
    const view = viewOf(bytes);
    const [{ offset }] = readXelBytes(bytes).events;
    for (let column = 0; column < 1000; column++) {
      view.setUint32(offset + 24 + column * 8, 0, true);
      view.setUint32(offset + 24 + column * 8 + 4, 40_000, true);
    }
    const { events, report } = readXelBytes(bytes);
    expect(events).toEqual([]);
    expect(report.gaps[0].message).toContain("far longer than its record");
    const { columns } = await decodeColumns(once(bytes), request);
    expect(columns.length).toBe(0);
  });

  test("columns do not take a value far longer than its record either", async () => {
    const bytes = fileOf(3, "", 400);
    const view = viewOf(bytes);
    const [{ offset }] = readXelBytes(bytes).events;
    view.setUint32(offset + 24 + 4, 20_000, true);
    const { columns, report } = await decodeColumns(once(bytes), request);
    expect(columns.length).toBe(399);
    expect(report.gaps).toMatchObject([{ offset, eventsLost: 1 }]);
  });

  test("a bit mask whose texts are long is damage", () => {
    const { events, report } = readXelBytes(fileOfMasks());
    expect(events).toHaveLength(1);
    expect(report.gaps).toMatchObject([{ code: "bad-event", eventsLost: 1 }]);
    expect(readXelBytes(fileOfMasks(), { limits: { mapUnits: 100_000 } }).events).toHaveLength(2);
  });
});

const LOOKS = ["getUint8", "getUint16", "getUint32", "getInt32", "getBigInt64"] as const;

/** How often the reader looks at the bytes of a file. */
function looks(bytes: Uint8Array): number {
  const spies = LOOKS.map((name) => vi.spyOn(DataView.prototype, name));
  try {
    readXelBytes(bytes);
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const HEADER = 512;
const CANDIDATE_BYTES = 64;
/** Largest number of looks per byte, for any file. */
const MOST_LOOKS = 50;

/** A valid metadata buffer, then `count` times the start of a buffer, each claiming more bytes than follow it. */
function nested(count: number, start: (view: DataView, at: number, rest: number) => void): Uint8Array {
  const sound = fileOf(1, "");
  const metadata = HEADER + viewOf(sound).getUint32(HEADER + 16, true);
  const bytes = new Uint8Array(metadata + count * CANDIDATE_BYTES + 512);
  bytes.set(sound.subarray(0, metadata));
  const view = viewOf(bytes);
  for (let index = 0; index < count; index++) {
    const at = metadata + index * CANDIDATE_BYTES;
    const rest = bytes.length - at;
    view.setUint16(at + 12, 10, true);
    view.setUint32(at + 16, rest + 1000, true);
    view.setUint16(at + 22, 32, true);
    view.setUint32(at + 24, rest - 32, true);
    start(view, at, rest);
  }
  return bytes;
}

describe("time is in proportion to the file, however its buffers are nested", () => {
  const sound = fileOf(1, "");
  const [{ offset }] = readXelBytes(sound).events;
  const rid = viewOf(sound).getUint32(offset, true);
  // After the head of the record and its one descriptor.
  const action = viewOf(sound).getUint32(offset + 24 + 8, true);
  const ways = {
    "events that claim all that follows": (view: DataView, at: number, rest: number) => {
      view.setUint32(at + 32, rid, true);
      view.setUint32(at + 36, 10, true);
      view.setUint32(at + 52, rest - 40, true);
    },
    "lists of actions without an end": (view: DataView, at: number) => {
      view.setUint32(at + 32, rid, true);
      view.setUint32(at + 36, 0x8000000a, true);
      view.setUint32(at + 52, 0, true);
      view.setUint32(at + 56, action, true);
      view.setUint32(at + 60, CANDIDATE_BYTES - 8, true);
    },
    "packages whose names have no end": (view: DataView, at: number) => {
      // None of its words is zero, so that a name continues through all that follow.
      for (const byte of [
        ...Array(12).keys(),
        20,
        21,
        28,
        29,
        30,
        31,
        ...Array.from({ length: 26 }, (_, n) => n + 38),
      ]) {
        view.setUint8(at + byte, 0x41);
      }
      view.setUint16(at + 14, 1, true);
      view.setUint32(at + 16, 0x200001, true);
      view.setUint32(at + 24, 0x180001, true);
      view.setUint16(at + 32, 10, true);
      view.setUint32(at + 34, 0x170001, true);
    },
  };

  test.each(Object.entries(ways))("%s", (_, start) => {
    const [small, large] = [nested(500, start), nested(2000, start)];
    const [one, four] = [looks(small), looks(large)];
    expect(one).toBeGreaterThan(5000);
    expect(one / small.length).toBeLessThan(MOST_LOOKS);
    expect(four / large.length).toBeLessThan(MOST_LOOKS);
  });
});

test("metadata that comes again and again costs columns only what its events need", async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `e${index}`);
  const parts = (events: readonly string[]): Uint8Array[] => {
    const made: Uint8Array[] = [];
    const columns = [{ name: "n", type: "uint8" } as const];
    const writer = createXelWriter(
      { packages: [{ name: "p", id: 1, events: events.map((name) => ({ name, columns })) }] },
      { onBuffer: (bytes) => made.push(bytes.slice()) },
    );
    writer.write("e0", 0, { n: 1 });
    writer.finish();
    return made;
  };
  const [header, metadata] = parts(names);
  const [, again, event] = parts(["e0"]);
  const bytes = joined(header, metadata, ...Array.from({ length: 50 }, () => [again, event]).flat());
  const request: ColumnRequest = {
    events: names.map((name) => ({ name, kind: 1, fields: [{ field: "n", column: "n" }] })),
    columns: [{ name: "n", type: "f64" }],
  };
  const spy = vi.spyOn(Map.prototype, "get");
  try {
    const { columns } = await decodeColumns(once(bytes), request);
    expect(columns.length).toBe(50);
    // Fifty times the 2000 types would be 100,000.
    expect(spy.mock.calls.length).toBeLessThan(5000);
  } finally {
    spy.mockRestore();
  }
});

test("a batch of more event types than rows goes to the right rows", async () => {
  const columns = ["a", "b"].map((name): WriterColumn => ({ name, type: "uint32" }));
  const events = Array.from({ length: 40 }, (_, index) => ({ name: `e${index}`, columns }));
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] }, { bufferBytes: 200 });
  const order = Array.from({ length: 200 }, (_, index) => (index * 7) % 40);
  for (const [row, type] of order.entries()) writer.write(`e${type}`, row, { a: row, b: row * 2 });
  const { columns: batch } = await decodeColumns(once(writer.finish()), {
    events: events.map(({ name }, kind) => ({
      name,
      kind,
      fields: [{ field: kind % 2 === 0 ? "a" : "b", column: "n" }],
    })),
    columns: [{ name: "n", type: "f64" }],
  });
  expect([...batch.kind]).toEqual(order);
  expect([...(batch.columns["n"] as Float64Array)]).toEqual(
    order.map((type, row) => (type % 2 === 0 ? row : row * 2)),
  );
});

test("a request that fills a column it does not declare is refused before anything is read", async () => {
  const request: ColumnRequest = {
    events: [{ name: "e", kind: 1, fields: [{ field: "c0", column: "none" }] }],
    columns: [],
  };
  await expect(decodeColumns(once(new Uint8Array(0)), request)).rejects.toThrow(TypeError);
});
