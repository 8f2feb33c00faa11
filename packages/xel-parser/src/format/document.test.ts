/**
 * Rules of docs/reference/xel-format.md that the reference files do not vary: each test changes the bytes of a file of
 * our writer. Most rules are marked [R] there: the reference reader reads such a file, which does not prove that SQL
 * Server writes one (docs/evidence.md).
 */
import { describe, expect, test } from "vitest";
import { joined, once, placeOf, viewOf } from "../../test/bytes.ts";
import { createXelWriter } from "../writer/index.ts";
import { decodeColumns, readXelBytes, type ColumnRequest } from "./index.ts";

const HEADER_BYTES = 512;
const START = 131_069_746_150_000_000n;
const EVENTS = [
  { n: 1, text: "one", small: 11 },
  { n: 2, text: "two", small: 22 },
  { n: 3, text: "", small: 33 },
];

interface Pieces {
  readonly header: Uint8Array;
  readonly metadata: Uint8Array;
  /** One buffer per event. */
  readonly events: readonly Uint8Array[];
}

/** A file whose package 1 has the event `sample` and an action, and whose package 2 has another action. */
function pieces(names = { event: "sample", column: "text" }, bufferBytes = 1): Pieces {
  const columns = [
    { name: "n", type: "uint32" },
    { name: names.column, type: "unicode_string" },
    { name: "small", type: "uint16" },
  ] as const;
  const all: Uint8Array[] = [];
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "first",
          id: 1,
          events: [{ name: names.event, columns }],
          actions: [{ name: "id", type: "uint16" }],
        },
        { name: "second", id: 2, actions: [{ name: "user", type: "unicode_string" }] },
      ],
    },
    { startTicks: START, bufferBytes, onBuffer: (bytes) => all.push(bytes.slice()) },
  );
  for (const [index, { n, text, small }] of EVENTS.entries()) {
    writer.write(names.event, index, { n, [names.column]: text, small }, { id: 7, user: "me" });
  }
  writer.finish();
  const [header, metadata, ...events] = all;
  return { header, metadata, events };
}

const sound = pieces();

function changed(bytes: Uint8Array, edit: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  edit(viewOf(copy), copy);
  return copy;
}

function fileOf({ header, metadata, events }: Partial<Pieces>): Uint8Array {
  return joined(header ?? sound.header, metadata ?? sound.metadata, ...(events ?? sound.events));
}

/** A buffer with its data from another offset on, and padded to another length. */
function moved(buffer: Uint8Array, offset: number, align = 512): Uint8Array {
  const from = viewOf(buffer);
  const data = buffer.subarray(from.getUint16(22, true), from.getUint16(22, true) + from.getUint32(24, true));
  const made = new Uint8Array(Math.ceil((offset + data.length) / align) * align);
  made.set(buffer.subarray(0, 32));
  made.set(data, offset);
  viewOf(made).setUint32(16, made.length, true);
  viewOf(made).setUint16(22, offset, true);
  return made;
}

const request: ColumnRequest = {
  events: [
    {
      name: "sample",
      kind: 1,
      fields: ["n", "text", "small"].map((field) => ({ field, column: field })),
    },
  ],
  columns: [
    { name: "n", type: "f64" },
    { name: "text", type: "text" },
    { name: "small", type: "f64" },
  ],
};

/** The file reads like the valid one, as objects and as columns. */
async function expectSame(bytes: Uint8Array): Promise<void> {
  const { events, report } = readXelBytes(bytes);
  expect(report.gaps).toEqual([]);
  expect(events.map(({ fields }) => ({ ...fields }))).toEqual(EVENTS);
  expect(events.map(({ ticks }) => ticks - START)).toEqual([0n, 1n, 2n]);
  for (const { actions } of events) expect({ ...actions }).toEqual({ id: 7, user: "me" });
  const { columns: batch } = await decodeColumns(once(bytes), request);
  expect([...(batch.columns["n"] as Float64Array)]).toEqual(EVENTS.map(({ n }) => n));
  expect([...(batch.columns["small"] as Float64Array)]).toEqual(EVENTS.map(({ small }) => small));
  const texts = Array.from(batch.columns["text"] as Uint8Array, (index) => batch.dictionaries["text"][index]);
  expect(texts).toEqual(EVENTS.map(({ text }) => text));
}

