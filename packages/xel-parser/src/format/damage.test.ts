import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { describe, expect, test } from "vitest";
import { once } from "../../test/bytes.ts";
import {
  decodeColumns,
  readXelBytes,
  XelFormatError,
  type ColumnRequest,
  type XelErrorCode,
  type XelEvent,
} from "./index.ts";
import { createXelWriter, type WriterSchema } from "../writer/index.ts";

const EVENTS = 600;
const SCHEMA: WriterSchema = {
  packages: [
    {
      name: "sqlserver",
      id: 2,
      events: [
        {
          name: "log_flush_start",
          columns: [
            { name: "database_id", type: "uint32" },
            { name: "log_block_id", type: "uint64" },
          ],
        },
        {
          name: "statement",
          columns: [
            { name: "number", type: "uint32" },
            { name: "text", type: "unicode_string" },
          ],
        },
      ],
      actions: [{ name: "session_id", type: "uint16" }],
    },
  ],
};
const REQUEST: ColumnRequest = {
  events: [
    {
      name: "log_flush_start",
      kind: 1,
      fields: [
        { field: "database_id", column: "number" },
        { field: "log_block_id", column: "block" },
      ],
    },
    {
      name: "statement",
      kind: 2,
      fields: [
        { field: "number", column: "number" },
        { field: "text", column: "text" },
      ],
    },
  ],
  columns: [
    { name: "number", type: "f64" },
    { name: "block", type: "u64" },
    { name: "text", type: "text" },
  ],
};

/** A file of 600 numbered events; `buffers` are the file offsets of its event buffers. */
function makeFile(): { bytes: Uint8Array; buffers: number[]; numbersIn: number[][] } {
  const pieces: Uint8Array[] = [];
  const writer = createXelWriter(SCHEMA, { bufferBytes: 4096, onBuffer: (bytes) => pieces.push(bytes) });
  for (let index = 0; index < EVENTS; index++) {
    if (index % 2 === 0)
      writer.write("log_flush_start", index, { database_id: index, log_block_id: BigInt(index) });
    else writer.write("statement", index, { number: index, text: `statement ${index}` }, { session_id: 51 });
  }
  writer.finish();
  const bytes = Buffer.concat(pieces);
  const starts = pieces.map((_, index) =>
    pieces.slice(0, index).reduce((sum, piece) => sum + piece.length, 0),
  );
  const buffers = starts.slice(2);
  const { events } = readXelBytes(bytes);
  const numbersIn = buffers.map((start, index) => {
    const end = buffers[index + 1] ?? bytes.length;
    return events.filter((event) => event.offset >= start && event.offset < end).map(numberOf);
  });
  return { bytes, buffers, numbersIn };
}

function numberOf(event: XelEvent): number {
  return Number(event.fields["database_id"] ?? event.fields["number"]);
}

const file = makeFile();
const { buffers } = file;
const VICTIM = 3;
const start = buffers[VICTIM];