describe("1, conventions", () => {
  test.each([
    ["of 3,000 characters", "n".repeat(3000)],
    ["with supplementary characters", "\u{1f4be}\u{10ffff}"],
    ["that is empty", ""],
    ["that is a word of JavaScript", "__proto__"],
  ])("a name %s", (_, name) => {
    const { events } = readXelBytes(fileOf(pieces({ event: name, column: name })));
    expect(events.map((event) => [event.name, Object.keys(event.fields)])).toEqual(
      EVENTS.map(() => [name, ["n", name, "small"]]),
    );
    expect(events[0].fields[name]).toBe("one");
  });

  test("an object's index goes up to 262,143", async () => {
    const last = 262_143 << 10;
    // The event's id is after its header's version and capabilities, before its name.
    const metadata = changed(sound.metadata, (view, bytes) => {
      const at = placeOf(bytes, "sample") - 4;
      expect(view.getUint32(at, true)).toBe(1);
      view.setUint32(at, last | 1, true);
    });
    const events = sound.events.map((event) =>
      changed(event, (view) => view.setUint32(view.getUint16(22, true), last | 1, true)),
    );
    await expectSame(fileOf({ metadata, events }));
  });
});

describe("2, file header and buffers", () => {
  test.each([8, 24, 32, 64, 1024, 4096])("a header of %i bytes, of which eight count", async (length) => {
    const header = new Uint8Array(length).fill(0xee);
    header.set(sound.header.subarray(0, 8));
    viewOf(header).setUint16(6, length, true);
    await expectSame(fileOf({ header }));
  });

  test.each([32, 33, 52, 76, 77, 200])("data %i bytes behind a buffer's start", async (offset) => {
    const events = sound.events.map((event) => moved(event, offset));
    await expectSame(fileOf({ metadata: moved(sound.metadata, offset), events }));
  });

  test.each([1, 16, 100, 4096])("buffers padded to multiples of %i", async (align) => {
    const events = sound.events.map((event) => moved(event, 77, align));
    await expectSame(fileOf({ metadata: moved(sound.metadata, 76, align), events }));
  });

  test("fields that are ignored: version, id, sequence, unused, checksum, signature, filler", async () => {
    const edit = (buffer: Uint8Array): Uint8Array =>
      changed(buffer, (view, bytes) => {
        bytes.fill(0xee, 0, 12);
        view.setUint16(20, 0xeeee, true);
        bytes.fill(0xee, 28, view.getUint16(22, true));
        bytes.fill(0xee, view.getUint16(22, true) + view.getUint32(24, true));
      });
    await expectSame(fileOf({ metadata: edit(sound.metadata), events: sound.events.map(edit) }));
  });

  test("a data length cut inside the last event still yields it", async () => {
    const events = sound.events.map((event) =>
      changed(event, (view) => view.setUint32(24, view.getUint32(24, true) - 5, true)),
    );
    await expectSame(fileOf({ events }));
  });

  test("empty buffers of events and of metadata", async () => {
    const empty = (buffer: Uint8Array): Uint8Array =>
      changed(buffer.slice(0, 512), (view) => {
        view.setUint32(16, 512, true);
        view.setUint32(24, 0, true);
      });
    const [first, ...rest] = sound.events;
    await expectSame(fileOf({ events: [empty(first), first, empty(sound.metadata), ...rest] }));
  });

  test("the end: zeros from the 12th byte of a header on, whatever is before them and behind", async () => {
    const end = new Uint8Array(512);
    end.fill(0xee, 0, 12);
    await expectSame(joined(fileOf({}), end));
    for (let at = 12; at < 32; at++) {
      const { events, report } = readXelBytes(
        joined(
          fileOf({}),
          changed(end, (view) => view.setUint8(at, 1)),
        ),
      );
      expect(events).toHaveLength(EVENTS.length);
      expect(report.gaps, `byte ${at}`).toHaveLength(1);
    }
  });

  test.each([2, 3, 4, 9])("a buffer of type %i is a gap, and the next one is read", (type) => {
    const [first, second, third] = sound.events;
    const odd = changed(second, (view) => view.setUint16(14, type, true));
    const { events, report } = readXelBytes(fileOf({ events: [first, odd, third] }));
    expect(events.map(({ fields }) => fields["n"])).toEqual([1, 3]);
    const offset = HEADER_BYTES + sound.metadata.length + first.length;
    expect(report.gaps).toMatchObject([{ code: "bad-buffer-header", offset, bytes: odd.length }]);
  });

  test("events before any metadata are lost, and those behind it read", () => {
    const [first, ...rest] = sound.events;
    const { events, report } = readXelBytes(joined(sound.header, first, sound.metadata, ...rest));
    expect(events.map(({ fields }) => fields["n"])).toEqual([2, 3]);
    expect(report.gaps).toMatchObject([{ code: "no-metadata" }]);
    expect(report.gaps[0].message).toContain("before the metadata");
  });

  test("a file's buffers appended to it are read again", () => {
    const { events, report } = readXelBytes(joined(fileOf({}), sound.metadata, ...sound.events));
    expect(report.clean).toBe(true);
    expect(events.map(({ fields }) => fields["n"])).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

/** The package records of a metadata buffer (3.1). */
function recordsOf(metadata: Uint8Array): Uint8Array[] {
  const view = viewOf(metadata);
  const end = view.getUint16(22, true) + view.getUint32(24, true);
  const records: Uint8Array[] = [];
  for (let at = view.getUint16(22, true); at < end; at += view.getUint32(at + 2, true)) {
    records.push(metadata.slice(at, at + view.getUint32(at + 2, true)));
  }
  return records;
}

/** A metadata buffer of these records. */
function metadataOf(records: readonly Uint8Array[]): Uint8Array {
  const data = joined(...records);
  const made = new Uint8Array(Math.ceil((76 + data.length) / 512) * 512);
  made.set(sound.metadata.subarray(0, 76));
  made.set(data, 76);
  viewOf(made).setUint32(16, made.length, true);
  viewOf(made).setUint32(24, data.length, true);
  return made;
}

describe("3, metadata", () => {
  const [package0, first, second] = recordsOf(sound.metadata);

  test("packages in any order, also package0 last", async () => {
    await expectSame(fileOf({ metadata: metadataOf([second, first, package0]) }));
  });

  test("a buffer for each package", async () => {
    const [one, two, three] = [package0, first, second].map((record) => metadataOf([record]));
    await expectSame(joined(sound.header, one, two, three, ...sound.events));
  });

  test("filler behind a record, of any size", async () => {
    const longer = changed(joined(first, new Uint8Array(37).fill(0xee)), (view) =>
      view.setUint32(2, first.length + 37, true),
    );
    await expectSame(fileOf({ metadata: metadataOf([package0, longer, second]) }));
  });

  /** The valid file, except for the size in package 1's record. */
  const withSize = (size: number): ReturnType<typeof readXelBytes> => {
    const wrong = changed(first, (view) => view.setUint32(2, size, true));
    return readXelBytes(fileOf({ metadata: metadataOf([package0, wrong, second]) }));
  };

  test.each([0, 48, 0xffff_ffff])(
    "a record whose size cannot be true (%i) is reported, read, and the next one found",
    (size) => {
      const { events, report } = withSize(size);
      expect(events.map(({ fields }) => ({ ...fields }))).toEqual(EVENTS);
      expect({ ...events[0].actions }).toEqual({ id: 7, user: "me" });
      const offset = HEADER_BYTES + 76 + package0.length;
      expect(report.gaps).toEqual([
        {
          code: "bad-metadata",
          offset,
          bytes: first.length,
          message: `${first.length} damaged bytes were skipped: the length of a package record is wrong.`,
        },
      ]);
    },
  );

  test("a record that is too long by its size hides the next one", () => {
    const { events, report } = withSize(first.length + second.length);
    // The metadata looks valid; the actions of the hidden package are unknown.
    expect(events).toEqual([]);
    expect(report.gaps.map(({ code }) => code)).toEqual(EVENTS.map(() => "unknown-action"));
  });

  test("fields that are ignored: record version, signature, generation, kind of the package's id", async () => {
    const edited = [package0, first, second].map((record) =>
      changed(record, (view, bytes) => {
        bytes.fill(0xee, 0, 2);
        bytes.fill(0xee, 6, 26);
        // Version and capabilities of the package's header; of its id the lowest ten bits count.
        bytes.fill(0xee, 48, 52);
        view.setUint32(52, 0x3_00400 | (view.getUint32(52, true) & 0x3ff), true);
      }),
    );
    await expectSame(fileOf({ metadata: metadataOf(edited) }));
  });

  test("the event's uuid is its first static attribute, whatever its name", () => {
    const renamed = changed(first, (view, bytes) => view.setUint16(placeOf(bytes, "UUID"), 0x58, true));
    const read = (record: Uint8Array) =>
      readXelBytes(fileOf({ metadata: metadataOf([package0, record, second]) })).events[0].uuid;
    expect(read(renamed)).toBe(read(first));
    expect(read(first)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
  });

  test("nine collections are damage of that record, and the others count", () => {
    // After the package's header and its empty description: two GUIDs, the context version, the count.
    const wrong = changed(second, (view, bytes) => {
      const at = bytes.findIndex((_, from) => from > 56 && view.getUint32(from, true) === 8);
      view.setUint32(at, 9, true);
    });
    const { report } = readXelBytes(fileOf({ metadata: metadataOf([package0, first, wrong]) }));
    expect(report.gaps[0]).toMatchObject({ code: "bad-metadata" });
    expect(report.gaps[0].message).toContain("8 collections");
    expect(report.gaps.slice(1).map(({ code }) => code)).toEqual(EVENTS.map(() => "unknown-action"));
  });

  test.each([0, 3, 5, 255])("a map of %i bytes leaves its field out", async (size) => {
    const columns = [{ name: "before", type: "uint8" }, { name: "state", type: { map: "m" } }] as const; // prettier-ignore
    const maps = [{ name: "m", bytes: 4 as const, entries: [[1, "one"]] as const }];
    const writer = createXelWriter({
      packages: [{ name: "p", id: 1, maps, events: [{ name: "e", columns }] }],
    });
    writer.write("e", 0, { before: 5, state: 1 });
    const bytes = changed(writer.finish(), (view, all) => {
      // After the map's name and its empty description.
      const at = placeOf(all, "m") + 4 + 2;
      expect(view.getUint8(at)).toBe(4);
      view.setUint8(at, size);
    });
    // The file ends at the place of the map's value, so that no byte of it can be read.
    const view = viewOf(bytes);
    const buffer = HEADER_BYTES + view.getUint32(HEADER_BYTES + 16, true);
    const data = buffer + view.getUint16(buffer + 22, true);
    const end = data + 24 + 1;
    view.setUint32(buffer + 16, end - buffer, true);
    view.setUint32(buffer + 24, end - data, true);
    view.setUint32(data + 20, 1, true);
    const { events } = readXelBytes(bytes.slice(0, end));
    expect(events.map(({ fields }) => ({ ...fields }))).toEqual([{ before: 5 }]);
  });

  test("pointers of neither 4 nor 8 bytes are damage", () => {
    const wrong = changed(package0, (view, bytes) => {
      const at = placeOf(bytes, "ptr") + 8 + 2;
      expect(view.getUint8(at)).toBe(8);
      view.setUint8(at, 6);
    });
    const { report } = readXelBytes(fileOf({ metadata: metadataOf([wrong, first, second]) }));
    expect(report.gaps[0].message).toContain("pointers of 6 bytes cannot be read");
  });
});

/** A buffer whose one record is rebuilt: its payload and its action list, with their lengths. */
function withRecord(
  buffer: Uint8Array,
  payload: Uint8Array,
  actions: Uint8Array,
  flags = 0x8000_000a,
): Uint8Array {
  const at = viewOf(buffer).getUint16(22, true);
  const data = joined(buffer.slice(at, at + 24), payload, actions);
  const made = new Uint8Array(512);
  made.set(buffer.subarray(0, at));
  made.set(data, at);
  const view = viewOf(made);
  view.setUint32(16, 512, true);
  view.setUint32(24, data.length, true);
  view.setUint32(at + 4, flags, true);
  view.setUint32(at + 20, payload.length, true);
  return made;
}

/** The payload and the action list of a buffer's one record. */
function recordOf(buffer: Uint8Array): { payload: Uint8Array; actions: Uint8Array } {
  const view = viewOf(buffer);
  const at = view.getUint16(22, true);
  const end = at + 24 + view.getUint32(at + 20, true);
  return { payload: buffer.slice(at + 24, end), actions: buffer.slice(end, at + view.getUint32(24, true)) };
}

const END_OF_ACTIONS = Uint8Array.of(0, 0, 0, 0x60, 0, 0, 0, 0);

describe("4, event records", () => {
  const [first, second, third] = sound.events;
  const { payload, actions } = recordOf(first);

  test("bits 6 to 30 of the flags and the mask are ignored", async () => {
    const edit = (buffer: Uint8Array): Uint8Array =>
      changed(buffer, (view, bytes) => {
        const at = view.getUint16(22, true);
        view.setUint32(at + 4, 0xffff_ffca, true);
        bytes.fill(0xee, at + 8, at + 12);
      });
    await expectSame(fileOf({ events: sound.events.map(edit) }));
  });

  test("bytes of a payload that nothing names are passed over, the value may be behind them", async () => {
    const length = payload.length + 11;
    const longer = joined(payload.slice(0, 14), new Uint8Array(11).fill(0xee), payload.slice(14));
    viewOf(longer).setUint32(4, viewOf(payload).getUint32(4, true) + 11, true);
    expect(longer).toHaveLength(length);
    await expectSame(fileOf({ events: [withRecord(first, longer, actions), second, third] }));
  });

  test("an empty value may be (0, 0)", async () => {
    const empty = recordOf(third);
    viewOf(empty.payload).setUint32(4, 0, true);
    await expectSame(fileOf({ events: [first, second, withRecord(third, empty.payload, empty.actions)] }));
  });

  test("values may overlap: a text over the inline part", () => {
    const odd = payload.slice();
    viewOf(odd).setUint32(4, 0, true);
    viewOf(odd).setUint32(8, 4, true);
    const { events } = readXelBytes(fileOf({ events: [withRecord(first, odd, actions), second, third] }));
    expect(events[0].fields["text"]).toBe("\u0001\0");
  });

  test("an action list that holds its end only, and none at all", () => {
    const ended = withRecord(first, payload, END_OF_ACTIONS);
    const none = withRecord(second, recordOf(second).payload, new Uint8Array(0), 10);
    const { events, report } = readXelBytes(fileOf({ events: [ended, none, third] }));
    expect(report.clean).toBe(true);
    expect(events.map((event) => ({ ...event.actions }))).toEqual([{}, {}, { id: 7, user: "me" }]);
  });

  test("any id that is no action's ends the list, and no value follows it", async () => {
    const other = actions.slice();
    // The list has a length as well; it is only read.
    other.set([0x02, 0x74, 0, 0x30, 0xff, 0, 0, 0], other.length - 8);
    await expectSame(fileOf({ events: [withRecord(first, payload, other), second, third] }));
  });

  test("an action of a fixed type is read by its type and passed over by its length", async () => {
    const longer = joined(actions.slice(0, 10), Uint8Array.of(0xee, 0xee, 0xee), actions.slice(10));
    expect(viewOf(longer).getUint32(4, true)).toBe(2);
    viewOf(longer).setUint32(4, 5, true);
    await expectSame(fileOf({ events: [withRecord(first, payload, longer), second, third] }));
  });

  test("two actions of one name, where the reference reader fails, get the second one's package as part of its name", () => {
    const metadata = changed(sound.metadata, (view, bytes) => {
      // "user" of package 2 becomes "id", which leaves two units of filler in its description.
      const at = placeOf(bytes, "user");
      const rest = bytes.slice(at + 10, viewOf(bytes).getUint16(22, true) + view.getUint32(24, true));
      bytes.set([0x69, 0, 0x64, 0, 0, 0], at);
      bytes.set(rest, at + 6);
    });
    const { events } = readXelBytes(fileOf({ metadata }));
    expect(events.map(({ actions }) => ({ ...actions }))).toEqual(
      EVENTS.map(() => ({ id: 7, "second.id": "me" })),
    );
  });

  test("two columns of one name, where the reference reader fails, get a number", () => {
    const same = pieces({ event: "sample", column: "smalL" });
    const doubled = changed(same.metadata, (_, bytes) => (bytes[placeOf(bytes, "smalL") + 8] = 0x6c));
    const { events } = readXelBytes(fileOf({ ...same, metadata: doubled }));
    expect({ ...events[0].fields }).toEqual({ n: 1, small: "one", "small#2": 11 });
  });

  test("ticks are signed", () => {
    const at = viewOf(first).getUint16(22, true);
    const before = changed(first, (view) => view.setBigInt64(at + 12, -10n, true));
    expect(readXelBytes(fileOf({ events: [before] })).events[0].ticks).toBe(START - 10n);
  });
});