function changed(edit: (bytes: Buffer, view: DataView) => void): Buffer {
  const bytes = Buffer.from(file.bytes);
  edit(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return bytes;
}

function without(offset: number, count: number): Buffer {
  return Buffer.concat([file.bytes.subarray(0, offset), file.bytes.subarray(offset + count)]);
}

function withInserted(offset: number, inserted: Uint8Array): Buffer {
  return Buffer.concat([file.bytes.subarray(0, offset), inserted, file.bytes.subarray(offset)]);
}

describe("damage inside one buffer", () => {
  const middle = start + 1500;
  const victims = readXelBytes(file.bytes).events.filter(({ offset }) => offset < buffers[VICTIM + 1]);
  const lastEvent = victims.at(-1)!.offset;
  const toLast = buffers.at(-1)! - start;
  const toEnd = file.bytes.length - start;
  /** Lost part: code, offset in the buffer, bytes, and events lost where that is known. */
  type Loss = readonly [code: XelErrorCode, from: number, bytes: number, eventsLost?: number];
  // The buffer's data takes bytes 76 to 4136 of its 4608: 70 records, of 36 and 80 bytes in turn. Those around the damage
  // begin at 1468, 1548, 1584, ..., 2012, 2048, 2128.
  const whole = (code: XelErrorCode = "bad-buffer-header"): [number, Loss[]] => [
    EVENTS - 70,
    [[code, 0, 4608]],
  ];
  const filler = (eventsLost?: number): [number, Loss[]] => {
    const loss = ["bad-buffer-header", 4136, 472] as const;
    return [EVENTS, [eventsLost === undefined ? loss : [...loss, eventsLost]]];
  };
  const cases: readonly (readonly [string, Uint8Array, [number, Loss[]]])[] = [
    [
      "wrong version in the buffer header",
      changed((_, view) => view.setUint16(start + 12, 11, true)),
      whole("unsupported-version"),
    ],
    ["unknown buffer type", changed((_, view) => view.setUint16(start + 14, 3, true)), whole()],
    ["padded length 0", changed((_, view) => view.setUint32(start + 16, 0, true)), whole()],
    ["padded length of 4 GB", changed((_, view) => view.setUint32(start + 16, 0xffffffff, true)), whole()],
    [
      "padded length past the file's end",
      changed((_, view) => view.setUint32(start + 16, 1 << 25, true)),
      filler(),
    ],
    [
      "padded length too long by 512",
      changed((_, view) => view.setUint32(start + 16, 4608 + 512, true)),
      filler(),
    ],
    [
      // The record at 504 exceeds the length: all data from there to the next buffer is lost.
      "padded length too short",
      changed((_, view) => view.setUint32(start + 16, 512, true)),
      [EVENTS - 63, [["bad-event", 504, 4104]]],
    ],
    [
      "padded length to the last buffer",
      changed((_, view) => view.setUint32(start + 16, toLast, true)),
      filler(0),
    ],
    [
      "padded length to the file's end",
      changed((_, view) => view.setUint32(start + 16, toEnd, true)),
      filler(0),
    ],
    [
      "padded length to the file's end and data length too long",
      changed((_, view) => {
        view.setUint32(start + 16, toEnd - 20, true);
        view.setUint32(start + 24, view.getUint32(start + 24, true) + 50, true);
      }),
      [EVENTS, [["bad-event", 4136, 472]]],
    ],
    [
      "padded length past the file's end and a last event as long as two buffers",
      changed((_, view) => {
        view.setUint32(start + 16, 1 << 25, true);
        view.setUint32(lastEvent + 20, 6000, true);
      }),
      filler(),
    ],
    [
      "data offset beyond the buffer",
      changed((_, view) => view.setUint16(start + 22, 0xffff, true)),
      whole(),
    ],
    ["data offset inside the header", changed((_, view) => view.setUint16(start + 22, 4, true)), whole()],
    [
      "data length of 4 GB",
      changed((_, view) => view.setUint32(start + 24, 0xffffffff, true)),
      [EVENTS, [["bad-event", 4136, 472]]],
    ],
    ["garbage over the header", changed((bytes) => bytes.fill(0xa5, start, start + 40)), whole()],
    [
      "garbage among the events",
      changed((bytes) => bytes.fill(0xff, middle, middle + 512)),
      [EVENTS - 9, [["bad-event", 1468, 2012 - 1468]]],
    ],
    [
      // The first record keeps its lengths: its text is empty, and zeros end its actions 8 bytes after it.
      "zeros among the events",
      changed((bytes) => bytes.fill(0, middle, middle + 300)),
      [EVENTS - 5, [["bad-event", 1538, 1816 - 1538]]],
    ],
    [
      "tens among the events",
      changed((bytes) => bytes.fill(10, middle, middle + 300)),
      [EVENTS - 6, [["bad-event", 1468, 1816 - 1468]]],
    ],
    [
      // The data ends a byte before its declared length.
      "a byte missing",
      without(middle, 1),
      [
        EVENTS - 1,
        [
          ["bad-event", 1468, 1547 - 1468],
          ["bad-event", 4135, 472],
        ],
      ],
    ],
    [
      // The next buffer begins a byte late; the bytes there read as a header with another version.
      "a byte too many",
      withInserted(middle, Uint8Array.of(7)),
      [
        EVENTS - 1,
        [
          ["bad-event", 1468, 1549 - 1468],
          ["unsupported-version", 4608, 1],
        ],
      ],
    ],
    [
      "a sector missing",
      without(middle, 512),
      [
        EVENTS - 10,
        [
          ["bad-event", 1538, 2128 - 512 - 1538],
          ["bad-event", 3624, 472],
        ],
      ],
    ],
  ];

  test.each(cases)("%s", async (_, bytes, [kept, losses]) => {
    const { events, report } = readXelBytes(bytes);
    const numbers = new Set(events.map(numberOf));
    for (const [index, expected] of file.numbersIn.entries()) {
      if (index !== VICTIM) expect(expected.filter((number) => !numbers.has(number))).toEqual([]);
    }
    expect(numbers.size).toBe(kept);
    expect(report).toMatchObject({ events: kept, clean: false, fileSize: bytes.length });
    expect(report.unfinished).toBeUndefined();
    expect(report.gaps).toEqual(
      losses.map(([code, from, lost, eventsLost]) => ({
        code,
        offset: start + from,
        bytes: lost,
        message: expect.stringMatching(new RegExp(`^${lost} damaged bytes were skipped: .*\\.$`)),
        ...(eventsLost === undefined ? {} : { eventsLost }),
      })),
    );
    const { columns, report: ofColumns } = await decodeColumns(once(bytes), REQUEST);
    expect([...(columns.columns["number"] as Float64Array)]).toEqual(events.map(numberOf));
    const { shape, ...sameAsOfObjects } = ofColumns;
    expect(sameAsOfObjects).toEqual(report);
    expect(shape!.events.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
  });

  test("events before the damage in the buffer are kept", () => {
    const victims = file.numbersIn[VICTIM];
    const { events } = readXelBytes(file.bytes);
    const before = events.filter((event) => victims.includes(numberOf(event)) && event.offset + 200 < middle);
    expect(before.length).toBeGreaterThan(5);
    const damaged = readXelBytes(changed((bytes) => bytes.fill(0xff, middle, middle + 512)));
    const kept = new Set(damaged.events.map(numberOf));
    expect(before.map(numberOf).filter((number) => !kept.has(number))).toEqual([]);
  });

  test("a descriptor that points past the file costs its event only", () => {
    const { events } = readXelBytes(file.bytes);
    const victim = events.find((event) => event.name === "statement" && event.offset > start)!;
    // Inline part: uint32 number, then the descriptor's offset and length.
    for (const [field, value] of [
      [4, 0x7fffffff],
      [8, 0x7fffffff],
      [8, 0xffffffff],
    ] as const) {
      const bytes = changed((_, view) => view.setUint32(victim.offset + 24 + field, value, true));
      const damaged = readXelBytes(bytes);
      const kept = new Set(damaged.events.map(numberOf));
      expect(kept.has(numberOf(victim))).toBe(false);
      expect(
        file.numbersIn.flatMap((numbers, index) =>
          index === VICTIM ? [] : numbers.filter((n) => !kept.has(n)),
        ),
      ).toEqual([]);
      expect(damaged.report.gaps).toHaveLength(1);
      expect(damaged.report.gaps[0]).toMatchObject({ code: "bad-event", offset: victim.offset });
    }
  });

  test("an event type that is not in the metadata is named", () => {
    const first = start + 76;
    const damaged = readXelBytes(changed((_, view) => view.setUint32(first, 0x00000c02, true)));
    expect(damaged.report.gaps[0]).toMatchObject({ code: "unknown-event", offset: first });
    expect(damaged.report.gaps[0].message).toContain("0x00000c02");
  });

  test("an action that is not in the metadata is reported", () => {
    const { events } = readXelBytes(file.bytes);
    const victim = events.find((event) => event.name === "statement" && event.offset > start)!;
    const view = new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
    const actions = victim.offset + 24 + view.getUint32(victim.offset + 20, true);
    const damaged = readXelBytes(changed((_, edited) => edited.setUint32(actions, 0x10000802, true)));
    expect(damaged.report.gaps).toMatchObject([{ code: "unknown-action", offset: victim.offset }]);
  });
});

describe("the file's two ends", () => {
  test("metadata destroyed: no event, no crash, a sentence", () => {
    const damaged = readXelBytes(changed((bytes) => bytes.fill(0xee, 512 + 76, 512 + 400)));
    expect(damaged.events).toEqual([]);
    expect(damaged.report.gaps.map((gap) => gap.code)).toContain("bad-metadata");
  });

  test("every length the file can be cut to keeps the events that are whole", () => {
    const { events } = readXelBytes(file.bytes);
    for (let length = 8; length < file.bytes.length; length += 97) {
      const cut = readXelBytes(file.bytes.subarray(0, length));
      const whole = events.filter((_, index) => (events[index + 1]?.offset ?? file.bytes.length) <= length);
      expect(cut.events.length).toBeGreaterThanOrEqual(whole.length - 1);
      expect(cut.report.fileSize).toBe(length);
      expect(cut.report.clean).toBe([512, ...buffers].includes(length));
    }
  });

  test("a zeroed tail is the normal end", () => {
    for (const zeros of [4, 31, 32, 512, 100_000]) {
      const { events, report } = readXelBytes(Buffer.concat([file.bytes, Buffer.alloc(zeros)]));
      expect(events).toHaveLength(EVENTS);
      expect(report.clean).toBe(true);
    }
  });

  test("a last buffer that is still being written is normal, and its whole events are read", () => {
    const last = buffers.at(-1)!;
    for (const written of [200, 1000, 1500]) {
      // Its room is there, with zeros after the written bytes.
      const bytes = changed((edited) => edited.fill(0, last + written));
      const { events, report } = readXelBytes(bytes);
      const whole = readXelBytes(file.bytes.subarray(0, last + written)).events;
      expect(events.slice(0, whole.length).map(numberOf)).toEqual(whole.map(numberOf));
      // A record whose head was written reads like one of zeros.
      expect(events.length - whole.length).toBeLessThanOrEqual(1);
      expect(report.gaps).toMatchObject([{ code: "truncated" }]);
      expect(report.unfinished).toBe(true);
    }
    expect(readXelBytes(file.bytes.subarray(0, last + 1000)).report.unfinished).toBe(true);
    expect(readXelBytes(file.bytes).report.unfinished).toBeUndefined();
  });

  test("a file glued to another is read with its own clock", () => {
    const other = createXelWriter(SCHEMA, { bufferBytes: 4096, startTicks: 130_000_000_000_000_000n });
    for (let index = 0; index < 10; index++) other.write("log_flush_start", index, { database_id: index });
    const second = other.finish();
    for (const first of [file.bytes, file.bytes.subarray(0, file.bytes.length - 700)]) {
      const { events, report } = readXelBytes(Buffer.concat([first, second]));
      const glued = events.filter(({ offset }) => offset >= first.length);
      expect(glued.map(({ ticks }) => ticks - 130_000_000_000_000_000n)).toEqual(
        Array.from({ length: 10 }, (_, index) => BigInt(index)),
      );
      expect(report.gaps.length).toBeGreaterThan(0);
    }
    const whole = readXelBytes(Buffer.concat([file.bytes, second])).report;
    expect(whole.gaps).toMatchObject([{ code: "joined-file", offset: file.bytes.length, bytes: 512 }]);
  });

  test("a zeroed header costs its own buffer only: those behind it bear the file's signature", () => {
    const { events, report } = readXelBytes(changed((bytes) => bytes.fill(0, start, start + 32)));
    expect(events).toHaveLength(EVENTS - file.numbersIn[VICTIM].length);
    expect(report.gaps).toMatchObject([
      { code: "zeroed", offset: start, bytes: buffers[VICTIM + 1] - start },
    ]);
  });

  test("what another file left behind the end is reported but not read", () => {
    const bytes = changed((edited) => edited.fill(0, start, start + 32));
    for (const later of buffers.slice(VICTIM + 1)) bytes.fill(0x77, later + 32, later + 48);
    const { events, report } = readXelBytes(bytes);
    expect(events).toHaveLength(file.numbersIn.slice(0, VICTIM).flat().length);
    expect(report.gaps).toMatchObject([{ code: "data-after-end", offset: buffers[VICTIM + 1] }]);
  });

  test.each([
    ["nothing", new Uint8Array(0), "empty-file", 0],
    ["seven bytes", Buffer.from("5a37abef0a0000", "hex"), "not-xel", 0],
    ["text", Buffer.from("<event name='x'/>"), "not-xel", 0],
    ["version 9", changed((_, view) => view.setUint16(4, 9, true)), "unsupported-version", 4],
    ["version 11", changed((_, view) => view.setUint16(4, 11, true)), "unsupported-version", 4],
  ] as const)("%s is no .xel file", (_, bytes, code, offset) => {
    let thrown: unknown;
    try {
      readXelBytes(bytes);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(XelFormatError);
    expect(thrown).toMatchObject({ code, offset });
  });

  test("a header with a wrong length still leads to the buffers", () => {
    const { events, report } = readXelBytes(changed((_, view) => view.setUint16(6, 500, true)));
    expect(events).toHaveLength(EVENTS);
    expect(report.gaps).toMatchObject([{ offset: 500, bytes: 12 }]);
  });
});

describe("where a file ends, to the byte", () => {
  const last = buffers.at(-1)!;
  const view = new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  const dataEnd = last + 76 + view.getUint32(last + 24, true);
  const lastEvents = readXelBytes(file.bytes).events.filter(({ offset }) => offset >= last);
  const cut = (length: number) => readXelBytes(file.bytes.subarray(0, length));

  test("inside the filler of its last buffer, or just behind its last event: no event is lost", () => {
    for (const length of [dataEnd, dataEnd + 1, file.bytes.length - 1]) {
      const { events, report } = cut(length);
      expect(events).toHaveLength(EVENTS);
      expect(report.gaps).toEqual([
        {
          code: "truncated",
          offset: dataEnd,
          bytes: length - dataEnd,
          eventsLost: 0,
          message:
            "The file ends inside a buffer: no event is lost. It may still be being written, or was copied in part.",
        },
      ]);
    }
  });

  test("inside an event: what follows the last whole one is lost", () => {
    const { offset } = lastEvents.at(-1)!;
    for (const length of [dataEnd - 1, offset + 1]) {
      const { events, report } = cut(length);
      expect(events).toHaveLength(EVENTS - 1);
      expect(report.gaps).toEqual([
        {
          code: "truncated",
          offset,
          bytes: length - offset,
          message:
            "The file ends inside a buffer: data after its last complete event is lost. It may still be being written, or was copied in part.",
        },
      ]);
    }
  });

  test.each([1, 11, 31])("%i bytes into a buffer's header, which zeros at the end are not", (bytes) => {
    const { events, report } = cut(last + bytes);
    expect(events).toHaveLength(EVENTS - lastEvents.length);
    // The header begins with zeros; its sequence number is the first field that isn't zero.
    expect(report.gaps).toMatchObject(bytes < 9 ? [] : [{ code: "truncated", offset: last, bytes }]);
    expect(report.unfinished).toBe(bytes < 9 ? undefined : true);
  });

  test.each([8, 100, 511])("%i bytes into its own header", (length) => {
    expect(cut(length).report.gaps).toEqual([
      {
        code: "truncated",
        offset: 0,
        bytes: length,
        message: "The file ends inside its header: it contains no events.",
      },
    ]);
  });

  test.each([
    [64, "truncated"],
    [63, "bad-event"],
  ])("data that ends in %i zeros: %s", (zeros, code) => {
    const { offset } = lastEvents.at(-5)!;
    const bytes = changed((edited, edit) => {
      edited.fill(0, offset);
      edit.setUint32(last + 24, offset + zeros - last - 76, true);
    });
    const { events, report } = readXelBytes(bytes);
    expect(events).toHaveLength(EVENTS - 5);
    expect(report.gaps).toMatchObject([{ code, offset, bytes: bytes.length - offset }]);
    expect(report.unfinished).toBe(code === "truncated" ? true : undefined);
  });
});

describe("another file behind this one", () => {
  const START_OF_OTHER = 130_000_000_000_000_000n;
  const second = (startTicks: bigint, fileGuid?: string): Uint8Array => {
    const other = createXelWriter(SCHEMA, { bufferBytes: 4096, startTicks, ...(fileGuid && { fileGuid }) });
    for (let index = 0; index < 10; index++) other.write("log_flush_start", index, { database_id: index });
    return other.finish();
  };
  const OWN_GUID = "00000000-1111-2222-3333-444444444444";

  test("whose header was lost is recognized by its clock", () => {
    const other = second(START_OF_OTHER, OWN_GUID);
    const bytes = Buffer.concat([file.bytes, Buffer.alloc(700, 0xee), other.subarray(512)]);
    const { events, report } = readXelBytes(bytes);
    expect(events.slice(EVENTS).map(({ ticks }) => ticks - START_OF_OTHER)).toEqual(
      Array.from({ length: 10 }, (_, index) => BigInt(index)),
    );
    expect(report.gaps).toMatchObject([{ code: "bad-buffer-header", offset: file.bytes.length, bytes: 700 }]);
    expect(report.metadata.map(({ restart }) => restart)).toEqual([undefined, true]);
  });

  test("that is the same session's, by its clock, goes on with this one's metadata", () => {
    const own = readXelBytes(file.bytes).events[0].ticks;
    const bytes = Buffer.concat([file.bytes, Buffer.alloc(700, 0xee), second(own).subarray(512)]);
    const { events, report } = readXelBytes(bytes);
    expect(events).toHaveLength(EVENTS + 10);
    expect(report.metadata.map(({ restart }) => restart)).toEqual([undefined, undefined]);
  });

  test("behind zeros is read when its header is there, and otherwise only reported", () => {
    const other = second(START_OF_OTHER, OWN_GUID);
    const glued = readXelBytes(Buffer.concat([file.bytes, Buffer.alloc(1024), other]));
    expect(glued.events).toHaveLength(EVENTS + 10);
    const end = file.bytes.length;
    expect(glued.report.gaps).toMatchObject([{ code: "zeroed", offset: end, bytes: 1024 + 512 }]);
    // Its buffers of events alone: they bear another signature.
    const events = other.subarray(512 + new DataView(other.buffer).getUint32(512 + 16, true));
    const left = readXelBytes(Buffer.concat([file.bytes, Buffer.alloc(1024), events]));
    expect(left.events).toHaveLength(EVENTS);
    expect(left.report.gaps).toMatchObject([
      { code: "data-after-end", offset: end + 1024, bytes: events.length },
    ]);
  });
});

test("by force, a buffer of another version inside a file is read on behind damage in it", () => {
  const other = changed((_, view) => {
    view.setUint16(start + 12, 11, true);
    for (const { offset } of readXelBytes(file.bytes).events)
      if (offset >= start && offset < buffers[VICTIM + 1]) {
        view.setUint32(offset + 4, (view.getUint32(offset + 4, true) & ~0x3f) | 11, true);
      }
  });
  expect(readXelBytes(other, { force: true }).report).toMatchObject({ events: EVENTS, clean: true });
  // A record's version and length are lost: the search needs to know which version it looks for.
  const { offset } = readXelBytes(file.bytes).events.find((event) => event.offset > start + 1000)!;
  other.fill(0xee, offset + 4, offset + 24);
  const { events, report } = readXelBytes(other, { force: true });
  expect(events).toHaveLength(EVENTS - 1);
  expect(report.gaps).toMatchObject([{ code: "bad-event", offset }]);
});

// Counts are those of the reference reader (docs/reference/xel-format.md 9), except where it gives up and this one
// continues: after a surplus or missing byte all records except the one with that byte, after zeros the buffers of the
// same file.
test("a buffer that says it has no data, of a wrong length, may have lost events; one that is cut before its signature is read", () => {
  const writer = createXelWriter(SCHEMA, { bufferBytes: 400 });
  for (let tick = 0; tick < 40; tick++)
    writer.write("log_flush_start", tick, { database_id: 5, log_block_id: tick });
  const sound = writer.finish();
  const view = new DataView(sound.buffer);
  const first = 512 + view.getUint32(512 + 16, true);
  const forged = sound.slice();
  const header = new DataView(forged.buffer);
  header.setUint32(first + 16, view.getUint32(first + 16, true) + 512, true);
  header.setUint32(first + 24, 0, true);
  const { gaps } = readXelBytes(forged).report;
  expect(gaps).toMatchObject([{ code: "bad-buffer-header" }]);
  expect(gaps[0]).not.toHaveProperty("eventsLost");
  for (let bytes = 32; bytes < 60; bytes++)
    expect(readXelBytes(sound.subarray(0, first + bytes)).report).toMatchObject({
      events: 0,
      unfinished: true,
    });
});

describeReference(
  {
    folder: "xel-real",
    tests: 18,
    prove: "damage to a file of a real SQL Server costs no event that Microsoft's reader still reads",
  },
  (path) => {
    const sample = readFileSync(join(path, "TestXel_0.xel"));
    const edited = (edit: (bytes: Buffer) => unknown): Buffer => {
      const bytes = Buffer.from(sample);
      edit(bytes);
      return bytes;
    };
    const spliced = (at: number, skip: number, inserted: number[] = []): Buffer =>
      Buffer.concat([sample.subarray(0, at), Buffer.from(inserted), sample.subarray(at + skip)]);

    test.each([
      ["512 bytes", sample.subarray(0, 512), 0, true],
      ["metadata only", sample.subarray(0, 0x5000), 0, true],
      ["cut in a buffer header", sample.subarray(0, 0x5010), 0, false],
      ["cut at 0x6000", sample.subarray(0, 0x6000), 6, false],
      ["cut at 0x10000", sample.subarray(0, 0x10000), 48, false],
      ["cut at 0x20000", sample.subarray(0, 0x20000), 92, false],
      ["cut at 0x34600", sample.subarray(0, 0x34600), 148, false],
      ["cut in the filler", sample.subarray(0, 0x34700), 149, false],
      ["last 4 KB zeroed", edited((bytes) => bytes.fill(0, bytes.length - 4096)), 146, false],
      ["zero from 0x20000", edited((bytes) => bytes.fill(0, 0x20000)), 93, false],
      ["zero from the event buffer on", edited((bytes) => bytes.fill(0, 0x5000)), 0, true],
      ["zero from 0x5010 on", edited((bytes) => bytes.fill(0, 0x5010)), 0, false],
      ["a byte inserted", spliced(0x10000, 0, [0]), 148, false],
      ["a byte deleted", spliced(0x10000, 1), 148, false],
      ["FF bytes behind the last buffer", Buffer.concat([sample, Buffer.alloc(64, 0xff)]), 149, false],
      ["the file's buffers appended", Buffer.concat([sample, sample.subarray(512)]), 298, true],
      ["the file appended to itself", Buffer.concat([sample, sample]), 298, false],
      [
        "1 MB of zeros, then a buffer",
        Buffer.concat([sample, Buffer.alloc(1 << 20), sample.subarray(0x5000)]),
        298,
        false,
      ],
    ] as const)("%s", (_, bytes, events, clean) => {
      const read = readXelBytes(bytes);
      expect(read.events).toHaveLength(events);
      expect(read.report.clean).toBe(clean);
    });
  },
);
